package dev.weblocks.agent;

import org.graalvm.polyglot.PolyglotException;

/**
 * A check for internal errors of the engine. If one leaves a promise job, the engine drops all
 * other jobs of the context: then promises never settle, and locks are never released.
 */
public final class EngineFailure {

  /** The maximum number of causes to follow, as they may form a cycle. */
  private static final int MAX_CAUSES = 100;

  private EngineFailure() {}

  /** Returns whether a failure is an internal error of the engine, or was caused by one. */
  public static boolean isCauseOf(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof PolyglotException thrown && thrown.isInternalError()) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
