package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Delays in real time, on a daemon thread that ends a second after the last delay. {@link
 * CompletableFuture} has such methods, but on a thread of the JDK that never ends. That thread
 * keeps the context class loader of the first caller, and so an application that was undeployed.
 * Thread-safe.
 */
public final class RealTimeDelays {

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, RealTimeDelays::newThread);

  public RealTimeDelays() {
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Creates a thread that inherits nothing from the caller, which may belong to an application. */
  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(null, work, "weblocks-delays", 0, /* inheritThreadLocals= */ false);
    thread.setDaemon(true);
    thread.setContextClassLoader(RealTimeDelays.class.getClassLoader());
    return thread;
  }

  /**
   * Completes a future with a {@link TimeoutException} after a delay, unless it is done before.
   *
   * @return the same future
   */
  public <T extends @Nullable Object> CompletableFuture<T> orTimeout(
      CompletableFuture<T> future, long nanos) {
    return after(nanos, future, () -> future.completeExceptionally(new TimeoutException()));
  }

  /** Completes a future with null after a delay, unless it is done before. */
  CompletableFuture<@Nullable Void> completeOnTimeout(
      CompletableFuture<@Nullable Void> future, long nanos) {
    return after(nanos, future, () -> future.complete(null));
  }

  private <T extends @Nullable Object> CompletableFuture<T> after(
      long nanos, CompletableFuture<T> future, Runnable steps) {
    if (!future.isDone()) {
      Future<?> delay = timer.schedule(steps, nanos, TimeUnit.NANOSECONDS);
      future.whenComplete((value, failure) -> delay.cancel(false));
    }
    return future;
  }

  /** Returns an executor that passes each action to another executor after a delay. */
  Executor delayedExecutor(long nanos, Executor executor) {
    return action -> {
      Future<?> unused =
          timer.schedule(() -> executor.execute(action), nanos, TimeUnit.NANOSECONDS);
    };
  }

  /** Returns an executor that runs each action after a delay, on a thread of the JDK. */
  Executor delayedExecutor(long nanos) {
    return delayedExecutor(nanos, new CompletableFuture<Void>().defaultExecutor());
  }
}
