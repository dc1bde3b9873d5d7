/**
 * Agents: each has one polyglot context, one event loop and a set of realms; a driver runs it. The
 * lowest package that depends on GraalVM; it depends on neither Web IDL nor web interfaces.
 *
 * <p>Time, identifiers, randomness and threads are provided by {@link dev.weblocks.agent.Driver},
 * {@link dev.weblocks.agent.Clock} and {@link dev.weblocks.agent.IdSource}. There is no static
 * state here: two user agents in one JVM share nothing.
 */
@NullMarked
package dev.weblocks.agent;

import org.jspecify.annotations.NullMarked;
