/**
 * The Encoding Standard: labels, decoders, {@code TextDecoder} and {@code TextEncoder}.
 *
 * <p>Every decoder is the standard's state machine, that of UTF-8 in {@link dev.weblocks.utf8}. The
 * JVM's own decoders are not used for that, because their treatment of malformed bytes differs: the
 * legacy ones swallow an ASCII byte after a broken lead byte. What the JVM's charsets do give is
 * the big tables, see {@link dev.weblocks.encoding.Index}.
 *
 * @see <a href="https://encoding.spec.whatwg.org/">Encoding Standard</a>
 */
@NullMarked
package dev.weblocks.encoding;

import org.jspecify.annotations.NullMarked;
