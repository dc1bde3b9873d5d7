package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    try {
      closed.orTimeout(nanos, TimeUnit.NANOSECONDS).join(); // not get(), which an interruption ends
      return true;
    } catch (CompletionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof TimeoutException) {
        return false;
      }
      if (cause instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (cause instanceof Error thrown) {
        throw thrown;
      }
      throw failed; // close() has no other exceptions
    }
  }
}
