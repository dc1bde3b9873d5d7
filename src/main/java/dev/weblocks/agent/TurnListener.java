package dev.weblocks.agent;

import java.util.List;

/**
 * Is told of each turn under a {@link DeterministicDriver}, those without a choice too: for who
 * searches among schedules. On the thread of the turns; must not run the driver.
 */
public interface TurnListener {

  /**
   * A turn begins. Inside another one if that one pauses.
   *
   * @param number from 1, without a gap
   * @param actor whose turn it is; the clock where time goes on, see {@link
   *     DeterministicDriver#CLOCK}
   * @param ready all that had work, in the order in which they were attached, {@code actor} among
   *     them
   */
  void begins(long number, Actor actor, List<Actor> ready);

  /** A turn is over; of turns inside one another, the inner one first. */
  void ended(Turn turn);
}
