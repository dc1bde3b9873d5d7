package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/** A factory for the contexts of agents. Called on the event loop of the agent. */
@FunctionalInterface
public interface ContextFactory {

  /**
   * Creates a context.
   *
   * @param modules the I/O access through which the context loads modules
   * @param limits null for none
   */
  Context newContext(IOAccess modules, @Nullable ResourceLimits limits);
}
