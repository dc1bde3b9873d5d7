package dev.weblocks.lockmanager.earlydraft;

import java.util.List;

/** Watches the commands of the {@link ParallelSteps}, those that run at once among them. */
@FunctionalInterface
public interface StepListener {

  /** A parallel step is about to be begun, on the thread that begins it. Must not throw. */
  default void onBegin(Command command) {}

  /**
   * One command has run; its effects are delivered when this returns. Called on the thread that ran
   * it, one command after the other, so who listens has each cause before its consequences. An
   * exception does not keep the effects from their clients.
   *
   * @param command the command; one from a client that is not registered has no effects
   * @param transitions what has become of requests, in order; unmodifiable
   * @param effects what clients are told, in order; unmodifiable
   * @return what is told of the rest, on the same thread, while other commands may run on others
   */
  Delivery onStep(Command command, List<Transition> transitions, List<Effect> effects);

  /** What comes after a command. Nothing of it may throw. */
  interface Delivery {

    /** For who is not interested. */
    Delivery UNWATCHED = new Delivery() {};

    /** The command has left requests that may go on: this step has been begun for them. */
    default void onProceed(Command.Proceed begun) {}

    /** An effect is about to be delivered; one that is told to who asked never is. */
    default void onDeliver(Effect effect) {}

    /** All effects are delivered. */
    default void onEnd() {}
  }
}
