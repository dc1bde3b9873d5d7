/**
 * The Encoding Standard: labels, decoders, encoders, {@code TextDecoder} and {@code TextEncoder}.
 *
 * <p>Every decoder is the standard's state machine; the one for UTF-8 is in {@link
 * dev.weblocks.utf8}. The JVM's own decoders treat malformed bytes differently: those of legacy
 * encodings drop an ASCII byte after an invalid lead byte. Only the large tables come from the
 * JVM's charsets; see {@link dev.weblocks.encoding.Index}.
 *
 * @see <a href="https://encoding.spec.whatwg.org/">Encoding Standard</a>
 */
@NullMarked
package dev.weblocks.encoding;

import org.jspecify.annotations.NullMarked;
