package dev.weblocks.encoding;

/** The base class of decoders in which a lead byte and a trail byte form a character. */
abstract class TwoByteDecoder extends Decoder {

  private int leading;

  @Override
  final boolean takesAscii() {
    return leading == 0;
  }

  @Override
  final int handle(ByteQueue queue, int item, CharQueue output) {
    int lead = leading;
    leading = 0;
    if (item == ByteQueue.END_OF_QUEUE) { // 1, 2
      return lead != 0 ? ERROR : FINISHED;
    }
    if (lead != 0) { // 3
      int codePoint = pair(lead, item, output);
      if (codePoint == ERROR && isAscii(item)) {
        queue.restore(item);
      }
      return codePoint;
    }
    if (isLead(item)) {
      leading = item;
      return CONTINUE;
    }
    return single(item);
  }

  /**
   * Returns the code point of two bytes, or {@link #ERROR}. If they encode two code points, pushes
   * the first to {@code output} and returns the second.
   */
  abstract int pair(int lead, int trail, CharQueue output);

  /** Returns whether a byte is a lead byte. */
  abstract boolean isLead(int item);

  /** Returns the code point of a single byte, or {@link #ERROR}. */
  int single(int item) {
    return isAscii(item) ? item : ERROR;
  }
}
