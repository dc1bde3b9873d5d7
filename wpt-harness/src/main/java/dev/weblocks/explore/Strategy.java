package dev.weblocks.explore;

import org.jspecify.annotations.Nullable;

/** Chooses one schedule after the other. Not thread-safe. */
public interface Strategy {

  /** Draws each choice evenly; the same seed draws the same schedules. */
  static Strategy random(long seed) {
    return new RandomStrategy(seed);
  }

  /**
   * Probabilistic concurrency testing.
   *
   * @param depth of the bugs to be found, at least 1
   * @see PctStrategy
   */
  static Strategy pct(long seed, int depth) {
    return new PctStrategy(seed, depth);
  }

  /**
   * All schedules, but for those that are the same up to the order of independent steps.
   *
   * @param preemptions how many there may be in a schedule; negative for any number
   * @see DfsStrategy
   */
  static Strategy depthFirst(int preemptions) {
    return new DfsStrategy(preemptions);
  }

  /** The one schedule of a replay string. */
  static Strategy replay(Replay replay) {
    return new ReplayStrategy(replay);
  }

  /**
   * What chooses the next schedule; null if there is none left. Not while a run is under way that
   * it {@link #awaits}.
   */
  @Nullable Chooser next();

  /** Whether what comes next depends on the runs that are under way. */
  boolean awaits();

  /**
   * Is told of the run of the oldest schedule of which it was not told yet, if that was not
   * stopped.
   */
  void ran(Execution execution);

  /** Whether all schedules have been run that there are for this strategy. */
  boolean isExhausted();
}
