package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockEffect;
import java.util.List;

/** Watches the steps of a lock task queue. */
@FunctionalInterface
public interface LockTraceListener {

  /**
   * One step has run; its effects are delivered when this returns. Called on the thread that runs
   * the step, one step after the other, so a trace has each cause before its consequences. An
   * exception does not keep the effects from their clients; it leaves {@link
   * LockTaskQueue#runStep}.
   *
   * @param command the step; one from a client that is not registered has no effects
   * @param effects what it caused, in order; unmodifiable
   */
  void onStep(LockCommand command, List<LockEffect> effects);
}
