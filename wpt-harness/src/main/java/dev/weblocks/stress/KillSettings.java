package dev.weblocks.stress;

/**
 * What a killing run does.
 *
 * @param agents how many agents are to be killed, workers among them; positive
 * @param names for how many names they contend; positive
 * @param alive how many windows are alive at once at most; positive
 * @param seed of what each agent does and of the moments of death; with one thread of the driver
 *     alone, it repeats the run
 * @param threads of the pool, or 0 for the deterministic driver
 */
public record KillSettings(int agents, int names, int alive, long seed, int threads) {

  /** Checks the ranges. */
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

  /** Whether one thread runs everything in an order that the seed decides. */
  public boolean isDeterministic() {
    return threads == 0;
  }
}
