package dev.weblocks.agent;

/**
 * Told of defects: a task of ours threw, which script can neither cause nor see. Called on the
 * event loop.
 */
@FunctionalInterface
public interface FailureListener {
  void onFailure(Agent agent, Task task, Throwable failure);
}
