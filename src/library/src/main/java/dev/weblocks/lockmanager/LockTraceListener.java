package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockTransition;
import java.util.List;

/** A listener for the steps of a lock task queue. */
@FunctionalInterface
public interface LockTraceListener {

  /** Reports that a client was registered, on the thread that registers it. Must not throw. */
  default void onRegister(RegisterClient client) {}

  /** Reports that a step is about to be enqueued, on the enqueuing thread. Must not throw. */
  default void onEnqueue(LockCommand command) {}

  /**
   * Reports that a step has run; its effects are delivered after this method has returned. Called
   * on the thread that runs the step, one step after the other, so a trace has each cause before
   * its consequences. If this method throws, the effects are still delivered, and {@link
   * LockTaskQueue#runStep} throws the exception.
   *
   * @param command the step; it has no effects if its client is not registered
   * @param transitions the transitions of requests, in order; unmodifiable
   * @param effects the effects for clients, in order; unmodifiable
   */
  void onStep(LockCommand command, List<LockTransition> transitions, List<LockEffect> effects);

  /**
   * Reports that an effect of the last step is about to be delivered, on the same thread. Must not
   * throw.
   */
  default void onDeliver(LockEffect effect) {}

  /**
   * Reports that all effects of the last step have been delivered, on the same thread. Must not
   * throw.
   */
  default void onEnd() {}
}
