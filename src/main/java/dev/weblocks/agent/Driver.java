package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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

    /**
     * Says that some of the actor's work was done outside of its turns, and maybe none is left. On
     * a thread on which it might have had a turn.
     */
    default void workedOff() {}
  }

  Clock clock();

  /** How many agents can run script at the same time, as far as this driver knows; at least 1. */
  int parallelism();

  /** Takes an actor under this driver; it gets no turn before its first {@link Lane#wake()}. */
  Lane attach(Actor actor, Kind kind);

  /**
   * Runs work that may block for a while (stopping a context that runs script) outside all event
   * loops, as soon as possible, once. Any thread.
   */
  void runBlocking(String label, Runnable work);

  /**
   * Stands still inside a turn of an event loop until a future is done, however it is done. That
   * loop gets no turn meanwhile; others do.
   *
   * @throws InterruptedException if the agent is ended meanwhile
   * @throws IllegalStateException if this driver runs everything that could complete the future,
   *     and nothing is left to run
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#pause">pause</a>
   */
  void pause(CompletableFuture<?> until) throws InterruptedException;

  /** Where turns leave what they do to others; null unless somebody wants to know. */
  default @Nullable TurnLog turnLog() {
    return null;
  }

  /** Stops giving turns. User agents are closed before their driver. */
  @Override
  void close();
}
