package dev.weblocks.cluster.session;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a session on the side of its user agent: valid for nine tenths of the full lease,
 * counted from when the last answered message was sent. So it ends before the cluster expires the
 * session, if both clocks run at the same speed within a tenth.
 *
 * <p>Written under the monitor of its owner; read on any thread.
 */
final class Lease {

  /** The lead of the time of day over the monotonic clock from which on it counts as a jump. */
  private static final long JUMP_MILLIS = 1_000;

  private final ClusterTime time;
  private final long nanos;

  private volatile long end;

  /** The times at which the last answered message was sent, by both clocks. */
  private volatile long sentNanos;

  private volatile long sentWall;

  /** Why the lease was cut; null if it was not. */
  private volatile @Nullable String cutBecause;

  Lease(ClusterTime time, long nanos) {
    this.time = time;
    this.nanos = nanos;
  }

  /** Begins a lease with the message that opened the session; it is over if it was cut before. */
  void begin(long sent, long wall) {
    sentNanos = sent;
    sentWall = wall;
    if (cutBecause == null) {
      end = sent + nanos / 10 * 9;
    }
  }

  /**
   * Renews the lease after an answer; returns false if it was {@linkplain #cut cut}, or a later
   * message was answered before.
   */
  boolean renew(long sent, long wall) {
    if (cutBecause != null || sent - sentNanos <= 0) {
      return false;
    }
    begin(sent, wall);
    return true;
  }

  /** Ends the lease now, and until {@link #reset}. */
  void cut(String reason) {
    cutBecause = reason;
    end = time.nanoTime();
  }

  /** Permits the next session to begin a lease. */
  void reset() {
    cutBecause = null;
  }

  /** Returns why the lease is over, if it is. */
  String whyOver() {
    String reason = cutBecause;
    return reason == null ? "the cluster has not answered for as long as the lease" : reason;
  }

  long leftNanos() {
    return end - time.nanoTime();
  }

  boolean isOver() {
    return leftNanos() <= 0;
  }

  /** Returns whether no message that was sent within a third of the lease was answered. */
  boolean isSilent() {
    return time.nanoTime() - sentNanos > nanos / 3;
  }

  /** Returns whether the last answered message was sent so lately that another one can wait. */
  boolean isFresh() {
    return time.nanoTime() - sentNanos < nanos / 32;
  }

  /** Returns whether an answer to a message that was sent since the given time has arrived. */
  boolean isRenewedSince(long nanoTime) {
    return sentNanos - nanoTime >= 0;
  }

  /**
   * Returns whether the lease is over by the time of day alone, which has jumped ahead: the machine
   * may have slept for longer than the monotonic clock shows.
   */
  boolean isInDoubt() {
    long wall = time.wallMillis() - sentWall;
    long valid = TimeUnit.NANOSECONDS.toMillis(end - sentNanos);
    return wall > valid
        && wall - TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - sentNanos) > JUMP_MILLIS;
  }
}
