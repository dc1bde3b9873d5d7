/**
 * Service workers: registrations, their workers and the clients that they control. Caches, push
 * messages and background synchronization are not implemented.
 *
 * <p>{@link dev.weblocks.serviceworkers.ServiceWorkers} holds the state of the user agent: the
 * concepts ({@code Registration}, {@code WorkerRecord}, {@code ServiceWorkerClient}), which belong
 * to no context. Its algorithms run as steps of one parallel queue. The effects of a step on other
 * packages, mostly tasks to queue, happen after the step has released the monitor. The objects of
 * script ({@code ServiceWorkerRegistration}, {@code ServiceWorker}, {@code ServiceWorkerContainer})
 * mirror the concepts in each realm. They change in tasks only, so that they never change while
 * script runs.
 *
 * <p>A worker's agent starts for a new script, or when an event needs it. It is ended by {@link
 * dev.weblocks.serviceworkers.ServiceWorkers#stopIdle} or {@code stopAll}, when the worker becomes
 * redundant, or with the user agent. There is no time limit for a worker, and updates are checked
 * only when script calls {@code update()} or {@code register()}.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/">Service Workers</a>
 */
@NullMarked
package dev.weblocks.serviceworkers;

import org.jspecify.annotations.NullMarked;
