/**
 * Dedicated and shared workers: the objects that pages have, the agents and global scopes behind
 * them, and the way from a URL to a running script that service workers go, too.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html">HTML: Web workers</a>
 */
@NullMarked
package dev.weblocks.workers;

import org.jspecify.annotations.NullMarked;
