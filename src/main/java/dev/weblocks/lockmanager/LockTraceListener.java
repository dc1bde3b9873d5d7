package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockTransition;
import java.util.List;

/** Watches the steps of a lock task queue. */
@FunctionalInterface
public interface LockTraceListener {

  /** A client was registered, on the thread that registers it. Must not throw. */
  default void onRegister(RegisterClient client) {}

  /** A step is about to be enqueued, on the thread that asks for it. Must not throw. */
  default void onEnqueue(LockCommand command) {}

  /**
   * One step has run; its effects are delivered when this returns. Called on the thread that runs
   * the step, one step after the other, so a trace has each cause before its consequences. An
   * exception does not keep the effects from their clients; it leaves {@link
   * LockTaskQueue#runStep}.
   *
   * @param command the step; one from a client that is not registered has no effects
   * @param transitions what has become of requests, in order; unmodifiable
   * @param effects what clients are told, in order; unmodifiable
   */
  void onStep(LockCommand command, List<LockTransition> transitions, List<LockEffect> effects);

  /** An effect of the last step is about to be delivered, on the same thread. Must not throw. */
  default void onDeliver(LockEffect effect) {}

  /** All effects of the last step are delivered; on the same thread. Must not throw. */
  default void onEnd() {}
}
