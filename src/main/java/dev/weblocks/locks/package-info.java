/**
 * The agent side of Web Locks: {@code navigator.locks}, {@code LockManager} and {@code Lock},
 * section 3 of the Working Draft of 2025-09-24, and those steps of section 4 that run on an event
 * loop.
 *
 * <p>Callback, promise and signal stay here; the lock task queue gets ids and values only, in the
 * messages of {@code lockmanager.message}, and its answers become tasks of the web locks task
 * source.
 *
 * <p>Variants of the draft that concern what script sees are branches here which name them; {@code
 * LockVariants} tells which are in force.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/">Web Locks API</a>
 */
@NullMarked
package dev.weblocks.locks;

import org.jspecify.annotations.NullMarked;
