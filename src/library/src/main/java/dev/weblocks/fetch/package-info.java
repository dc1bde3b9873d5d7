/**
 * Fetching: the algorithm that every request passes through, the port to the source of resources,
 * module scripts, and {@code fetch()} with its interfaces.
 *
 * @see <a href="https://fetch.spec.whatwg.org/">Fetch Standard</a>
 */
@NullMarked
package dev.weblocks.fetch;

import org.jspecify.annotations.NullMarked;
