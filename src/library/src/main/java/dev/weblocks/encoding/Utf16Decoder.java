package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#shared-utf-16-decoder">shared UTF-16 decoder</a> */
final class Utf16Decoder extends Decoder {

  private static final int NONE = -1;

  private final boolean bigEndian;
  private int leadingByte = NONE;
  private int leadingSurrogate = NONE;

  Utf16Decoder(boolean bigEndian) {
    this.bigEndian = bigEndian;
  }

  @Override
  boolean takesAscii() {
    return false;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) { // 1, 2
      boolean incomplete = leadingByte != NONE || leadingSurrogate != NONE;
      leadingByte = NONE;
      leadingSurrogate = NONE;
      return incomplete ? ERROR : FINISHED;
    }
    if (leadingByte == NONE) { // 3
      leadingByte = item;
      return CONTINUE;
    }
    int first = leadingByte;
    int codeUnit = bigEndian ? first << 8 | item : item << 8 | first; // 4
    leadingByte = NONE; // 5
    if (leadingSurrogate != NONE) { // 6
      int leading = leadingSurrogate;
      leadingSurrogate = NONE;
      if (inRange(codeUnit, 0xDC00, 0xDFFF)) {
        return Character.toCodePoint((char) leading, (char) codeUnit);
      }
      queue.restore(first, item);
      return ERROR;
    }
    if (inRange(codeUnit, 0xD800, 0xDBFF)) { // 7
      leadingSurrogate = codeUnit;
      return CONTINUE;
    }
    return inRange(codeUnit, 0xDC00, 0xDFFF) ? ERROR : codeUnit; // 8, 9
  }
}
