package dev.weblocks.cluster.session;

import dev.weblocks.locks.RemoteLocks;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps a user agent from being idle while its commands wait for answers. */
final class Activity {

  private final RemoteLocks.Connection connection;

  /** Guarded by the monitor of the owner. */
  private boolean isBusy;

  /** How often {@link RemoteLocks.Connection#endActivity} is due. */
  private final AtomicInteger ends = new AtomicInteger();

  Activity(RemoteLocks.Connection connection) {
    this.connection = connection;
  }

  /** Begins, unless it has begun. Called under the monitor of the owner. */
  void begin() {
    if (!isBusy) {
      isBusy = true;
      connection.beginActivity();
    }
  }

  /** Notes the end, if it has begun. Called under the monitor of the owner. */
  void end() {
    if (isBusy) {
      isBusy = false;
      ends.incrementAndGet();
    }
  }

  /** Reports the ends, whose dependents run on this thread. Called without the monitor. */
  void reportEnds() {
    while (ends.getAndUpdate(due -> Math.max(0, due - 1)) > 0) {
      connection.endActivity();
    }
  }
}
