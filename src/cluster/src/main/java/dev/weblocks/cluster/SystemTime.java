package dev.weblocks.cluster;

import dev.weblocks.cluster.session.ClusterTime;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The clocks of the machine, and a timer with a thread of its own. */
final class SystemTime implements ClusterTime, AutoCloseable {

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("weblocks-cluster-timer").factory());

  SystemTime() {
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public void after(long nanos, Runnable action) {
    try {
      timer.schedule(action, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException isClosed) {
      // the cluster was closed, and nothing has to be repeated
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
