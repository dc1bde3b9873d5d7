package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockTransition;

/**
 * Watches what becomes of requests and locks. Unlike a {@link LockTraceListener} it may look away:
 * a step that nobody watches costs one question.
 */
public interface LockWatcher {

  /** Whether it wants to be told of the step that is about to run; on the thread that runs it. */
  boolean isWatching();

  /**
   * One step in the life of a request. Called on the thread that runs the step of the queue, one
   * call at a time, after that step and before its effects reach their clients, so that each cause
   * comes before its consequences. An exception does not keep the effects from their clients; it
   * leaves {@link LockTaskQueue#runStep}.
   */
  void on(LockTransition transition);

  /**
   * A step that was watched has run, and all its transitions were told; its effects have not
   * reached their clients. The same rules hold.
   *
   * @param command what it was
   * @param queue in the state that the step has left
   */
  default void stepHasRun(LockCommand command, LockService queue) {}
}
