/**
 * Dedicated and shared workers: the objects of pages, the agents and global scopes behind them, and
 * the steps from a URL to a running script, which service workers use, too.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html">HTML: Web workers</a>
 */
@NullMarked
package dev.weblocks.workers;

import org.jspecify.annotations.NullMarked;
