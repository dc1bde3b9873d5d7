package dev.weblocks.agent;

/**
 * Told of defects: code of ours threw what it must not throw. Called on the event loop, or on the
 * thread on which an agent ends.
 */
@FunctionalInterface
public interface FailureListener {
  /**
   * Takes one defect.
   *
   * @param where the task or member that failed
   */
  void onFailure(Agent agent, String where, Throwable failure);
}
