package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#shift_jis-decoder">Shift_JIS decoder</a> */
final class ShiftJisDecoder extends TwoByteDecoder {

  private final int[] index0208;

  ShiftJisDecoder(int[] index0208) {
    this.index0208 = index0208;
  }

  @Override
  int pair(int lead, int trail, CharQueue output) {
    int offset = trail < 0x7F ? 0x40 : 0x41;
    int leadingOffset = lead < 0xA0 ? 0x81 : 0xC1;
    if (!inRange(trail, 0x40, 0x7E) && !inRange(trail, 0x80, 0xFC)) {
      return ERROR;
    }
    int pointer = (lead - leadingOffset) * 188 + trail - offset;
    if (inRange(pointer, 8836, 10715)) {
      return 0xE000 - 8836 + pointer;
    }
    return index0208[pointer] >= 0 ? index0208[pointer] : ERROR;
  }

  @Override
  boolean isLead(int item) {
    return inRange(item, 0x81, 0x9F) || inRange(item, 0xE0, 0xFC);
  }

  @Override
  int single(int item) {
    if (inRange(item, 0xA1, 0xDF)) {
      return 0xFF61 - 0xA1 + item;
    }
    return isAscii(item) || item == 0x80 ? item : ERROR;
  }
}
