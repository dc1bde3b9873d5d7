package dev.weblocks.agent;

import java.util.List;
import java.util.SplittableRandom;

/** Chooses which actor has the next turn under a {@link DeterministicDriver}. */
@FunctionalInterface
public interface Schedule {

  /**
   * Chooses among the actors that have work now. Called between turns, or inside one that pauses,
   * and only where there is a choice.
   *
   * @param ready at least two, in the order in which they were attached
   * @return the index of the one that has the next turn
   */
  int choose(List<Actor> ready);

  /** Draws evenly; the same seed draws the same. */
  static Schedule random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return ready -> random.nextInt(ready.size());
  }
}
