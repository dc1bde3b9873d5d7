package dev.weblocks.model;

import java.time.Duration;

/**
 * A listener for all steps of a user agent and of its private sessions. Called on the thread that
 * takes the step; must not block. With several threads, a step with a higher id may be reported
 * first, but never before its cause.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="traceListener"}
 */
@FunctionalInterface
public interface TraceListener {

  /** Reports a step. */
  void on(TraceEvent event);

  /**
   * Reports the end of a task or of a step of a queue, which an event of kind {@link
   * TraceKind#TASK}, {@link TraceKind#LOCK_STEP} or {@link TraceKind#PARALLEL_STEP} began. Not
   * called for a task that never ends, such as an endless loop, unless its agent is ended.
   *
   * @param id the id of the event that reported the start
   * @param time the time of the end, as in {@link TraceEvent#time}
   */
  default void ended(long id, Duration time) {}
}
