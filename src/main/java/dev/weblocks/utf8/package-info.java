/**
 * UTF-8 as the Encoding Standard has it, for all that turns bytes into text or text into bytes.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#utf-8">Encoding Standard</a>
 */
@NullMarked
package dev.weblocks.utf8;

import org.jspecify.annotations.NullMarked;
