/**
 * Service workers: registrations, their workers and the clients that they control, with all of the
 * standard that a user agent without caches, push messages and background synchronization needs.
 *
 * <p>What belongs to the user agent is in {@link dev.weblocks.serviceworkers.ServiceWorkers}: it
 * holds the concepts ({@code Registration}, {@code WorkerRecord}, {@code ServiceWorkerClient}) and
 * is no part of any context. Its algorithms run as steps of one parallel queue; what they do to
 * others, tasks above all, happens when a step is over and its lock is free. What script sees
 * ({@code ServiceWorkerRegistration}, {@code ServiceWorker}, {@code ServiceWorkerContainer})
 * mirrors the concepts in each realm and changes by tasks only, so that a script sees one state
 * after the other.
 *
 * <p>A worker's agent begins when an event wants it and ends when it is told to: by {@link
 * dev.weblocks.serviceworkers.ServiceWorkers#stopIdle} and {@code stopAll}, as redundant, or with
 * the user agent. Nothing is ever stopped for being slow, and no update is looked for unless script
 * asks.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/">Service Workers</a>
 */
@NullMarked
package dev.weblocks.serviceworkers;

import org.jspecify.annotations.NullMarked;
