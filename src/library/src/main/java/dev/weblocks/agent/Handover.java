package dev.weblocks.agent;

import java.util.concurrent.Executor;

/** A submission of a task to an executor, which must not run it on the submitting thread. */
public final class Handover implements Runnable {

  private final Runnable task;
  private final Thread submitter = Thread.currentThread();

  // submitting thread only
  private boolean submitted;
  private boolean ranHere;

  private Handover(Runnable task) {
    this.task = task;
  }

  /**
   * Submits a task. Script or a lock step may be on the stack of this thread, so the task does
   * nothing if the executor runs it here at once.
   *
   * @return false if the executor ran the task on this thread before it returned or threw
   */
  public static boolean submit(Executor executor, Runnable task) {
    Handover handover = new Handover(task);
    try {
      executor.execute(handover);
    } catch (RuntimeException | Error failure) {
      if (!handover.ranHere) {
        throw failure;
      }
    } finally {
      handover.submitted = true;
    }
    return !handover.ranHere;
  }

  @Override
  public void run() {
    if (Thread.currentThread() == submitter && !submitted) {
      ranHere = true;
    } else {
      task.run();
    }
  }
}
