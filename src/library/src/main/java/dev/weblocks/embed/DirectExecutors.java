package dev.weblocks.embed;

import dev.weblocks.agent.Handover;
import java.util.Objects;
import java.util.concurrent.Executor;

/** The refusal of executors that run tasks on the submitting thread. */
final class DirectExecutors {

  private DirectExecutors() {}

  /**
   * Submits an empty task to an executor.
   *
   * @throws IllegalArgumentException if the executor runs the task on this thread at once
   */
  static void refuse(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    boolean accepted;
    try {
      accepted = Handover.submit(executor, () -> {});
    } catch (RuntimeException refused) {
      return; // its tasks are handled when there are any
    }
    if (!accepted) {
      throw new IllegalArgumentException(
          "the executor runs tasks on the submitting thread, where script or a lock step may be"
              + " running; use one with threads of its own");
    }
  }
}
