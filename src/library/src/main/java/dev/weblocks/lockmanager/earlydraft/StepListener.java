package dev.weblocks.lockmanager.earlydraft;

import java.util.List;

/** A listener for the commands of {@link ParallelSteps}, including those that are not queued. */
@FunctionalInterface
public interface StepListener {

  /**
   * Reports that a parallel step is about to be enqueued, on the enqueuing thread. Must not throw.
   */
  default void onBegin(Command command) {}

  /**
   * Reports that a command has run; its effects are delivered after this method has returned.
   * Called on the thread that ran it, one command after the other, so each cause is reported before
   * its consequences. If this method throws, the effects are still delivered.
   *
   * @param command the command; it has no effects if its client is not registered
   * @param transitions the transitions of requests, in order; unmodifiable
   * @param effects the effects for clients, in order; unmodifiable
   * @return the listener for the delivery of the effects, called on the same thread; other commands
   *     may run on other threads meanwhile
   */
  Delivery onStep(Command command, List<Transition> transitions, List<Effect> effects);

  /** A listener for the delivery of the effects of a command. Its methods must not throw. */
  interface Delivery {

    Delivery UNWATCHED = new Delivery() {};

    /**
     * Reports that a {@link Command.Proceed} was enqueued, because the command may have made
     * requests grantable.
     */
    default void onProceed(Command.Proceed begun) {}

    /**
     * Reports that an effect is about to be delivered; not called for {@link Effect.Unavailable}.
     */
    default void onDeliver(Effect effect) {}

    default void onEnd() {}
  }
}
