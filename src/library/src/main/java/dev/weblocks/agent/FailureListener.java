package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * A listener for defects: exceptions of Weblocks itself that must not occur. It also gets {@link
 * LimitExceeded}, interruptions of script by the embedder, and exceptions of script that have left
 * a turn. Called on the event loop, or on the thread on which an agent ends.
 */
@FunctionalInterface
public interface FailureListener {
  /**
   * Called for one failure.
   *
   * @param agent the agent that failed; null if the user agent ends, as memory was exhausted where
   *     nothing may be left half done
   * @param where the task or member that failed
   */
  void onFailure(@Nullable Agent agent, String where, Throwable failure);
}
