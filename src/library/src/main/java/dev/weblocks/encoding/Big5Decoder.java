package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#big5-decoder">Big5 decoder</a> */
final class Big5Decoder extends TwoByteDecoder {

  private final int[] index;

  Big5Decoder(int[] index) {
    this.index = index;
  }

  @Override
  int pair(int lead, int trail, CharQueue output) {
    int offset = trail < 0x7F ? 0x40 : 0x62;
    if (!inRange(trail, 0x40, 0x7E) && !inRange(trail, 0xA1, 0xFE)) {
      return ERROR;
    }
    int pointer = (lead - 0x81) * 157 + trail - offset;
    switch (pointer) {
      case 1133:
        output.push(0x00CA);
        return 0x0304;
      case 1135:
        output.push(0x00CA);
        return 0x030C;
      case 1164:
        output.push(0x00EA);
        return 0x0304;
      case 1166:
        output.push(0x00EA);
        return 0x030C;
      default:
        return index[pointer] >= 0 ? index[pointer] : ERROR;
    }
  }

  @Override
  boolean isLead(int item) {
    return inRange(item, 0x81, 0xFE);
  }
}
