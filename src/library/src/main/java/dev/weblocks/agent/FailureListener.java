package dev.weblocks.agent;

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
   * @param where the task or member that failed
   */
  void onFailure(Agent agent, String where, Throwable failure);
}
