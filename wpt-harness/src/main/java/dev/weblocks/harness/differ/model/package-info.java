/**
 * Programs of Web Locks, and an executable reading of the Working Draft of 2025-09-24 that runs
 * them: promises exact to the microtask, Web IDL's callbacks, event loops, the lock task queue and
 * the end of agents. It shares no code with the library.
 *
 * <p>The choices of a run are: which agent runs its next task, from which task source, when actions
 * of an agent reach others, when a realm starts and when an ended one is cleaned up. {@code
 * Acceptor} searches for choices that give an observation.
 */
@NullMarked
package dev.weblocks.harness.differ.model;

import org.jspecify.annotations.NullMarked;
