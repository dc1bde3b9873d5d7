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
    /** An effect of a step of the lock task queue. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }

  /**
   * Takes one step.
   *
   * @param kind what happened
   * @param actor the event loop or queue that did it
   * @param detail human-readable; the same for the same step of the same program and seed
   */
  void on(Kind kind, String actor, String detail);
}
