/**
 * Agents: one polyglot context, one event loop and a set of realms each, run by a driver. Lowest
 * package that knows GraalVM; it knows neither Web IDL nor any interface.
 *
 * <p>Time, identifiers, randomness and threads come in through {@link dev.weblocks.agent.Driver},
 * {@link dev.weblocks.agent.Clock} and {@link dev.weblocks.agent.IdSource}. Nothing here is static
 * state: two user agents in one JVM never meet.
 */
@NullMarked
package dev.weblocks.agent;

import org.jspecify.annotations.NullMarked;
