package dev.weblocks.agent;

import java.util.concurrent.TimeUnit;

/**
 * A poller that ends agents whose context the embedder has closed outside of a turn. The engine
 * does not report this, so this actor checks twice a second in real time. Otherwise such agents
 * would keep their locks until their next turn, which may never come.
 */
final class ClosedContexts implements Actor {

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final UserAgent userAgent;

  /** The time of the next check. Written only in turns of this actor. */
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
  public long nextDeadline() {
    return userAgent.hasAgentInEmbedderContext() ? next : NEVER;
  }
}
