package dev.weblocks.lockmanager.earlydraft;

import java.util.List;

/** A listener for the commands of {@link ParallelSteps}, including those that are not queued. */
@FunctionalInterface
public interface StepListener {

  /** Reports a parallel step before it is enqueued, on the enqueuing thread. Must not throw. */
  default void onBegin(Command command) {}

  /**
   * Reports that a command has run; its effects are delivered after this method has returned.
   * Called on the thread that ran it, one command after the other, so each cause is reported before
   * its consequences. If this method throws, the effects are still delivered.
   *
   * @param command the command; it has no effects if its client is not registered
   * @param transitions the transitions of requests, in order; unmodifiable
   * @param effects the effects for clients, in order; unmodifiable
   * @return the listener for the delivery, called on the same thread; other threads may run
   *     commands during the delivery
   */
  Delivery onStep(Command command, List<Transition> transitions, List<Effect> effects);

  /** A listener for the delivery of the effects of a command. Its methods must not throw. */
  interface Delivery {

    Delivery UNWATCHED = new Delivery() {};

    /** Reports an enqueued {@link Command.Proceed}: requests may have become grantable. */
    default void onProceed(Command.Proceed begun) {}

    /** Reports an effect before its delivery; not called for {@link Effect.Unavailable}. */
    default void onDeliver(Effect effect) {}

    default void onEnd() {}
  }
}
