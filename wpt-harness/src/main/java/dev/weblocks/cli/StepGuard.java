package dev.weblocks.cli;

import dev.weblocks.wpt.Timers;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks, each time that a limit of virtual time is over in real time, whether steps end. Not more
 * often than a slow machine needs for its first step.
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
   * Begins to look.
   *
   * @param limit null for no look at all
   * @param steps how many there have been
   * @param onStuck what to do when there was none for so long
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

  /**
   * How long a step may take, for people.
   *
   * @param text how the user has typed the limit
   */
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
