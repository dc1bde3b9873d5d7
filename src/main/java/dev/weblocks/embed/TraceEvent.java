package dev.weblocks.embed;

/**
 * One step of a user agent.
 *
 * @param kind what kind of step
 * @param actor the event loop or queue that took it, such as {@code window-1}
 * @param detail human-readable; equal for equal programs, loaders and seeds under a deterministic
 *     driver
 */
public record TraceEvent(Kind kind, String actor, String detail) {

  /** Kinds of steps. */
  public enum Kind {
    /** A task of an event loop begins. */
    TASK,
    /** The outermost call into a context has returned: its microtasks have run. */
    CHECKPOINT,
    /** A step of the lock task queue has run. */
    LOCK_STEP,
    /** An effect of a step of the lock task queue, with the spec step that caused it. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }
}
