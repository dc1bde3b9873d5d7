/**
 * Dedicated workers: the {@code Worker} object of the owner, and the agent and global scope behind
 * it.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html">HTML: Web workers</a>
 */
@NullMarked
package dev.weblocks.workers;

import org.jspecify.annotations.NullMarked;
