package dev.weblocks.agent;

import java.util.concurrent.TimeUnit;

/**
 * Ends agents whose borrowed context was closed while nothing ran there: nobody tells of that, and
 * their locks would stay with them until a turn is due. Looks now and then, in real time, and stops
 * nobody by that.
 */
final class ClosedContexts implements Actor {

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final UserAgent userAgent;

  /** Of the lane's turns, and of whoever asks between them. */
  private volatile long next;

  ClosedContexts(UserAgent userAgent) {
    this.userAgent = userAgent;
    this.next = userAgent.driver().clock().nanoTime() + INTERVAL_NANOS;
  }

  @Override
  public String name() {
    return "closed contexts";
  }

  @Override
  public boolean runTurn() {
    long now = userAgent.driver().clock().nanoTime();
    if (now >= next) {
      next = now + INTERVAL_NANOS;
      for (Agent agent : userAgent.agents()) {
        if (agent.isContextClosed()) {
          agent.terminate();
        }
      }
    }
    return false;
  }

  @Override
  public boolean hasWork() {
    return false;
  }

  @Override
  public long nextDeadline() {
    return userAgent.hasBorrowingAgent() ? next : NEVER;
  }
}
