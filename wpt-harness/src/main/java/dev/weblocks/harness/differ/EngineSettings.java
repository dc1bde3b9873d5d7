package dev.weblocks.harness.differ;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine.
 *
 * @param seed of the order of steps and of all random values, in virtual time; null for real time
 * @param jobs how many programs may run at once
 * @param round milliseconds of a quiet round; the main window reports after several, see {@code
 *     runtime.js}
 * @param limit real time after which a program counts as one that does not end
 */
public record EngineSettings(@Nullable Long seed, int jobs, int round, Duration limit) {

  /** Returns the same settings with longer rounds and a longer limit. */
  EngineSettings patient() {
    return new EngineSettings(seed, jobs, 10 * round, limit.multipliedBy(2));
  }

  /** Returns the address of the first document, from its path on. */
  public String address() {
    long rounds = Math.max(QUIET_ROUNDS, limit.toMillis() / Math.max(1, round));
    return ProgramFiles.INDEX
        + "?wait=%d&rounds=%d&limit=%d".formatted(round, QUIET_ROUNDS, rounds);
  }

  private static final int QUIET_ROUNDS = 4;
}
