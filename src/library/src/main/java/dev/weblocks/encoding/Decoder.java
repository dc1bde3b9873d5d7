package dev.weblocks.encoding;

/**
 * A decoder of one encoding, with its state between chunks. Not thread-safe.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#decoder">Encoding Standard</a>
 */
abstract class Decoder {

  /** The result of a handler that needs more input. */
  static final int CONTINUE = -1;

  static final int ERROR = -2;
  static final int FINISHED = -3;

  /**
   * Runs the decoder's handler on one item.
   *
   * @param item a byte or {@link ByteQueue#END_OF_QUEUE}
   * @param output receives the first code point if the handler returns two; otherwise unused
   * @return a scalar value, {@link #CONTINUE}, {@link #ERROR} or {@link #FINISHED}
   * @see <a href="https://encoding.spec.whatwg.org/#handler">handler</a>
   */
  abstract int handle(ByteQueue queue, int item, CharQueue output);

  /** Returns whether an ASCII byte would now decode to itself and leave the state unchanged. */
  abstract boolean takesAscii();

  static boolean isAscii(int item) {
    return item >= 0 && item <= 0x7F;
  }

  static boolean inRange(int item, int first, int last) {
    return item >= first && item <= last;
  }

  /**
   * Processes the items of a queue.
   *
   * @param flush whether the end of the queue is the end of the input
   * @param fatal whether an error ends processing; otherwise each error becomes U+FFFD
   * @return false if an error ended processing; bytes not yet read then stay in the queue
   * @see <a href="https://encoding.spec.whatwg.org/#concept-encoding-run">process a queue</a>
   */
  final boolean process(ByteQueue input, CharQueue output, boolean flush, boolean fatal) {
    while (true) {
      if (takesAscii()) {
        input.moveAscii(output);
      }
      int item = input.read();
      if (item == ByteQueue.END_OF_QUEUE && !flush) {
        return true;
      }
      int result = handle(input, item, output);
      if (result >= 0) {
        output.push(result);
      } else if (result == FINISHED) {
        return true;
      } else if (result == ERROR) {
        if (fatal) {
          return false;
        }
        output.push(0xFFFD);
      }
    }
  }
}
