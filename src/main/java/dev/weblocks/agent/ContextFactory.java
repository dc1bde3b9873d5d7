package dev.weblocks.agent;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.io.IOAccess;

/** Makes the context of an agent. Called on the event loop of that agent. */
@FunctionalInterface
public interface ContextFactory {

  /**
   * Makes a context.
   *
   * @param modules what it gets its modules from
   */
  Context newContext(IOAccess modules);
}
