package dev.weblocks.embed;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

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
    Thread submitting = Thread.currentThread();
    AtomicBoolean submitted = new AtomicBoolean();
    AtomicBoolean ranHere = new AtomicBoolean();
    try {
      executor.execute(() -> {
        if (Thread.currentThread() == submitting && !submitted.get()) {
          ranHere.set(true);
        }
      });
    } catch (RuntimeException refused) {
      // its tasks are handled when there are any
    }
    submitted.set(true);
    if (ranHere.get()) {
      throw new IllegalArgumentException(
          "the executor runs tasks on the submitting thread, where script or a lock step may be"
              + " running; use one with threads of its own");
    }
  }
}
