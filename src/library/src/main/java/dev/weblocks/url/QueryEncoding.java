package dev.weblocks.url;

import java.util.function.IntConsumer;

/**
 * An encoding other than UTF-8, for the queries of URLs in documents of that encoding. Thread-safe.
 *
 * @see <a href="https://url.spec.whatwg.org/#query-state">query state</a>
 */
@FunctionalInterface
public interface QueryEncoding {

  /**
   * Encodes a text. Calls both consumers in the order of the text.
   *
   * @param bytes called with each byte, 0 to 255
   * @param errors called with each code point that the encoding lacks, and that is left out
   */
  void encode(String text, IntConsumer bytes, IntConsumer errors);
}
