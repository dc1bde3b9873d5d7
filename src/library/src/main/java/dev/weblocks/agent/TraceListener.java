package dev.weblocks.agent;

/**
 * A listener for the steps of a user agent. Called on the thread that takes the step; must not call
 * back.
 */
@FunctionalInterface
public interface TraceListener {

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
