package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Closes contexts and engines within a time limit. The engine has no such limit: it waits for
 * script that is in an operation without cancellation points, or for a lock that script has leaked.
 * So each close takes place on a thread of its own, which is given up after the limit.
 */
public final class ContextCloser {

  private ContextCloser() {}

  /**
   * Runs a close on another thread and waits for it; on this thread if there is no memory for
   * another one. The close may continue after this returns.
   *
   * @param nanos the maximum real time to wait
   * @return false if the limit was reached
   */
  public static boolean close(Runnable close, String name, long nanos) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    try {
      Thread thread =
          new Thread(
              () -> {
                try {
                  close.run();
                  closed.complete(null);
                } catch (RuntimeException | Error failure) {
                  closed.completeExceptionally(failure);
                }
              },
              "weblocks-closer-of-" + name);
      thread.setDaemon(true);
      thread.start();
    } catch (OutOfMemoryError noThread) {
      close.run();
      return true;
    }
    return await(closed, nanos);
  }

  private static boolean await(CompletableFuture<Void> closed, long nanos) {
    Clock clock = new SystemClock();
    long deadline = clock.after(nanos);
    boolean interrupted = false;
    try {
      while (true) { // an interruption does not end the wait
        try {
          closed.get(deadline - clock.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(failed); // close() has no others
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
