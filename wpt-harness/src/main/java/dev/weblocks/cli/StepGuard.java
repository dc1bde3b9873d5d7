package dev.weblocks.cli;

import dev.weblocks.wpt.Timers;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Looks, each time that a limit of virtual time is over in real time, whether steps end. */
final class StepGuard implements Timers.Timer {

  private final Timers timers;
  private final @Nullable Duration limit;
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
    this.limit = limit;
    this.steps = steps;
    this.onStuck = onStuck;
    look();
  }

  private synchronized void look() {
    if (limit == null || cancelled) {
      return;
    }
    long now = steps.getAsLong();
    if (now == seen) {
      onStuck.run();
      return;
    }
    seen = now;
    next = timers.schedule(limit, this::look);
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    next.cancel();
  }
}
