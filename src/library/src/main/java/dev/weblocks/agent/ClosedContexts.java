package dev.weblocks.agent;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A check that ends agents whose context the embedder has closed outside of a turn. The engine does
 * not report this, and such agents would keep their locks until their next turn, which may never
 * come. It runs twice a second in real time, on a thread of the JDK, because the threads of the
 * driver may all be occupied, and a caller-driven driver has none.
 */
final class ClosedContexts {

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final UserAgent userAgent;
  private final Executor later;

  /** Whether a check is scheduled. Guarded by this. */
  private boolean scheduled;

  ClosedContexts(UserAgent userAgent) {
    this.userAgent = userAgent;
    this.later = userAgent.driver().delays().delayedExecutor(INTERVAL_NANOS);
  }

  /** Checks from now on, while the user agent has an agent in a context of the embedder. */
  synchronized void start() {
    if (!scheduled) {
      scheduled = true;
      later.execute(this::check);
    }
  }

  private void check() {
    try {
      userAgent.endAgentsOfClosedContexts();
    } finally {
      synchronized (this) {
        scheduled = false;
        if (userAgent.hasAgentInEmbedderContext()) {
          start();
        }
      }
    }
  }
}
