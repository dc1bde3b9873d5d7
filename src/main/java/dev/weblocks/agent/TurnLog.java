package dev.weblocks.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Notes what turns under a {@link DeterministicDriver} do to others: whom they give work to, which
 * turn caused what they do, and by which ways they reach what their actor shares with others. It
 * judges none of these. On the thread of the turns; what happens outside of turns is not noted.
 *
 * <p>Ways are named {@code Interface.member/overload} where script calls a member of an interface,
 * {@code host: label} where it calls another function of ours, and {@code driver: what} where a
 * turn did something to the driver.
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

  /** The turns under way, the innermost first. */
  private final Deque<Entry> open = new ArrayDeque<>();

  private long turns;

  TurnLog() {}

  /** Begins a turn and returns its number. */
  long begin(String actor, String step) {
    boolean inside = !open.isEmpty();
    reaches("driver: pause"); // only who pauses lets others have turns
    open.push(new Entry(++turns, actor, step));
    if (inside) {
      reaches("driver: pause");
    }
    return turns;
  }

  /** Ends the innermost turn. */
  Turn end() {
    Entry entry = open.pop();
    return new Turn(entry.number, entry.actor, entry.step, entry.cause, entry.woken, entry.reached);
  }

  /** The innermost turn gives work to an actor. */
  void wakes(String actor) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.woken.add(actor);
    }
  }

  /** The number of the innermost turn under way; 0 outside of turns. */
  public long current() {
    Entry entry = open.peek();
    return entry == null ? 0 : entry.number;
  }

  /** The innermost turn runs what was queued in another one. */
  public void takes(long cause) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.cause = cause;
    }
  }

  /** The innermost turn leaves its actor by a way of this name. */
  public void reaches(String way) {
    Entry entry = open.peek();
    if (entry != null) {
      entry.reached.add(way);
    }
  }
}
