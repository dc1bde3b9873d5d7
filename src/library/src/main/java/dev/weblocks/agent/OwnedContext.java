package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/** A context that the agent owns: made lazily, closed by force at the end. */
final class OwnedContext implements AgentContext {

  private static final Source NOTHING =
      Source.newBuilder("js", "", "weblocks:nothing").internal(true).buildLiteral();

  /** The context; guarded by this, as it is created on the loop and closed on another thread. */
  private @Nullable Context context;

  @Override
  public boolean isOwned() {
    return true;
  }

  /**
   * Returns an existing context even while its agent is ending; closing the context then stops the
   * script.
   */
  @Override
  public synchronized Context get(Agent agent) {
    Context made = context;
    if (made == null) {
      if (agent.isEnding()) {
        throw new IllegalStateException("agent " + agent.name() + " has ended");
      }
      ModuleLoader.Factory modules = agent.userAgent().configuration().moduleLoaders();
      made =
          agent
              .userAgent()
              .contextFactory()
              .newContext(
                  modules == null
                      ? IOAccess.NONE
                      : ModuleFileSystem.access(modules.loaderOf(agent)));
      context = made;
    }
    return made;
  }

  private synchronized @Nullable Context peek() {
    return context;
  }

  /** Always succeeds: no other thread has access to the context. */
  @Override
  public Entry enter() {
    return Entry.ENTERED;
  }

  @Override
  public void leave() {}

  @Override
  public boolean isEnteredHere() {
    Context made = peek();
    return made != null && AgentContext.isCurrent(made);
  }

  @Override
  public void stop() {
    Context toClose = peek();
    if (toClose != null) {
      toClose.close(true);
    }
  }

  @Override
  public void cancelScript() {
    stop();
  }

  @Override
  public @Nullable RuntimeException cancelFromInside() {
    Context closing = peek();
    if (closing != null) {
      try {
        closing.close(true);
        closing.eval(NOTHING);
      } catch (PolyglotException cancelled) {
        return cancelled;
      }
    }
    return null;
  }

  @Override
  public boolean isClosed() {
    return false; // code that closes it also ends the agent
  }

  @Override
  public synchronized void forget() {
    context = null;
  }
}
