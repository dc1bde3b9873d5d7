package dev.weblocks.agent;

import org.graalvm.polyglot.Context;

/** Makes the context of an agent. Called on the event loop of that agent. */
@FunctionalInterface
public interface ContextFactory {
  Context newContext();
}
