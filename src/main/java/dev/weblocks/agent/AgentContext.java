package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;

/**
 * How an agent has its context: as its own, which it makes and ends, or as one that the embedder
 * lends it.
 */
sealed interface AgentContext permits OwnedContext, BorrowedContext {

  /** What came of asking for a turn. */
  enum Entry {
    ENTERED,
    /** Another thread is inside. */
    BUSY,
    /** The context is closed. */
    CLOSED
  }

  /** Whether the agent makes the context and ends it. */
  boolean isOwned();

  /**
   * The context; made at the first call. On the event loop.
   *
   * @throws IllegalStateException if there is none and it must not be made any more
   */
  Context get(Agent agent);

  /** Lets a turn begin on this thread. Each that was let in ends by {@link #leave()}. */
  Entry enter();

  /** Ends what {@link #enter()} began. */
  void leave();

  /** Whether this thread is inside, by whatever means. */
  boolean isEnteredHere();

  /** Sees to it that no script of the agent runs when this returns. May take a while. */
  void stop();

  /**
   * Stops the script that runs in the context: for good if the context is owned, by an interrupt if
   * it is borrowed, for which it waits a second at most. Any thread but that of the script.
   */
  void cancelScript();

  /**
   * Ends the context from inside, and returns what takes its script off the stack; null if that is
   * not the agent's to do. On the event loop.
   */
  @Nullable RuntimeException cancelFromInside();

  /** Whether it was closed, by whomever. Any thread; enters nothing. */
  boolean isClosed();

  /** Keeps the context no longer. */
  void forget();
}
