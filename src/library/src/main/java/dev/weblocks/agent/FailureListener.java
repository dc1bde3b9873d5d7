package dev.weblocks.agent;

/**
 * A listener for defects: exceptions of Weblocks itself that must not occur. Called on the event
 * loop, or on the thread on which an agent ends.
 */
@FunctionalInterface
public interface FailureListener {
  /**
   * Called for one defect.
   *
   * @param where the task or member that failed
   */
  void onFailure(Agent agent, String where, Throwable failure);
}
