package dev.weblocks.encoding;

/** What the decoders have in common in which a lead byte and a trail byte make a character. */
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

  /** The code point of two bytes, or {@link #ERROR}; the first of two goes to the output. */
  abstract int pair(int lead, int trail, CharQueue output);

  /** Whether a byte is the first of two. */
  abstract boolean isLead(int item);

  /** The code point of a byte that stands alone, or {@link #ERROR}. */
  int single(int item) {
    return isAscii(item) ? item : ERROR;
  }
}
