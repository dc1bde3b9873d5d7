package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockTransition;

/** A watcher of the transitions of requests and locks. It may skip steps. */
public interface LockWatcher {

  /** Returns whether to report the step that has just run. Called on the thread that ran it. */
  default boolean isWatching() {
    return true;
  }

  /**
   * Reports a transition of a request. Called on the thread that runs the step of the queue, one
   * call at a time. The call comes after that step and before its effects reach their clients, so
   * that causes precede consequences. If this method throws, the user agent ends.
   */
  void on(LockTransition transition);

  /**
   * Reports that a watched step has run and all its transitions were reported. Its effects have not
   * reached their clients yet. The rules of {@link #on} apply.
   *
   * @param command the command of the step
   * @param queue the service, in the state after the step
   */
  default void stepHasRun(LockCommand command, LockService queue) {}
}
