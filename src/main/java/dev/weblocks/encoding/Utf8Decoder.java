package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#utf-8-decoder">UTF-8 decoder</a> */
final class Utf8Decoder extends Decoder {

  private int codePoint;
  private int bytesSeen;
  private int bytesNeeded;
  private int lowerBoundary = 0x80;
  private int upperBoundary = 0xBF;

  @Override
  boolean takesAscii() {
    return bytesNeeded == 0;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) {
      // 1, 2; where the input ends, nothing else of the state matters any more
      boolean incomplete = bytesNeeded != 0;
      bytesNeeded = 0;
      return incomplete ? ERROR : FINISHED;
    }
    if (bytesNeeded == 0) { // 3
      if (item <= 0x7F) {
        return item;
      } else if (inRange(item, 0xC2, 0xDF)) {
        bytesNeeded = 1;
        codePoint = item & 0x1F;
      } else if (inRange(item, 0xE0, 0xEF)) {
        if (item == 0xE0) {
          lowerBoundary = 0xA0;
        } else if (item == 0xED) {
          upperBoundary = 0x9F;
        }
        bytesNeeded = 2;
        codePoint = item & 0xF;
      } else if (inRange(item, 0xF0, 0xF4)) {
        if (item == 0xF0) {
          lowerBoundary = 0x90;
        } else if (item == 0xF4) {
          upperBoundary = 0x8F;
        }
        bytesNeeded = 3;
        codePoint = item & 0x7;
      } else {
        return ERROR;
      }
      return CONTINUE;
    }
    boolean continues = inRange(item, lowerBoundary, upperBoundary);
    lowerBoundary = 0x80; // 4.1, 5
    upperBoundary = 0xBF;
    if (!continues) { // 4
      codePoint = 0;
      bytesNeeded = 0;
      bytesSeen = 0;
      queue.restore(item);
      return ERROR;
    }
    codePoint = codePoint << 6 | item & 0x3F; // 6
    bytesSeen++; // 7
    if (bytesSeen != bytesNeeded) { // 8
      return CONTINUE;
    }
    int whole = codePoint; // 9
    codePoint = 0; // 10
    bytesNeeded = 0;
    bytesSeen = 0;
    return whole; // 11
  }
}
