package dev.weblocks.explore.schedule;

import org.jspecify.annotations.Nullable;

/** A source of the schedules to run. Not thread-safe. */
public interface Strategy {

  /**
   * Returns a strategy that draws each choice uniformly; the same seed draws the same schedules.
   */
  static Strategy random(long seed) {
    return new RandomStrategy(seed);
  }

  /**
   * Returns a strategy for probabilistic concurrency testing.
   *
   * @param depth depth of the bugs to find, at least 1
   * @see PctStrategy
   */
  static Strategy pct(long seed, int depth) {
    return new PctStrategy(seed, depth);
  }

  /**
   * Returns a strategy that runs all schedules. Of schedules that differ only in the order of
   * independent steps, it runs one.
   *
   * @param preemptions maximum number of preemptions in a schedule; negative for no limit
   * @see DfsStrategy
   */
  static Strategy depthFirst(int preemptions) {
    return new DfsStrategy(preemptions);
  }

  /** Returns a strategy with the one schedule of a replay string. */
  static Strategy replay(Replay replay) {
    return new ReplayStrategy(replay);
  }

  /**
   * Returns the chooser of the next schedule; null if there is none left. Must not be called during
   * a run if {@link #awaits} returns true.
   */
  @Nullable Chooser next();

  /** Returns whether the next schedule depends on the runs in progress. */
  default boolean awaits() {
    return false;
  }

  /** Evaluates a run. Called for each run that was not stopped, in the order of the schedules. */
  default void ran(Execution execution) {}

  /** Returns whether all schedules of this strategy have been run. */
  default boolean isExhausted() {
    return false;
  }
}
