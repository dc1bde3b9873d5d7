package dev.weblocks.agent;

import java.util.List;

/**
 * A listener for each turn under a {@link DeterministicDriver}, even if only one actor has work;
 * for the exploration of schedules. Called on the thread of the turns; must not run the driver.
 */
public interface TurnListener {

  /**
   * Called when a turn begins; inside another turn if that turn pauses.
   *
   * @param number the number of the turn, from 1, without gaps
   * @param actor the actor of the turn; for a turn that advances the clock, a placeholder with the
   *     name {@link DeterministicDriver#CLOCK}
   * @param ready all actors that had work, in the order in which they were attached, including
   *     {@code actor}
   */
  void begins(long number, Actor actor, List<Actor> ready);

  /** Called when a turn is over; of nested turns, the inner one first. */
  void ended(Turn turn);
}
