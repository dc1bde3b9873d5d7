package dev.weblocks.agent;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A strategy that chooses the next actor under a {@link DeterministicDriver}. A schedule that is
 * also a {@link TurnListener} is called for every turn.
 */
@FunctionalInterface
public interface Schedule {

  /**
   * Chooses among the actors that have work now. Called between turns, or inside one that pauses,
   * and only where there is a choice.
   *
   * @param ready at least two actors, in the order in which they were attached; the clock comes
   *     last, see {@link #choosesTime()}
   * @return the index of the actor that runs the next turn
   */
  int choose(List<Actor> ready);

  /**
   * Returns whether time may advance to the next timer while actors have work, as on a slow
   * machine. If so, the clock is among the choices whenever a timer is pending, under the name
   * {@link DeterministicDriver#CLOCK}. Otherwise time advances to a timer only when no actor has
   * work, although turns may take time, too. Called once.
   */
  default boolean choosesTime() {
    return false;
  }

  /** Returns a schedule that chooses uniformly at random; the same seed makes the same choices. */
  static Schedule random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return ready -> random.nextInt(ready.size());
  }
}
