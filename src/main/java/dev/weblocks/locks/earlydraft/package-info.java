/**
 * The agent side of the early draft of Web Locks: {@code navigator.locks} with {@code acquire()},
 * {@code queryState()} and {@code forceRelease()}, in place of the Working Draft's.
 *
 * <p>Callback, promise and signal stay here; the lock states get ids and values only, and their
 * answers become tasks of the web locks task source. What the draft leaves open, and how to read
 * the comments with its steps, tells the package {@code dev.weblocks.lockmanager.earlydraft}.
 *
 * <p>Java code takes no part in these locks, and storage buckets have none.
 */
@NullMarked
package dev.weblocks.locks.earlydraft;

import org.jspecify.annotations.NullMarked;
