package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#euc-kr-decoder">EUC-KR decoder</a> */
final class EucKrDecoder extends TwoByteDecoder {

  private final int[] index;

  EucKrDecoder(int[] index) {
    this.index = index;
  }

  @Override
  int pair(int lead, int trail, CharQueue output) {
    int codePoint = inRange(trail, 0x41, 0xFE) ? index[(lead - 0x81) * 190 + trail - 0x41] : ERROR;
    return codePoint >= 0 ? codePoint : ERROR;
  }

  @Override
  boolean isLead(int item) {
    return inRange(item, 0x81, 0xFE);
  }
}
