package dev.weblocks.run;

import dev.weblocks.embed.Driver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Takes the steps of a run under a deterministic driver, all on one thread, from its start to its
 * end.
 */
public final class SteppedRun implements AutoCloseable {

  private final CountDownLatch over = new CountDownLatch(1);
  private final CompletableFuture<Void> rest = new CompletableFuture<>();
  private final Thread thread;

  private SteppedRun(ScriptRun run, Driver driver) {
    // scripts that call themselves need room, as on the threads of other drivers
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-steps")
            .stackSize(16L << 20)
            .unstarted(() -> steps(run, driver));
  }

  /** Starts a run, which this closes. */
  public static SteppedRun start(ScriptRun run, Driver deterministic) {
    SteppedRun stepped = new SteppedRun(run, deterministic);
    stepped.thread.start();
    return stepped;
  }

  private void steps(ScriptRun run, Driver driver) {
    try (run) {
      run.start();
      while (over.getCount() > 0 && driver.runOne()) {
        // each is one step
      }
      rest.complete(null);
      over.await();
    } catch (InterruptedException | RuntimeException | Error failure) {
      rest.completeExceptionally(failure);
    }
  }

  /** Completes when nothing is left that could ever run. */
  public CompletableFuture<Void> rest() {
    return rest;
  }

  /** Ends the run after the step under way; waits for that. */
  @Override
  public void close() {
    over.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
