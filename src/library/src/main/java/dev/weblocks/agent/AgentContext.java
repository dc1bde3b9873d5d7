package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;

/** The context of an agent: owned by the agent, which makes and closes it, or by the embedder. */
sealed interface AgentContext permits OwnedContext, EmbedderContext {

  enum Entry {
    ENTERED,
    /** The result of {@link #enter()} if another thread is inside the context. */
    BUSY,
    CLOSED
  }

  boolean isOwned();

  /**
   * Returns the context; if the agent owns it, the first call makes it. Called on the event loop.
   *
   * @throws IllegalStateException if there is none and the agent is ending or has ended
   */
  Context get(Agent agent);

  /** Enters the context for a turn on this thread. After {@code ENTERED}, call {@link #leave()}. */
  Entry enter();

  /** Leaves the context that {@link #enter()} entered. */
  void leave();

  /** Returns whether this thread is inside the context, entered by the agent or by other code. */
  boolean isEnteredHere();

  /**
   * Stops the script of the agent.
   *
   * @param nanos the maximum real time to wait
   * @return false if script may still run, because it did not stop in time
   */
  boolean stop(long nanos);

  /**
   * Stops the script that runs in the context. Closes an owned context; interrupts script in a
   * context of the embedder. Waits a second at most. Callable on any thread but that of the script.
   */
  void cancelScript();

  /**
   * Closes an owned context from inside and returns the exception that unwinds its script; null if
   * there is no context, or the embedder owns it. Used on the event loop.
   */
  @Nullable RuntimeException cancelFromInside();

  /**
   * Returns whether the embedder owns the context and has closed it. Callable on any thread; does
   * not enter it.
   */
  boolean isClosed();

  void forget();

  /** Returns whether a context is the current one of this thread. */
  static boolean isCurrent(Context context) {
    try {
      return Context.getCurrent().equals(context);
    } catch (IllegalStateException none) {
      return false;
    }
  }
}
