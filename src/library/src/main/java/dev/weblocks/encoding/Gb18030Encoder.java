package dev.weblocks.encoding;

import java.util.Map;
import java.util.function.IntConsumer;

/**
 * <a href="https://encoding.spec.whatwg.org/#gb18030-encoder">gb18030 encoder</a>, also the encoder
 * of GBK
 */
final class Gb18030Encoder extends SimpleEncoder {

  /**
   * The code points of private use that kept their bytes when the index got characters for them.
   */
  private static final Map<Integer, Integer> PRIVATE_USE =
      Map.ofEntries(
          Map.entry(0xE78D, 0xA6D9),
          Map.entry(0xE78E, 0xA6DA),
          Map.entry(0xE78F, 0xA6DB),
          Map.entry(0xE790, 0xA6DC),
          Map.entry(0xE791, 0xA6DD),
          Map.entry(0xE792, 0xA6DE),
          Map.entry(0xE793, 0xA6DF),
          Map.entry(0xE794, 0xA6EC),
          Map.entry(0xE795, 0xA6ED),
          Map.entry(0xE796, 0xA6F3),
          Map.entry(0xE81E, 0xFE59),
          Map.entry(0xE826, 0xFE61),
          Map.entry(0xE82B, 0xFE66),
          Map.entry(0xE82C, 0xFE67),
          Map.entry(0xE832, 0xFE6D),
          Map.entry(0xE843, 0xFE7E),
          Map.entry(0xE854, 0xFE90),
          Map.entry(0xE864, 0xFEA0));

  private final Pointers ranges;
  private final boolean isGbk;

  Gb18030Encoder(Pointers pointers, Pointers ranges, boolean isGbk) {
    super(pointers);
    this.ranges = ranges;
    this.isGbk = isGbk;
  }

  @Override
  int handleNonAscii(int codePoint, IntConsumer output) {
    if (codePoint == 0xE5E5) { // 3
      return codePoint;
    }
    if (isGbk && codePoint == 0x20AC) { // 4
      return single(0x80, output);
    }
    Integer kept = PRIVATE_USE.get(codePoint); // 5
    if (kept != null) {
      return pair(kept >> 8, kept & 0xFF, output);
    }
    int error = super.handleNonAscii(codePoint, output); // 6 and 7
    if (error == NO_ERROR || isGbk) { // 8
      return error;
    }
    int pointer = rangesPointer(codePoint); // 9 to 16
    pair(pointer / (10 * 126 * 10) + 0x81, pointer / (10 * 126) % 10 + 0x30, output);
    return pair(pointer / 10 % 126 + 0x81, pointer % 10 + 0x30, output);
  }

  @Override
  int write(int pointer, IntConsumer output) {
    int trail = pointer % 190;
    return pair(pointer / 190 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x41), output);
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer">index gb18030 ranges
   * pointer</a>
   */
  private int rangesPointer(int codePoint) {
    return codePoint < 0x10000 ? ranges.of(codePoint) : codePoint - 0x10000 + 189000;
  }
}
