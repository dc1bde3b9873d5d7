package dev.weblocks.agent;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of actors: decides when and on which thread each one runs. Implementations are
 * {@link ThreadPoolDriver}, {@link CallerDriver}, {@link DeterministicDriver}, and {@link
 * EmbedderLoop} for a single event loop. Event loops and the lock task queue work the same under
 * each.
 */
public interface Driver extends AutoCloseable {

  /** The kind of an attached actor; the threaded drivers treat them differently. */
  enum Kind {
    /** An actor that runs script. Turns may take long, so {@link Lane#wake()} never runs them. */
    EVENT_LOOP,
    /** An actor of short internal steps without script; {@link Lane#wake()} may run its turns. */
    PARALLEL_QUEUE
  }

  interface Lane {

    /** Reports that there is work. Callable on any thread; cheap if the lane is already awake. */
    void wake();

    /**
     * Ensures that no further turn of the actor begins; a running turn continues. Callable on any
     * thread.
     */
    void detach();

    /**
     * Reports that work of the actor was done outside of its turns, so that the actor may have no
     * work left. Called on a thread on which a turn of the actor could run instead.
     */
    default void workedOff() {}
  }

  Clock clock();

  /** Returns the delays in real time, whatever the clock. */
  RealTimeDelays delays();

  /**
   * Returns how many agents can run script at the same time, as far as this driver can determine;
   * at least 1.
   */
  default int parallelism() {
    return 1;
  }

  /** Returns how many turns run now, or wait for a thread; approximate. 0 if callers run them. */
  default int runningTurns() {
    return 0;
  }

  /**
   * Returns whether turns run only while a caller steps this driver, one at a time, in virtual time
   * and in an order that a schedule chooses.
   */
  default boolean isDeterministic() {
    return false;
  }

  /** Returns whether event loops and blocking work run only while a caller runs this driver. */
  default boolean needsCaller() {
    return isDeterministic();
  }

  /** Attaches an actor; it gets no turn before its first {@link Lane#wake()}. */
  Lane attach(Actor actor, Kind kind);

  /**
   * Runs work that may block for a while, such as stopping a context that runs script. The work
   * runs once, as soon as possible, outside all event loops. Callable on any thread.
   */
  void runBlocking(String label, Runnable work);

  /**
   * Pauses inside a turn of an event loop until a future is done, normally or exceptionally. That
   * loop gets no turn meanwhile; other actors do.
   *
   * @throws InterruptedException if the agent is ended meanwhile
   * @throws IllegalStateException if this driver runs everything that could complete the future,
   *     and nothing is left to run
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#pause">pause</a>
   */
  void pause(CompletableFuture<?> until) throws InterruptedException;

  /**
   * Waits outside of all turns until a future is done, normally or exceptionally.
   *
   * @param nanos the maximum time by the clock of this driver; {@link Actor#NEVER} for no limit
   * @param waiting the name of the waiting caller, for traces
   * @throws TimeoutException if the future is not done in time
   * @throws IllegalStateException as in {@link #pause}
   */
  default void await(CompletableFuture<?> until, long nanos, String waiting)
      throws InterruptedException, TimeoutException {
    try {
      Object unused = until.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | CancellationException done) {
      // the caller reads the outcome from the future
    }
  }

  /**
   * Replaces a thread of this driver whose turn does not end, until {@link #threadIsBack()}. No-op
   * if the threads are not those of this driver. Callable on any thread.
   */
  default void giveUpThread() {}

  /** Records that a turn has ended whose thread was given up. */
  default void threadIsBack() {}

  /** Returns the log of the effects of turns on other actors; null if no listener needs it. */
  default @Nullable TurnLog turnLog() {
    return null;
  }

  /** Stops all turns. User agents must be closed before their driver. */
  @Override
  void close();
}
