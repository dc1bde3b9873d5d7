package dev.weblocks.agent;

import dev.weblocks.model.Limit;
import java.util.concurrent.Executor;

/**
 * A check that ends each agent of a user agent whose turn exceeds a limit. It runs on a thread of
 * the JDK, because the threads of the driver may all be occupied by such turns. Real time.
 */
final class TurnLimit {

  private static final Clock REAL_TIME = new SystemClock();

  /** The number of checks for each limit; a turn ends at most this fraction of the limit late. */
  private static final int CHECKS = 4;

  private final UserAgent userAgent;
  private final long limit;
  private final Executor later;

  /**
   * @param limit in nanoseconds, positive
   */
  TurnLimit(UserAgent userAgent, long limit) {
    this.userAgent = userAgent;
    this.limit = limit;
    this.later = userAgent.driver().delays().delayedExecutor(Math.max(1, limit / CHECKS));
  }

  /** Returns the time for a turn that begins now, see {@link Agent#turnBegan}. */
  static long now() {
    return REAL_TIME.nanoTime();
  }

  /** Checks all agents from now on until the user agent is closed. */
  void start() {
    later.execute(this::check);
  }

  private void check() {
    try {
      for (Agent agent : userAgent.agents()) {
        long began = agent.turnBegan();
        if (began != Actor.NEVER && now() - began > limit && !agent.isEnding()) {
          end(agent);
        }
      }
    } finally {
      if (!userAgent.isClosed()) {
        start();
      }
    }
  }

  private void end(Agent agent) {
    userAgent
        .reachedLimits()
        .end(
            agent,
            Limit.TURN_LIMIT,
            "a task takes longer than the limit of "
                + limit / 1_000_000
                + " ms; its agent ends, and its locks are released");
    if (agent.ownsContext() && !(userAgent.driver() instanceof ThreadPoolDriver)) {
      agent.cancelScript(); // the turn may occupy the only thread, which has to run the end
    }
  }
}
