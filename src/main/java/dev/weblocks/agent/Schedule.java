package dev.weblocks.agent;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Chooses which actor has the next turn under a {@link DeterministicDriver}. One that is a {@link
 * TurnListener} too is told of every turn.
 */
@FunctionalInterface
public interface Schedule {

  /**
   * Chooses among the actors that have work now. Called between turns, or inside one that pauses,
   * and only where there is a choice.
   *
   * @param ready at least two, in the order in which they were attached; the clock comes last, see
   *     {@link #choosesTime()}
   * @return the index of the one that has the next turn
   */
  int choose(List<Actor> ready);

  /**
   * Whether time may go on to the next timer while actors have work, as on a machine that is slow.
   * Then the clock is among those that are chosen from, under the name {@link
   * DeterministicDriver#CLOCK}, wherever a timer is left. Otherwise time goes on when nothing else
   * is left, and with the turns that take some. Asked once.
   */
  default boolean choosesTime() {
    return false;
  }

  /** Draws evenly; the same seed draws the same. */
  static Schedule random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return ready -> random.nextInt(ready.size());
  }
}
