package dev.weblocks.harness.run;

import dev.weblocks.embed.DeterministicDriver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A run whose steps a deterministic driver takes on one thread, from start to end. */
public final class SteppedRun implements AutoCloseable {

  /** The stack size of the thread, the same as for drivers. Deeply recursive scripts need it. */
  static final long STACK_BYTES = 16L << 20;

  /** Maximum real time for the last step to end before its script is stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ScriptRun run;
  private final CountDownLatch over = new CountDownLatch(1);
  private final CompletableFuture<Void> rest = new CompletableFuture<>();
  private final AtomicLong steps = new AtomicLong();
  private final Thread thread;
  private volatile boolean outOfTime;

  private SteppedRun(
      ScriptRun run, DeterministicDriver driver, @Nullable Duration limit, BooleanSupplier enough) {
    this.run = run;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-steps")
            .stackSize(STACK_BYTES)
            .unstarted(() -> steps(driver, limit, enough));
  }

  /**
   * Starts a run. {@link #close()} also closes {@code run}.
   *
   * @param limit virtual time after which no step is taken; null for none
   * @param enough returns whether to stop; called before each step, on the thread that takes it
   */
  public static SteppedRun start(
      ScriptRun run,
      DeterministicDriver deterministic,
      @Nullable Duration limit,
      BooleanSupplier enough) {
    SteppedRun stepped = new SteppedRun(run, deterministic, limit, enough);
    stepped.thread.start();
    return stepped;
  }

  private void steps(DeterministicDriver driver, @Nullable Duration limit, BooleanSupplier enough) {
    try (run) {
      run.start();
      while (over.getCount() > 0
          && !enough.getAsBoolean()
          && (limit == null ? driver.runOne() : driver.runOneUntil(limit))) {
        steps.incrementAndGet();
      }
      outOfTime = limit != null && !enough.getAsBoolean() && !run.quiescent().isDone();
      rest.complete(null);
      over.await();
    } catch (InterruptedException | RuntimeException | Error failure) {
      rest.completeExceptionally(failure);
    }
  }

  /** Completes when no step is left in the virtual time limit, or {@code enough} stops the run. */
  public CompletableFuture<Void> rest() {
    return rest;
  }

  /**
   * Returns whether steps are left at the virtual time limit; valid once {@link #rest()} is done.
   */
  public boolean isOutOfTime() {
    return outOfTime;
  }

  /** Returns the number of steps so far. Thread-safe. */
  public long count() {
    return steps.get();
  }

  /** Ends the run and waits for its end. A step in progress is stopped if it takes too long. */
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
