package dev.weblocks.agent;

import dev.weblocks.model.Limit;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/** A context that the agent owns: made lazily, closed by force at the end. */
final class OwnedContext implements AgentContext {

  private static final Source NOTHING = ScriptSource.internal("", "weblocks:nothing");

  /**
   * The scripts whose statements count; one object, since contexts of an engine have to share it.
   */
  private static final Predicate<Source> NOT_INTERNAL = source -> !source.isInternal();

  /** The time limit of {@link #cancelScript}. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String agentName;

  /** The context. Created on the loop; closed on another thread, which must not wait for it. */
  private volatile @Nullable Context context;

  OwnedContext(String agentName) {
    this.agentName = agentName;
  }

  @Override
  public boolean isOwned() {
    return true;
  }

  /**
   * Returns an existing context even while its agent is ending; closing the context then stops the
   * script.
   */
  @Override
  public Context get(Agent agent) {
    Context made = context;
    if (made == null) {
      requireNotEnding(agent);
      ModuleLoader.Factory modules = agent.userAgent().configuration().moduleLoaders;
      made =
          agent
              .userAgent()
              .contextFactory()
              .newContext(
                  modules == null
                      ? IOAccess.NONE
                      : ModuleFileSystem.access(modules.loaderOf(agent)),
                  resourceLimits(agent));
      context = made;
      if (agent.isEnding()) { // its end may have found no context
        context = null;
        made.close(true);
      }
      requireNotEnding(agent);
    }
    return made;
  }

  /** Returns the limit of statements; null for none. */
  private static @Nullable ResourceLimits resourceLimits(Agent agent) {
    OptionalLong limit = agent.userAgent().configuration().limits().statements();
    if (limit.isEmpty()) {
      return null;
    }
    long count = limit.getAsLong();
    return ResourceLimits.newBuilder()
        .statementLimit(count, NOT_INTERNAL)
        .onLimit(event ->
            agent
                .userAgent()
                .reachedLimits()
                .end(
                    agent,
                    Limit.STATEMENTS,
                    "script has run "
                        + count
                        + " statements, which is the limit; its agent ends, and its locks are"
                        + " released"))
        .build();
  }

  private static void requireNotEnding(Agent agent) {
    if (agent.isEnding()) {
      throw new IllegalStateException("agent " + agent.name() + " has ended");
    }
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
    Context made = context;
    return made != null && AgentContext.isCurrent(made);
  }

  @Override
  public boolean stop(long nanos) {
    Context toClose = context;
    return toClose == null || ContextCloser.close(() -> toClose.close(true), agentName, nanos);
  }

  @Override
  public void cancelScript() {
    boolean unused = stop(PATIENCE_NANOS);
  }

  @Override
  public @Nullable RuntimeException cancelFromInside() {
    Context closing = context;
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
  public void forget() {
    context = null;
  }
}
