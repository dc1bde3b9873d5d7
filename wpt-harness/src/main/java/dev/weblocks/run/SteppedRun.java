package dev.weblocks.run;

import dev.weblocks.embed.Driver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of a run under a deterministic driver, all on one thread, from its start to its
 * end.
 */
public final class SteppedRun implements AutoCloseable {

  /** Scripts that call themselves need room, as on the threads of other drivers. */
  static final long STACK_BYTES = 16L << 20;

  /** How long, in real time, the last step may take to end before its script is stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ScriptRun run;
  private final CountDownLatch over = new CountDownLatch(1);
  private final CompletableFuture<Void> rest = new CompletableFuture<>();
  private final AtomicLong steps = new AtomicLong();
  private final Thread thread;
  private volatile boolean outOfTime;

  private SteppedRun(
      ScriptRun run, Driver driver, @Nullable Duration limit, BooleanSupplier enough) {
    this.run = run;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-steps")
            .stackSize(STACK_BYTES)
            .unstarted(() -> steps(driver, limit, enough));
  }

  /** Starts a run, which this closes. */
  public static SteppedRun start(ScriptRun run, Driver deterministic) {
    return start(run, deterministic, null);
  }

  /**
   * Starts a run, which this closes.
   *
   * @param limit takes no step that is later, in virtual time; null for none
   */
  public static SteppedRun start(ScriptRun run, Driver deterministic, @Nullable Duration limit) {
    return start(run, deterministic, limit, () -> false);
  }

  /**
   * Starts a run, which this closes.
   *
   * @param limit as above
   * @param enough asked before each step, on the thread that takes it, whether to take no more
   */
  public static SteppedRun start(
      ScriptRun run, Driver deterministic, @Nullable Duration limit, BooleanSupplier enough) {
    SteppedRun stepped = new SteppedRun(run, deterministic, limit, enough);
    stepped.thread.start();
    return stepped;
  }

  private void steps(Driver driver, @Nullable Duration limit, BooleanSupplier enough) {
    try (run) {
      run.start();
      while (over.getCount() > 0
          && !enough.getAsBoolean()
          && (limit == null ? driver.runOne() : driver.runOne(limit))) {
        steps.incrementAndGet();
      }
      outOfTime =
          limit != null
              && !enough.getAsBoolean()
              && !run.quiescent().toCompletableFuture().isDone();
      rest.complete(null);
      over.await();
    } catch (InterruptedException | RuntimeException | Error failure) {
      rest.completeExceptionally(failure);
    }
  }

  /** Completes when nothing is left that could ever run, or run in time, or it was enough. */
  public CompletableFuture<Void> rest() {
    return rest;
  }

  /** Whether something is left that would run later; known when {@link #rest()} has completed. */
  public boolean isOutOfTime() {
    return outOfTime;
  }

  /** How many steps there have been. Any thread. */
  public long count() {
    return steps.get();
  }

  /** Ends the run after the step under way, or in it, should it take long; waits for that. */
  @Override
  public void close() {
    over.countDown();
    boolean interrupted = false;
    boolean cancelled = false;
    while (thread.isAlive()) {
      try {
        if (!thread.join(PATIENCE) && !cancelled) {
          run.cancelScripts();
          cancelled = true;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
