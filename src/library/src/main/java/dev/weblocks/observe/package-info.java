/**
 * The observation of locks and agents by events of the JDK's flight recorder, by messages of {@link
 * System.Logger} and by a listener of the embedder. This package has no counters: the lock managers
 * and {@code agent.Activity} count without any listener.
 *
 * <p>Each step of the lock task queue checks {@link dev.weblocks.observe.Observation} once for
 * listeners. The classes of the flight recorder are used only if the JVM has its module.
 */
@NullMarked
package dev.weblocks.observe;

import org.jspecify.annotations.NullMarked;
