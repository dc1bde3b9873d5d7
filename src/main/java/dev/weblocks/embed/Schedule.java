package dev.weblocks.embed;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses what happens next under {@link Driver#deterministic(Schedule)}. All of it is called on
 * the thread that runs the driver, and must not run the driver itself.
 *
 * <p>Two user agents that are made alike and asked the same by the same schedule take the same
 * steps: the actors have the same names, and the same choices come in the same order.
 */
@FunctionalInterface
public interface Schedule {

  /** The name of what stands for the time among the actors, see {@link #choosesTime()}. */
  String CLOCK = "clock";

  /**
   * Something that can have a turn: the event loop of an agent, such as {@code window-1}, the
   * {@code lock task queue}, another parallel queue, something that is ended, or the {@link
   * #CLOCK}.
   *
   * @param name unique within its user agent, but for what happens once
   * @param nextStep what the turn would do, in a few words, as traces have them, such as {@code web
   *     locks: grant}; empty if it is not known
   */
  record Actor(String name, String nextStep) {}

  /**
   * A turn that is over, with what it did to others.
   *
   * @param number from 1, without a gap, over all turns of the driver
   * @param actor the name of whose turn it was
   * @param step what it did, as {@link Actor#nextStep} had it
   * @param cause the number of the turn in which the task or lock step that it ran was queued; 0
   *     for none, or if that is not known
   * @param woken the names of the actors that it gave work to, its own maybe
   * @param reached by which ways it left its agent: {@code Interface.member/overload} for what
   *     script called, such as {@code Storage.call setItem/0}; {@code host: what} for functions
   *     beside interfaces; {@code driver: what} for what else happened. More of these may come, and
   *     their names are no part of the API: what is not known may have reached anything
   */
  record Turn(
      long number, String actor, String step, long cause, Set<String> woken, Set<String> reached) {

    /** Copies both sets; they keep their order, which is that in which things were done. */
    public Turn {
      woken = Collections.unmodifiableSet(new LinkedHashSet<>(woken));
      reached = Collections.unmodifiableSet(new LinkedHashSet<>(reached));
    }
  }

  /**
   * Chooses which actor has the next turn. Called between turns, or inside one that pauses, and
   * only where there is a choice.
   *
   * @param ready at least two, in the order in which they came into being; the clock, if it is
   *     among them, comes last
   * @return the index of the one that has the next turn, below {@code ready.size()}; an exception
   *     leaves {@link Driver#runOne()}, and nothing has happened then
   */
  int choose(List<Actor> ready);

  /**
   * Whether time may go on to the next timer while actors have work, as it does on a machine that
   * is slow. Then the {@link #CLOCK} is among the actors wherever a timer is left. Default is that
   * it goes on when nothing else is left. Asked once, when the driver is made.
   */
  default boolean choosesTime() {
    return false;
  }

  /**
   * Whether it wants to be told of turns, by the two methods below; default is that it does not, at
   * no cost. Asked once, when the driver is made.
   */
  default boolean observesTurns() {
    return false;
  }

  /**
   * A turn begins, one without a choice maybe; inside another one if that one pauses.
   *
   * @param number from 1, without a gap
   * @param ready all that had work, in the order in which they came into being, {@code actor} among
   *     them
   */
  default void turnBegins(long number, Actor actor, List<Actor> ready) {}

  /** A turn is over; of turns inside one another, the inner one first. */
  default void turnEnded(Turn turn) {}
}
