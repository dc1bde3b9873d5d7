package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#euc-jp-decoder">EUC-JP decoder</a> */
final class EucJpDecoder extends Decoder {

  private final int[] index0208;
  private final int[] index0212;
  private boolean jis0212;
  private int leading;

  EucJpDecoder(int[] index0208, int[] index0212) {
    this.index0208 = index0208;
    this.index0212 = index0212;
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
    if (lead == 0x8E && inRange(item, 0xA1, 0xDF)) { // 3
      leading = 0;
      return 0xFF61 - 0xA1 + item;
    }
    if (lead == 0x8F && inRange(item, 0xA1, 0xFE)) { // 4
      jis0212 = true;
      leading = item;
      return CONTINUE;
    }
    if (lead != 0) { // 5
      leading = 0;
      int codePoint = -1;
      if (inRange(lead, 0xA1, 0xFE) && inRange(item, 0xA1, 0xFE)) {
        codePoint = (jis0212 ? index0212 : index0208)[(lead - 0xA1) * 94 + item - 0xA1];
      }
      jis0212 = false;
      if (codePoint >= 0) {
        return codePoint;
      }
      if (isAscii(item)) {
        queue.restore(item);
      }
      return ERROR;
    }
    if (isAscii(item)) { // 6
      return item;
    }
    if (item == 0x8E || item == 0x8F || inRange(item, 0xA1, 0xFE)) { // 7
      leading = item;
      return CONTINUE;
    }
    return ERROR; // 8
  }
}
