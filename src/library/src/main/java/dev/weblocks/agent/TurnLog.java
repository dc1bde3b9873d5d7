package dev.weblocks.agent;

import dev.weblocks.model.Schedule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A log of the effects of turns under a {@link DeterministicDriver}. For each turn it records the
 * actors that the turn wakes, the turn that queued its work, and the ways by which the turn reaches
 * shared state. Called on the thread of the turns; effects outside of turns are not recorded.
 *
 * <p>A way is named {@code Interface.member/overload} if script calls a member of an interface,
 * {@code host: label} if it calls an internal function, and {@code driver: action} for an action on
 * the driver.
 */
public final class TurnLog {

  private static final class Entry {
    private final long number;
    private final String actor;
    private final String step;
    private long cause;
    private final Set<String> woken = new LinkedHashSet<>();
    private final Set<String> reached = new LinkedHashSet<>();

    Entry(long number, String actor, String step) {
      this.number = number;
      this.actor = actor;
      this.step = step;
    }
  }

  /** The current turns, the innermost first. */
  private final Deque<Entry> open = new ArrayDeque<>();

  private long turns;

  TurnLog() {}

  /** Begins a turn and returns its number. */
  long begin(String actor, String step) {
    boolean inside = !open.isEmpty();
    reaches("driver: pause"); // only a turn that pauses contains others
    open.push(new Entry(++turns, actor, step));
    if (inside) {
      reaches("driver: pause");
    }
    return turns;
  }

  /** Ends the innermost turn. */
  Schedule.Turn end() {
    Entry entry = open.pop();
    return new Schedule.Turn(
        entry.number, entry.actor, entry.step, entry.cause, entry.woken, entry.reached);
  }

  /** Records that the innermost turn wakes an actor. */
  void wakes(String actor) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.woken.add(actor);
    }
  }

  /** Returns the number of the innermost current turn; 0 outside of turns. */
  public long current() {
    Entry entry = open.peek();
    return entry == null ? 0 : entry.number;
  }

  /** Records the number of the turn that queued the work of the innermost turn. */
  public void takes(long cause) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.cause = cause;
    }
  }

  /** Records a way by which the innermost turn reaches shared state. */
  public void reaches(String way) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.reached.add(way);
    }
  }
}
