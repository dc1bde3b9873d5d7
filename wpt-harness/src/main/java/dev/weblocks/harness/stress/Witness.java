package dev.weblocks.harness.stress;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A check of mutual exclusion by the messages of scripts. An agent is inside a lock from its
 * message about entering the callback to its message about leaving. If an incompatible agent enters
 * before that, the first agent must never report again and, if a window, must have ended.
 */
final class Witness {

  enum Activity {
    NOT_BEGUN("before their first message"),
    OUTSIDE("outside of locks"),
    HOLDING("holding a lock"),
    PAUSED("pausing in a host call"),
    DOOMED("in an endless loop");

    final String label;

    Activity(String label) {
      this.label = label;
    }
  }

  private final Consumer<String> complaints;

  /** For each lock name, the ids of the agents inside; true for those that hold it exclusively. */
  private final Map<String, Map<Integer, Boolean>> inside = new HashMap<>();

  private final Map<Integer, Activity> activities = new HashMap<>();
  private final BitSet ended = new BitSet();

  /** The agents that were inside a lock when an incompatible agent entered it. */
  private final BitSet displaced = new BitSet();

  private final Map<String, Integer> clients = new HashMap<>();
  private long messages;
  private int displacements;

  Witness(Consumer<String> complaints) {
    this.complaints = complaints;
  }

  /** Returns whether an id is that of a window: windows have even ids, their workers the next. */
  static boolean isWindow(int id) {
    return id % 2 == 0;
  }

  synchronized void receive(String what, int id, String name, String mode) {
    messages++;
    if (displaced.get(id)) {
      complaints.accept(
          id + " reports '" + what + " " + name + "' after its lock has passed to another agent");
    }
    if (isWindow(id) && ended.get(id)) {
      complaints.accept(id + " reports '" + what + "' after its end");
    }
    if (what.equals("client")) {
      clients.put(name, id);
      return;
    }
    Map<Integer, Boolean> here = inside.computeIfAbsent(name, unknown -> new LinkedHashMap<>());
    switch (what) {
      case "in" -> {
        boolean alone = mode.equals("x");
        here.forEach((other, otherAlone) -> {
          if (alone || otherAlone) {
            displace(other, id, name);
          }
        });
        here.keySet().removeIf(displaced::get);
        here.put(id, alone);
        activities.put(id, Activity.HOLDING);
      }
      case "beat" -> {
        if (!here.containsKey(id)) {
          complaints.accept(id + " acts inside " + name + " without having entered");
        }
      }
      case "out" -> {
        if (here.remove(id) == null) {
          complaints.accept(id + " leaves " + name + " without having entered");
        }
        activities.put(id, Activity.OUTSIDE);
      }
      case "doomed" -> activities.put(id, Activity.DOOMED);
      case "pauses" -> activities.put(id, Activity.PAUSED);
      case "unpaused" -> complaints.accept(id + " resumes from a pause that never ends");
      case "done" -> activities.put(id, Activity.OUTSIDE);
      default -> throw new IllegalArgumentException("unknown message '" + what + "'");
    }
  }

  private void displace(int dead, int by, String name) {
    displacements++;
    displaced.set(dead);
    if (isWindow(dead) && !ended.get(dead)) {
      complaints.accept(by + " enters " + name + " while " + dead + " is inside and has not ended");
    }
  }

  /** Handles the release of all locks of an ended client. */
  synchronized void clientEnds(String client) {
    Integer id = clients.remove(client);
    if (id != null && isWindow(id) && !ended.get(id)) {
      complaints.accept("the locks of " + id + " are released, but it has not ended");
    }
  }

  /** Handles the trace event of the end of a window, which precedes the release of its locks. */
  synchronized void windowEnded(int id) {
    ended.set(id);
  }

  /** Removes the last activity of an ended agent, and returns it. */
  synchronized Activity forget(int id) {
    Activity last = activities.remove(id);
    return last == null ? Activity.NOT_BEGUN : last;
  }

  synchronized Activity activity(int id) {
    return activities.getOrDefault(id, Activity.NOT_BEGUN);
  }

  synchronized long messages() {
    return messages;
  }

  /** Returns how often an agent entered a lock while an incompatible agent was inside. */
  synchronized int displacements() {
    return displacements;
  }
}
