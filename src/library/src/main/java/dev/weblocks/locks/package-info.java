/**
 * The agent side of Web Locks: {@code navigator.locks}, {@code LockManager} and {@code Lock},
 * section 3 of the Working Draft of 2025-09-24, and those steps of section 4 that run on an event
 * loop.
 *
 * <p>Callback, promise and signal stay in this package. The lock task queue gets only ids and
 * values, in the messages of {@code lockmanager.message}. Its answers become tasks of the web locks
 * task source.
 *
 * <p>Variants of the draft that change observable behaviour of script are branches in this package
 * that name them; {@code LockSettings} holds the active ones.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/">Web Locks API</a>
 */
@NullMarked
package dev.weblocks.locks;

import org.jspecify.annotations.NullMarked;
