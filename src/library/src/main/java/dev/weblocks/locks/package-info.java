/**
 * The agent side of Web Locks: {@code navigator.locks}, {@code LockManager} and {@code Lock}
 * (section 3 of the Working Draft of 2025-09-24), and the steps of section 4 that run on an event
 * loop.
 *
 * <p>Callback, promise and signal stay in this package. The lock task queue gets only ids and
 * values, in the messages of {@code lockmanager.message}. Its answers become tasks of the web locks
 * tasks source.
 *
 * <p>Variants of the draft are implemented by {@code VariantClientRules} and by branches that name
 * the variant; {@code LockSettings} holds the active variants.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/">Web Locks API</a>
 */
@NullMarked
package dev.weblocks.locks;

import org.jspecify.annotations.NullMarked;
