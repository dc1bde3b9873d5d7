/**
 * Fetching: the one way that every request takes through the user agent, the port to where
 * resources come from, module scripts, and {@code fetch()} with its interfaces.
 *
 * @see <a href="https://fetch.spec.whatwg.org/">Fetch Standard</a>
 */
@NullMarked
package dev.weblocks.fetch;

import org.jspecify.annotations.NullMarked;
