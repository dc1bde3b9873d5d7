package dev.weblocks.harness.stress;

/**
 * The settings of a kill run.
 *
 * @param agents number of agents to kill, including workers; positive
 * @param names number of lock names that agents contend for; positive
 * @param alive maximum number of windows alive at once; positive
 * @param seed seed of the actions of agents and the times of kills; with the deterministic driver,
 *     the same seed repeats the same run
 * @param threads number of threads of the pool; 0 for the deterministic driver
 */
public record KillSettings(int agents, int names, int alive, long seed, int threads) {

  /** Checks the ranges of the numbers. */
  public KillSettings {
    requirePositive("agents", agents);
    requirePositive("names", names);
    requirePositive("alive", alive);
    if (threads < 0) {
      throw new IllegalArgumentException("threads is " + threads + "; it must not be negative");
    }
  }

  private static void requirePositive(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be at least 1");
    }
  }

  /** Returns whether one thread runs all steps, in an order determined by the seed. */
  public boolean isDeterministic() {
    return threads == 0;
  }
}
