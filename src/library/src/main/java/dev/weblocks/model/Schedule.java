package dev.weblocks.model;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A strategy that chooses the next turn under {@link
 * dev.weblocks.embed.Driver#deterministic(Schedule)}. All methods are called on the thread that
 * runs the driver, and must not run the driver themselves.
 *
 * <p>Two user agents with the same configuration and the same calls, under the same schedule, take
 * the same steps: the actors have the same names, and the same choices are offered in the same
 * order.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="schedule"}
 */
@FunctionalInterface
public interface Schedule {

  /** The name of the actor that advances the time, see {@link #choosesTime()}. */
  String CLOCK = "clock";

  /**
   * Returns whether a name could be that of an actor without a name of its own: a generated one of
   * an agent or lock client, such as {@code window-1}, or one such as {@code lock task queue} or
   * {@link #CLOCK}. Names of actors are unique.
   */
  static boolean isReserved(String name) {
    return Objects.requireNonNull(name, "name")
        .matches(
            "(installation|window|((shared|service)-)?worker|java)-[0-9]+|"
                + CLOCK
                + "|lock task queue|service worker queue|remote locks|lock watchdog");
  }

  /**
   * An actor that can run a turn: the event loop of an agent, such as {@code window-1}, the {@code
   * lock task queue}, another parallel queue, an agent that is being ended, or the {@link #CLOCK}.
   *
   * @param name unique within its user agent, except for actors with a single turn
   * @param nextStep a short description of the turn, as in traces, such as {@code web locks:
   *     grant}; empty if it is not known
   */
  record Actor(String name, String nextStep) {

    public Actor {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(nextStep, "nextStep");
    }
  }

  /**
   * A finished turn, with its effects on other actors.
   *
   * @param number from 1, without a gap, over all turns of the driver
   * @param actor the name of the actor
   * @param step the description of the turn, as in {@link Actor#nextStep}
   * @param cause the number of the turn in which the task or lock step of this turn was queued; 0
   *     for none, or if that is not known
   * @param woken the names of the actors to which the turn gave work, possibly including its own
   * @param reached the ways in which the turn had effects outside its agent. For an interface
   *     member that script used: the interface, the kind of use, the member and its overload, such
   *     as {@code Storage.call setItem/0}. For functions outside of interfaces: {@code host: what}.
   *     For other events: {@code driver: what}. Other names may be added, and the names are not
   *     part of the API: assume that an unknown one may affect anything
   */
  record Turn(
      long number, String actor, String step, long cause, Set<String> woken, Set<String> reached) {

    /** Copies both sets; they keep their order, which is chronological. */
    public Turn {
      Objects.requireNonNull(actor, "actor");
      Objects.requireNonNull(step, "step");
      Objects.requireNonNull(woken, "woken");
      Objects.requireNonNull(reached, "reached");
      woken = Collections.unmodifiableSet(new LinkedHashSet<>(woken));
      reached = Collections.unmodifiableSet(new LinkedHashSet<>(reached));
    }
  }

  /**
   * Chooses the actor of the next turn. Called between turns, or inside one that pauses, and only
   * if there is a choice.
   *
   * @param ready at least two, in the order of their creation; the clock, if present, is last
   * @return the index of the actor of the next turn, below {@code ready.size()}; if this throws,
   *     {@link dev.weblocks.embed.DeterministicDriver#runOne()} throws the exception, and no turn
   *     has run
   */
  int choose(List<Actor> ready);

  /**
   * Returns whether time may advance to the next timer while actors have work, as on a slow
   * machine. If true, the {@link #CLOCK} is among the actors whenever a timer is left. Default is
   * false: time advances only when nothing else is left. Called once, when the driver is made.
   */
  default boolean choosesTime() {
    return false;
  }

  /**
   * Returns whether {@link #turnBegins} and {@link #turnEnded} are called; the default is false,
   * which costs nothing. Called once, when the driver is made.
   */
  default boolean observesTurns() {
    return false;
  }

  /**
   * Reports that a turn begins, even if there was no choice; called inside another turn if that one
   * pauses.
   *
   * @param number from 1, without a gap
   * @param ready all actors that had work, including {@code actor}, in the order of their creation
   */
  default void turnBegins(long number, Actor actor, List<Actor> ready) {}

  /** Reports that a turn is over; a nested turn is reported before the turn that contains it. */
  default void turnEnded(Turn turn) {}
}
