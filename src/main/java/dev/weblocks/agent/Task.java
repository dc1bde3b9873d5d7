package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * A task of an event loop.
 *
 * @param source keeps order with other tasks of this source
 * @param realm whose script it runs; a task of a discarded realm is dropped; null for tasks of the
 *     agent itself
 * @param label what traces show, in a few words
 * @param steps what it does, on the event loop
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#concept-task">HTML</a>
 */
public record Task(TaskSource source, @Nullable Realm realm, String label, Runnable steps) {}
