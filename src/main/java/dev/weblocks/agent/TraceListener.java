package dev.weblocks.agent;

/**
 * Sees every step that a user agent takes. Called on the thread that takes the step; must not call
 * back.
 */
@FunctionalInterface
public interface TraceListener {

  /** What happened. */
  enum Kind {
    /** A task of an event loop begins. */
    TASK,
    /** The outermost call into a context has returned: its microtasks have run. */
    CHECKPOINT,
    /** A step of the lock task queue has run. */
    LOCK_STEP,
    /** What a step of the lock task queue has changed and tells nobody. */
    LOCK_CHANGE,
    /** An effect of a step of the lock task queue. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }

  /**
   * Takes one step. Of steps on several threads, one with a higher id may come first; one that is
   * the cause of another never comes after it.
   */
  void on(TraceStep step);

  /**
   * A task, or a step of a queue, is over; on the thread that ran it.
   *
   * @param id of the step that it began with
   * @param nanos when, by the clock of the driver
   */
  default void ended(long id, long nanos) {}
}
