package dev.weblocks.model;

/** The kind of a step in a trace. */
public enum TraceKind {
  /** A task of an event loop begins. */
  TASK,
  /** The outermost call into a context has returned: its microtasks have run. */
  CHECKPOINT,
  /** A step of the lock task queue has run. */
  LOCK_STEP,
  /** A change of the lock state by a step of the lock task queue, without an effect on a client. */
  LOCK_CHANGE,
  /** An effect of a step of the lock task queue on a client. */
  LOCK_EFFECT,
  /** A step of a parallel queue other than the lock task queue begins. */
  PARALLEL_STEP,
  /** An agent began, ended, froze or resumed. */
  AGENT
}
