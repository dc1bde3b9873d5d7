package dev.weblocks.encoding;

/**
 * <a href="https://encoding.spec.whatwg.org/#gb18030-decoder">gb18030 decoder</a>, also the decoder
 * of GBK
 */
final class Gb18030Decoder extends Decoder {

  private final int[] index;
  private final int[] ranges;
  private int first;
  private int second;
  private int third;

  Gb18030Decoder(int[] index, int[] ranges) {
    this.index = index;
    this.ranges = ranges;
  }

  @Override
  boolean takesAscii() {
    return first == 0;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) { // 1, 2
      boolean incomplete = first != 0;
      first = 0;
      second = 0;
      third = 0;
      return incomplete ? ERROR : FINISHED;
    }
    if (third != 0) { // 3
      int codePoint;
      if (inRange(item, 0x30, 0x39)) {
        int pointer =
            (first - 0x81) * (10 * 126 * 10)
                + (second - 0x30) * (10 * 126)
                + (third - 0x81) * 10
                + item
                - 0x30;
        codePoint = rangesCodePoint(pointer);
      } else {
        queue.restore(second, third, item);
        codePoint = ERROR;
      }
      first = 0;
      second = 0;
      third = 0;
      return codePoint;
    }
    if (second != 0) { // 4
      if (inRange(item, 0x81, 0xFE)) {
        third = item;
        return CONTINUE;
      }
      queue.restore(second, item);
      first = 0;
      second = 0;
      return ERROR;
    }
    if (first != 0) { // 5
      if (inRange(item, 0x30, 0x39)) {
        second = item;
        return CONTINUE;
      }
      int leading = first;
      first = 0;
      int offset = item < 0x7F ? 0x40 : 0x41;
      if (inRange(item, 0x40, 0x7E) || inRange(item, 0x80, 0xFE)) {
        int codePoint = index[(leading - 0x81) * 190 + item - offset];
        if (codePoint >= 0) {
          return codePoint;
        }
      }
      if (isAscii(item)) {
        queue.restore(item);
      }
      return ERROR;
    }
    if (isAscii(item)) { // 6
      return item;
    }
    if (item == 0x80) { // 7
      return 0x20AC;
    }
    if (inRange(item, 0x81, 0xFE)) { // 8
      first = item;
      return CONTINUE;
    }
    return ERROR; // 9
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point">index gb18030
   * ranges code point</a>
   */
  private int rangesCodePoint(int pointer) {
    if (pointer < ranges.length) { // 2 to 4 are part of the table
      return ranges[pointer];
    }
    boolean beyond = pointer < 189000 || pointer > 1237575; // 1
    return beyond ? ERROR : 0x10000 + pointer - 189000;
  }
}
