/**
 * UTF-8 encoding and decoding as the Encoding Standard defines them.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#utf-8">Encoding Standard</a>
 */
@NullMarked
package dev.weblocks.utf8;

import org.jspecify.annotations.NullMarked;
