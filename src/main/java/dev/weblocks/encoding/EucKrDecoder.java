package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#euc-kr-decoder">EUC-KR decoder</a> */
final class EucKrDecoder extends Decoder {

  private final int[] index;
  private int leading;

  EucKrDecoder(int[] index) {
    this.index = index;
  }

  @Override
  boolean takesAscii() {
    return leading == 0;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    int lead = leading;
    if (item == ByteQueue.END_OF_QUEUE) { // 1, 2
      leading = 0;
      return lead != 0 ? ERROR : FINISHED;
    }
    if (lead != 0) { // 3
      leading = 0;
      if (inRange(item, 0x41, 0xFE)) {
        int codePoint = index[(lead - 0x81) * 190 + item - 0x41];
        if (codePoint >= 0) {
          return codePoint;
        }
      }
      if (isAscii(item)) {
        queue.restore(item);
      }
      return ERROR;
    }
    if (isAscii(item)) { // 4
      return item;
    }
    if (inRange(item, 0x81, 0xFE)) { // 5
      leading = item;
      return CONTINUE;
    }
    return ERROR; // 6
  }
}
