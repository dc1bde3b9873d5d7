/**
 * The agent side of the early draft of Web Locks: {@code navigator.locks} with {@code acquire()},
 * {@code queryState()} and {@code forceRelease()}, instead of the methods of the Working Draft.
 *
 * <p>Callback, promise and signal stay in this package. The lock states get only ids and values,
 * and their answers become tasks of the web locks tasks source. The package {@code
 * dev.weblocks.lockmanager.earlydraft} documents how this implementation decides the questions that
 * the draft leaves open, and the format of the comments that name its steps.
 *
 * <p>Java code cannot take these locks, and storage buckets do not have them.
 */
@NullMarked
package dev.weblocks.locks.earlydraft;

import org.jspecify.annotations.NullMarked;
