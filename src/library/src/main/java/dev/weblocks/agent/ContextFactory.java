package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.io.IOAccess;

/** A factory for the contexts of agents. Called on the event loop of the agent. */
@FunctionalInterface
public interface ContextFactory {

  /**
   * Creates a context.
   *
   * @param modules the I/O access through which the context loads modules
   */
  Context newContext(IOAccess modules);
}
