package dev.weblocks.encoding;

import java.util.function.IntConsumer;

/**
 * An encoder of one encoding, with its state within a text. Not thread-safe.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#encoder">Encoding Standard</a>
 */
abstract class Encoder {

  /** The item after the last code point. */
  static final int END_OF_QUEUE = -1;

  /** The result of a handler without an error. */
  static final int NO_ERROR = -1;

  /**
   * Runs the encoder's handler on one item, again and again while it restores the item.
   *
   * @param item a scalar value or {@link #END_OF_QUEUE}
   * @param output receives the bytes
   * @return the code point of an error, or {@link #NO_ERROR}
   * @see <a href="https://encoding.spec.whatwg.org/#handler">handler</a>
   */
  abstract int handle(int item, IntConsumer output);

  static boolean isAscii(int item) {
    return item >= 0 && item <= 0x7F;
  }

  static int single(int value, IntConsumer output) {
    output.accept(value);
    return NO_ERROR;
  }

  static int pair(int lead, int trail, IntConsumer output) {
    output.accept(lead);
    output.accept(trail);
    return NO_ERROR;
  }

  /**
   * Encodes a text; a lone surrogate counts as U+FFFD.
   *
   * @see <a href="https://encoding.spec.whatwg.org/#encode-or-fail">encode or fail</a>
   */
  final void encode(String text, IntConsumer output, IntConsumer errors) {
    text.codePoints()
        .forEach(codePoint -> {
          boolean isSurrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
          int error = handle(isSurrogate ? 0xFFFD : codePoint, output);
          if (error != NO_ERROR) {
            errors.accept(error);
          }
        });
    handle(END_OF_QUEUE, output);
  }
}
