package dev.weblocks.cluster.ratis;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a member opens its connections to the others anew: while none leads. gRPC waits
 * longer after each failed attempt to connect, up to two minutes, and Ratis ends that wait only
 * while it leads. So two members that could elect a leader would not reach each other for seconds.
 * For one thread.
 */
final class Reconnection {

  /** An election is over sooner if a majority is reached. */
  static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** On a slow machine, a connection with TLS takes longer than the first time. */
  static final long MOST_NANOS = 4 * FIRST_NANOS;

  private boolean hasLeader = true;
  private long since;
  private long wait = FIRST_NANOS;

  /**
   * Returns whether to open them now.
   *
   * @param hasLeader whether the member leads or knows the leader
   */
  boolean isDue(boolean hasLeader, long nanoTime) {
    if (hasLeader || this.hasLeader) {
      this.hasLeader = hasLeader;
      since = nanoTime;
      wait = FIRST_NANOS;
      return false;
    }
    if (nanoTime - since < wait) {
      return false;
    }
    since = nanoTime;
    wait = Math.min(2 * wait, MOST_NANOS);
    return true;
  }
}
