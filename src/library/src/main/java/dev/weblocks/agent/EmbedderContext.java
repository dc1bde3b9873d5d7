package dev.weblocks.agent;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * A context owned by the embedder. The embedder may enter or close it at any time; the agent never
 * closes it. A turn is inside the context, so the engine keeps embedder threads out meanwhile.
 */
final class EmbedderContext implements AgentContext {

  /** The time limit for script to react to an interrupt. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final String agentName;
  private volatile @Nullable Context context;

  private volatile boolean initialized;

  /** The context to leave at the end of the turn, even if the agent ends before that. */
  private volatile @Nullable Context entered;

  EmbedderContext(Context context, String agentName) {
    this.context = context;
    this.agentName = agentName;
  }

  @Override
  public boolean isOwned() {
    return false;
  }

  @Override
  public Context get(Agent agent) {
    Context given = context;
    if (given == null) {
      throw new IllegalStateException("agent " + agentName + " has ended");
    }
    return given;
  }

  @Override
  public Entry enter() {
    Context given = context;
    if (given == null) {
      return Entry.CLOSED;
    }
    try {
      if (!initialized) { // without a language in it, a context admits several threads
        given.initialize("js");
        initialized = true;
      }
      given.enter();
      entered = given;
      return Entry.ENTERED;
    } catch (PolyglotException ended) { // closed by force
      return Entry.CLOSED;
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException(
          "the context has no language 'js'; make it with Context.newBuilder(\"js\")", refused);
    } catch (IllegalStateException refused) {
      // only the message of the engine distinguishes the two reasons
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
    Context given = context;
    return given != null && AgentContext.isCurrent(given);
  }

  /** Does nothing: the agent's turns are over, and the embedder controls all other script. */
  @Override
  public boolean stop(long nanos) {
    return true;
  }

  /** Interrupts the script only: the context stays usable, as the embedder owns it. */
  @Override
  public void cancelScript() {
    Context given = context;
    if (given != null) {
      try {
        given.interrupt(PATIENCE);
      } catch (TimeoutException | IllegalStateException | PolyglotException notNow) {
        // closed meanwhile, or still in Java code
      }
    }
  }

  @Override
  public @Nullable RuntimeException cancelFromInside() {
    return null;
  }

  @Override
  public boolean isClosed() {
    Context given = context;
    if (given == null) {
      return true;
    }
    try {
      given.getPolyglotBindings(); // throws if closed, and does not enter the context
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
