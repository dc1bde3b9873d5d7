package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * A task of an event loop.
 *
 * @param source the source; tasks of one source keep their order
 * @param realm the realm whose script the task runs; a task of a discarded realm is dropped; null
 *     for tasks of the agent itself
 * @param label a short description for traces
 * @param steps run on the event loop
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#concept-task">HTML</a>
 */
public record Task(TaskSource source, @Nullable Realm realm, String label, Runnable steps) {}
