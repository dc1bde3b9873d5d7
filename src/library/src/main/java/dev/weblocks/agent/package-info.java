/**
 * Agents: one polyglot context, one event loop and a set of realms each, run by a driver. The
 * lowest package that depends on GraalVM; it depends neither on Web IDL nor on any interface.
 *
 * <p>Time, identifiers, randomness and threads are provided by {@link dev.weblocks.agent.Driver},
 * {@link dev.weblocks.agent.Clock} and {@link dev.weblocks.agent.IdSource}. There is no static
 * state here: two user agents in one JVM share nothing.
 */
@NullMarked
package dev.weblocks.agent;

import org.jspecify.annotations.NullMarked;
