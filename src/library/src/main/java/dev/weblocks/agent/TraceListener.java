package dev.weblocks.agent;

/**
 * A listener for the steps of a user agent. Called on the thread that takes the step; must not call
 * the user agent.
 */
@FunctionalInterface
public interface TraceListener {

  /**
   * Called for each step. Steps of several threads may come out of the order of their ids, but a
   * cause always comes before its effects.
   */
  void on(TraceStep step);

  /**
   * Called when a task, or a step of a queue, is over, on the thread that ran it.
   *
   * @param id the id that {@link #on} received when the task, or the step of the queue, began
   * @param nanos the time, by the clock of the driver
   */
  default void ended(long id, long nanos) {}
}
