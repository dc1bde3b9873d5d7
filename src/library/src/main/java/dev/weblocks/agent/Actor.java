package dev.weblocks.agent;

/**
 * Something that a {@link Driver} runs in turns, one turn at a time: an event loop or a parallel
 * queue. A turn may run on any thread, never two at once.
 */
public interface Actor {

  /** The result of {@link #nextDeadline()} if there is no deadline. */
  long NEVER = Long.MAX_VALUE;

  /** Returns the name for traces; unique within the user agent. */
  String name();

  /**
   * Returns a short description of the next turn, as in traces; empty if unknown. Called only
   * between turns, by drivers in which a {@link dev.weblocks.model.Schedule} chooses the turns.
   */
  default String nextStep() {
    return "";
  }

  /**
   * Runs one unit of work: a task, or a step of a parallel queue. A unit that throws counts as
   * done; the driver continues with the next one.
   *
   * @return false when there was nothing to run
   */
  boolean runTurn();

  /**
   * Returns whether a turn would find work now; false by default, for actors that have only
   * deadlines. Callable on any thread.
   */
  default boolean hasWork() {
    return false;
  }

  /**
   * Returns the {@link Clock#nanoTime()} from which a turn finds work, even if no other work
   * arrives before; {@link #NEVER}, the default, if there is no such time. Callable on any thread;
   * during a turn on another thread the result may be stale.
   */
  default long nextDeadline() {
    return NEVER;
  }

  /**
   * Reports that this actor may get no turn any more, as the driver has run out of memory or
   * threads: its user agent has to end. Called on any thread; must not throw.
   */
  default void isLost(Throwable failure) {}

  /**
   * Returns whether this actor counts as an {@link Activity}: it has work, or a deadline. An actor
   * overrides this if script cannot observe that a deadline is reached. Called after turns.
   */
  default boolean isActive() {
    return hasWork() || nextDeadline() != NEVER;
  }
}
