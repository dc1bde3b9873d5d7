package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.Timers;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A detector of endless steps in virtual time. It checks periodically, in real time, whether a step
 * was taken. The period is the run's time limit, but long enough for a slow machine's first step.
 */
final class StepGuard implements Timers.Timer {

  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(5);

  private final Timers timers;
  private final @Nullable Duration patience;
  private final LongSupplier steps;
  private final Runnable onStuck;

  // guarded by this
  private long seen = -1;
  private boolean cancelled;
  private Timers.Timer next = () -> {};

  /**
   * Begins to check.
   *
   * @param limit time limit of the run; null to check nothing
   * @param onStuck called if there was no step within a period
   */
  StepGuard(Timers timers, @Nullable Duration limit, LongSupplier steps, Runnable onStuck) {
    this.timers = timers;
    this.patience = limit == null || isLong(limit) ? limit : LEAST_PATIENCE;
    this.steps = steps;
    this.onStuck = onStuck;
    look();
  }

  private static boolean isLong(Duration limit) {
    return limit.compareTo(LEAST_PATIENCE) >= 0;
  }

  /** Returns the maximum time of a step as text; {@code text} is the limit as typed by the user. */
  static String patience(Duration limit, String text) {
    return isLong(limit) ? text : LEAST_PATIENCE.toSeconds() + " s";
  }

  private synchronized void look() {
    if (patience == null || cancelled) {
      return;
    }
    long now = steps.getAsLong();
    if (now == seen) {
      onStuck.run();
      return;
    }
    seen = now;
    next = timers.schedule(patience, this::look);
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    next.cancel();
  }
}
