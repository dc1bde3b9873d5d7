package dev.weblocks.agent;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * A context that the embedder lends: it makes and closes it, enters it whenever it likes, and may
 * close it at any time. Nothing here ever ends it. A turn enters it for as long as it runs, and so
 * the engine itself keeps turns and the embedder's threads apart.
 */
final class BorrowedContext implements AgentContext {

  /** How long script may take to notice that it is interrupted. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final String agentName;
  private volatile @Nullable Context context;

  private volatile boolean initialized;

  /** What is to be left, even if the end of the agent comes first. Of whoever is inside. */
  private volatile @Nullable Context entered;

  BorrowedContext(Context context, String agentName) {
    this.context = context;
    this.agentName = agentName;
  }

  @Override
  public boolean isOwned() {
    return false;
  }

  @Override
  public Context get(Agent agent) {
    Context lent = context;
    if (lent == null) {
      throw new IllegalStateException("agent " + agentName + " has ended");
    }
    return lent;
  }

  @Override
  public Entry enter() {
    Context lent = context;
    if (lent == null) {
      return Entry.CLOSED;
    }
    try {
      if (!initialized) { // until there is a language in it, a context lets several threads in
        lent.initialize("js");
        initialized = true;
      }
      lent.enter();
      entered = lent;
      return Entry.ENTERED;
    } catch (PolyglotException ended) { // closed by force
      return Entry.CLOSED;
    } catch (IllegalStateException refused) {
      // of its two reasons the engine tells by its message alone
      return String.valueOf(refused.getMessage()).contains("closed") ? Entry.CLOSED : Entry.BUSY;
    }
  }

  @Override
  public void leave() {
    Context inside = entered;
    if (inside != null) {
      entered = null;
      try {
        inside.leave();
      } catch (IllegalStateException | PolyglotException closedMeanwhile) {
        // there is nothing left to leave
      }
    }
  }

  @Override
  public boolean isEnteredHere() {
    Context lent = context;
    return lent != null && Contexts.isCurrent(lent);
  }

  /** The embedder's script is the embedder's: what the agent runs of it has ended by now. */
  @Override
  public void stop() {}

  /** The context goes on to work: it is the embedder's to close. */
  @Override
  public void cancelScript() {
    Context lent = context;
    if (lent != null) {
      try {
        lent.interrupt(PATIENCE);
      } catch (TimeoutException | IllegalStateException | PolyglotException notNow) {
        // closed meanwhile, or still in Java
      }
    }
  }

  @Override
  public @Nullable RuntimeException cancelFromInside() {
    return null;
  }

  @Override
  public boolean isClosed() {
    Context lent = context;
    if (lent == null) {
      return true;
    }
    try {
      lent.getPolyglotBindings(); // throws if closed, and does not enter the context
      return false;
    } catch (IllegalStateException | PolyglotException closed) {
      return true;
    }
  }

  @Override
  public void forget() {
    context = null;
  }
}
