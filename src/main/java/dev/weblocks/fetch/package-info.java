/**
 * Fetching: the port to where resources come from, and {@code fetch()}.
 *
 * @see <a href="https://fetch.spec.whatwg.org/">Fetch Standard</a>
 */
@NullMarked
package dev.weblocks.fetch;

import org.jspecify.annotations.NullMarked;
