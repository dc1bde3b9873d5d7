/**
 * Observation: what happens to locks and agents as events of the JDK's flight recorder, as messages
 * of {@link System.Logger} and for a listener of the embedder. Counters are not here: the lock
 * managers and {@code agent.Activity} count whether anybody looks or not.
 *
 * <p>A step of the lock task queue asks {@link dev.weblocks.observe.Observation} once whether
 * anybody listens. The classes of the flight recorder are used only where the JVM has its module.
 */
@NullMarked
package dev.weblocks.observe;

import org.jspecify.annotations.NullMarked;
