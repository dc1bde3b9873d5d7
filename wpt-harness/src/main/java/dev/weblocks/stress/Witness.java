package dev.weblocks.stress;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Believes nothing but what script itself says: who comes in, who shows signs of life inside, who
 * goes out. Whoever is inside when another one comes in that cannot be there at the same time must
 * be dead: its window has ended, and it is never heard of again.
 */
final class Witness {

  /** What an agent was last seen at. */
  enum Activity {
    /** It has said nothing yet. */
    NOT_BEGUN("before it said a word"),
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

  /** By name: the ids of those inside, and whether each is there alone. */
  private final Map<String, Map<Integer, Boolean>> inside = new HashMap<>();

  private final Map<Integer, Activity> activities = new HashMap<>();

  /** Windows whose end was announced. */
  private final BitSet ended = new BitSet();

  /** Those in whose place another one has come. */
  private final BitSet displaced = new BitSet();

  /** Who has told the id of its client. */
  private final Map<String, Integer> clients = new HashMap<>();

  private long messages;
  private int displacements;

  Witness(Consumer<String> complaints) {
    this.complaints = complaints;
  }

  /** A window has an even id; the worker that it may have, the next one. */
  static boolean isWindow(int id) {
    return id % 2 == 0;
  }

  /** Takes a console message of the script. */
  synchronized void hear(String what, int id, String name, String mode) {
    messages++;
    if (displaced.get(id)) {
      complaints.accept(
          id + " says '" + what + " " + name + "' after its lock has gone to another one");
    }
    if (isWindow(id) && ended.get(id)) {
      complaints.accept(id + " says '" + what + "' after its end");
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
          complaints.accept(id + " acts inside of " + name + " without being there");
        }
      }
      case "out" -> {
        if (here.remove(id) == null) {
          complaints.accept(id + " leaves " + name + " without having been there");
        }
        activities.put(id, Activity.OUTSIDE);
      }
      case "doomed" -> activities.put(id, Activity.DOOMED);
      case "pauses" -> activities.put(id, Activity.PAUSED);
      case "unpaused" -> complaints.accept(id + " goes on from a pause that nobody ended");
      case "done" -> activities.put(id, Activity.OUTSIDE);
      default -> throw new IllegalArgumentException("nobody says '" + what + "'");
    }
  }

  private void displace(int dead, int by, String name) {
    displacements++;
    displaced.set(dead);
    if (isWindow(dead) && !ended.get(dead)) {
      complaints.accept(by + " is in " + name + " while " + dead + " is there and has not ended");
    }
  }

  /** What a client holds passes on now. */
  synchronized void clientEnds(String client) {
    Integer id = clients.remove(client);
    if (id != null && isWindow(id) && !ended.get(id)) {
      complaints.accept("locks of " + id + " pass on, and it has not ended");
    }
  }

  /** A window has ended, as the trace says, before its locks pass on. */
  synchronized void windowEnded(int id) {
    ended.set(id);
  }

  /** Forgets what is not needed about one that has ended; returns what it was at. */
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

  /** How many were found in the place of a dead one. */
  synchronized int displacements() {
    return displacements;
  }
}
