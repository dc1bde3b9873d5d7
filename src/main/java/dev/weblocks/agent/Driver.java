package dev.weblocks.agent;

/**
 * Decides which actor runs next, where and when. There are three: {@link ThreadPoolDriver}, {@link
 * CallerDriver} and {@link DeterministicDriver}; event loops and the lock task queue are the same
 * under each.
 */
public interface Driver extends AutoCloseable {

  /** What kind of actor is attached: the threaded drivers treat them differently. */
  enum Kind {
    /** Runs script: may take long, so it never borrows the thread that woke it. */
    EVENT_LOOP,
    /** Runs short steps of ours, no script: may run on the thread that woke it. */
    PARALLEL_QUEUE
  }

  /** Handle by which an attached actor asks for turns. */
  interface Lane {

    /** Says that there is work. Any thread; cheap when the lane is awake already. */
    void wake();

    /** Gives no turns from now on; a turn under way goes on. Any thread. */
    void detach();
  }

  Clock clock();

  /** Takes an actor under this driver; it gets no turn before its first {@link Lane#wake()}. */
  Lane attach(Actor actor, Kind kind);

  /**
   * Runs work that may block for a while (stopping a context that runs script) outside all event
   * loops, as soon as possible, once. Any thread.
   */
  void runBlocking(String label, Runnable work);

  /** Stops giving turns. User agents are closed before their driver. */
  @Override
  void close();
}
