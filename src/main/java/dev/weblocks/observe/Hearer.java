package dev.weblocks.observe;

import dev.weblocks.lockmanager.message.LockTransition;

/** Hears of locks and agents. What it throws is logged and goes no further. */
public interface Hearer {

  /** As {@link dev.weblocks.lockmanager.LockWatcher#on} has it. */
  void on(LockTransition transition);

  /**
   * An agent has ended. On the thread on which it ends.
   *
   * @param agent its name
   * @param nanos for how long it lived, by the clock of the driver
   */
  void agentEnded(String agent, long nanos);
}
