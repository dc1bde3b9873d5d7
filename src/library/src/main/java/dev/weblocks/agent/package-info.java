/**
 * Agents, each with one polyglot context, one event loop and a set of realms, and their drivers.
 * The lowest package that depends on GraalVM; depends on neither Web IDL nor web interfaces.
 *
 * <p>Time, identifiers, randomness and threads are provided by {@link dev.weblocks.agent.Driver},
 * {@link dev.weblocks.agent.Clock}, {@link dev.weblocks.agent.RandomSource} and {@link
 * dev.weblocks.agent.IdSource}. There is no static state: user agents of one JVM share nothing.
 */
@NullMarked
package dev.weblocks.agent;

import org.jspecify.annotations.NullMarked;
