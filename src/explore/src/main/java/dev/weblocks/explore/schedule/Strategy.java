package dev.weblocks.explore.schedule;

import org.jspecify.annotations.Nullable;

/** A source of the schedules to run. Not thread-safe. */
public interface Strategy {

  /**
   * Returns a strategy that draws each choice uniformly; the same seed draws the same schedules.
   */
  static Strategy random(long seed) {
    return random(seed, Shard.WHOLE);
  }

  /** Returns the part of {@link #random(long)} for one machine: schedules by number, in turn. */
  static Strategy random(long seed, Shard shard) {
    return new RandomStrategy(seed, shard);
  }

  /**
   * Returns a strategy for probabilistic concurrency testing.
   *
   * @param depth depth of the bugs to find, at least 1
   * @see PctStrategy
   */
  static Strategy pct(long seed, int depth) {
    return pct(seed, depth, Shard.WHOLE);
  }

  /**
   * Returns a part of {@link #pct(long, int)} for one machine. The seeds of the schedules are those
   * of the whole; the steps with a priority change are drawn among those of its own longest run.
   */
  static Strategy pct(long seed, int depth, Shard shard) {
    return new PctStrategy(seed, depth, shard);
  }

  /**
   * Returns a strategy that runs all schedules. Of schedules that differ only in the order of
   * independent steps, it runs one.
   *
   * @param preemptions maximum number of preemptions in a schedule; negative for no limit
   * @see DfsStrategy
   */
  static Strategy depthFirst(int preemptions) {
    return depthFirst(preemptions, Shard.WHOLE);
  }

  /** Returns the part of {@link #depthFirst(int)} for one machine. */
  static Strategy depthFirst(int preemptions, Shard shard) {
    return new DfsStrategy(preemptions, shard);
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

  /** Returns whether the run evaluated last belongs to another shard, which counts it. */
  default boolean isForeign() {
    return false;
  }

  /**
   * Returns the number of a schedule among those of all shards; its own number if the shards have
   * no common order.
   *
   * @param nth its number in this shard, from 1
   */
  default long numberOf(long nth) {
    return nth;
  }

  /** Returns whether all schedules of this strategy have been run. */
  default boolean isExhausted() {
    return false;
  }
}
