package dev.weblocks.observe;

import dev.weblocks.lockmanager.message.LockTransition;

/** A listener for locks and agents. Its exceptions are logged and not propagated. */
public interface ObservationListener {

  /** Called with each transition, as {@link dev.weblocks.lockmanager.LockWatcher#on} specifies. */
  void on(LockTransition transition);

  /**
   * Called when an agent has ended, on the thread on which it ends.
   *
   * @param nanos the lifetime of the agent, by the clock of the driver
   */
  void agentEnded(String agent, long nanos);
}
