package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#shift_jis-decoder">Shift_JIS decoder</a> */
final class ShiftJisDecoder extends Decoder {

  private final int[] index0208;
  private int leading;

  ShiftJisDecoder(int[] index0208) {
    this.index0208 = index0208;
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
      int offset = item < 0x7F ? 0x40 : 0x41;
      int leadingOffset = lead < 0xA0 ? 0x81 : 0xC1;
      if (inRange(item, 0x40, 0x7E) || inRange(item, 0x80, 0xFC)) {
        int pointer = (lead - leadingOffset) * 188 + item - offset;
        if (inRange(pointer, 8836, 10715)) {
          return 0xE000 - 8836 + pointer;
        }
        if (index0208[pointer] >= 0) {
          return index0208[pointer];
        }
      }
      if (isAscii(item)) {
        queue.restore(item);
      }
      return ERROR;
    }
    if (isAscii(item) || item == 0x80) { // 4
      return item;
    }
    if (inRange(item, 0xA1, 0xDF)) { // 5
      return 0xFF61 - 0xA1 + item;
    }
    if (inRange(item, 0x81, 0x9F) || inRange(item, 0xE0, 0xFC)) { // 6
      leading = item;
      return CONTINUE;
    }
    return ERROR; // 7
  }
}
