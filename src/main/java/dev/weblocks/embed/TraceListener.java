package dev.weblocks.embed;

/**
 * Sees every step that a user agent takes, and those of its private sessions. Called on the thread
 * that takes it; must not block. Of steps on several threads one with a higher id may come first,
 * but none comes before its cause.
 */
@FunctionalInterface
public interface TraceListener {

  /** A step is taken. */
  void on(TraceEvent event);

  /**
   * A task or a step of a queue is over: {@link TraceEvent.Kind#TASK}, {@link
   * TraceEvent.Kind#LOCK_STEP} and {@link TraceEvent.Kind#PARALLEL_STEP} last until then. A task
   * that never ends, such as an endless loop, is never over, unless its agent is ended.
   *
   * @param id of the event that it began with
   * @param nanos when, as {@link TraceEvent#nanos} has it
   */
  default void ended(long id, long nanos) {}
}
