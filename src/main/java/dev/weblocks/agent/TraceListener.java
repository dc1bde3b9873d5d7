package dev.weblocks.agent;

/**
 * A listener for the steps of a user agent. Called on the thread that takes the step; must not call
 * back.
 */
@FunctionalInterface
public interface TraceListener {

  /** The kind of a step. */
  enum Kind {
    /** A task of an event loop begins. */
    TASK,
    /** The outermost call into a context has returned: its microtasks have run. */
    CHECKPOINT,
    /** A step of the lock task queue has run. */
    LOCK_STEP,
    /** A change by a step of the lock task queue that is reported to no client. */
    LOCK_CHANGE,
    /** An effect of a step of the lock task queue. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }

  /**
   * Called for each step. Of steps on several threads, one with a higher id may come first; a cause
   * never comes after its effect.
   */
  void on(TraceStep step);

  /**
   * Called when a task, or a step of a queue, is over, on the thread that ran it.
   *
   * @param id the id of the step that it began with
   * @param nanos the time, by the clock of the driver
   */
  default void ended(long id, long nanos) {}
}
