package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Entry.CloseSession;
import java.util.concurrent.TimeUnit;

/**
 * The end of a session by its user agent, sent until it is answered. If it is never answered, the
 * session expires. Thread-safe.
 */
final class Leave {

  private static final int ATTEMPTS = 20;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ReplicatedLog log;
  private final ClusterTime time;
  private final CloseSession close;
  private volatile boolean over;

  private Leave(ReplicatedLog log, ClusterTime time, CloseSession close) {
    this.log = log;
    this.time = time;
    this.close = close;
  }

  /** Begins to send the end of a session. */
  static Leave send(ReplicatedLog log, ClusterTime time, CloseSession close) {
    Leave leave = new Leave(log, time, close);
    leave.attempt(ATTEMPTS);
    return leave;
  }

  /**
   * Returns an action that ends a lost session, whose lease a new leader counts anew. Turns that
   * believe in its locks have a tenth of the lease to end, as when the cluster ends it.
   */
  static Runnable afterLoss(
      ReplicatedLog log, ClusterTime time, CloseSession close, long leaseNanos) {
    long earliest = time.nanoTime() + leaseNanos / 10;
    return () -> time.after(Math.max(0, earliest - time.nanoTime()), () -> send(log, time, close));
  }

  private void attempt(int attempts) {
    var unused =
        log.append(close)
            .whenComplete((reply, failure) -> {
              if (failure == null || attempts == 1) {
                over = true;
              } else {
                time.after(RETRY_NANOS, () -> attempt(attempts - 1));
              }
            });
  }

  /** Returns whether the end was answered, or is given up. */
  boolean isOver() {
    return over;
  }
}
