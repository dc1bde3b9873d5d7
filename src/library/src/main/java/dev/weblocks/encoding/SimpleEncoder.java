package dev.weblocks.encoding;

import java.util.function.IntConsumer;

/**
 * The base class of encoders without state, in which an ASCII code point is its own byte: all but
 * the one of ISO-2022-JP.
 */
abstract class SimpleEncoder extends Encoder {

  /** The code points of the index, with their pointers. */
  private final Pointers pointers;

  SimpleEncoder(Pointers pointers) {
    this.pointers = pointers;
  }

  @Override
  final int handle(int item, IntConsumer output) {
    if (item == END_OF_QUEUE) { // 1
      return NO_ERROR;
    }
    return isAscii(item) ? single(item, output) : handleNonAscii(item, output); // 2
  }

  /** Runs the handler's steps after the second, on a code point above U+007F. */
  int handleNonAscii(int codePoint, IntConsumer output) {
    int pointer = pointers.of(codePoint);
    return pointer < 0 ? codePoint : write(pointer, output);
  }

  /** Writes the bytes of a pointer; returns {@link #NO_ERROR}. */
  abstract int write(int pointer, IntConsumer output);

  /** <a href="https://encoding.spec.whatwg.org/#single-byte-encoder">single-byte encoder</a> */
  static final class SingleByte extends SimpleEncoder {
    SingleByte(Pointers pointers) {
      super(pointers);
    }

    @Override
    int write(int pointer, IntConsumer output) {
      return single(pointer + 0x80, output); // 5
    }
  }

  /** <a href="https://encoding.spec.whatwg.org/#big5-encoder">Big5 encoder</a> */
  static final class Big5 extends SimpleEncoder {
    Big5(Pointers pointers) {
      super(pointers);
    }

    @Override
    int write(int pointer, IntConsumer output) {
      int trail = pointer % 157; // 5 to 8
      return pair(pointer / 157 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x62), output);
    }
  }

  /** <a href="https://encoding.spec.whatwg.org/#euc-kr-encoder">EUC-KR encoder</a> */
  static final class EucKr extends SimpleEncoder {
    EucKr(Pointers pointers) {
      super(pointers);
    }

    @Override
    int write(int pointer, IntConsumer output) {
      return pair(pointer / 190 + 0x81, pointer % 190 + 0x41, output); // 5 to 7
    }
  }

  /** <a href="https://encoding.spec.whatwg.org/#euc-jp-encoder">EUC-JP encoder</a> */
  static final class EucJp extends SimpleEncoder {
    EucJp(Pointers pointers) {
      super(pointers);
    }

    @Override
    int handleNonAscii(int codePoint, IntConsumer output) {
      if (codePoint == 0xA5) { // 3
        return single(0x5C, output);
      }
      if (codePoint == 0x203E) { // 4
        return single(0x7E, output);
      }
      if (isHalfWidthKatakana(codePoint)) { // 5
        return pair(0x8E, codePoint - 0xFF61 + 0xA1, output);
      }
      return super.handleNonAscii(codePoint == 0x2212 ? 0xFF0D : codePoint, output); // 6 to 8
    }

    @Override
    int write(int pointer, IntConsumer output) {
      return pair(pointer / 94 + 0xA1, pointer % 94 + 0xA1, output); // 9 to 11
    }
  }

  /** <a href="https://encoding.spec.whatwg.org/#shift_jis-encoder">Shift_JIS encoder</a> */
  static final class ShiftJis extends SimpleEncoder {
    ShiftJis(Pointers pointers) {
      super(pointers);
    }

    @Override
    int handleNonAscii(int codePoint, IntConsumer output) {
      if (codePoint == 0x80) { // 2
        return single(0x80, output);
      }
      if (codePoint == 0xA5) { // 3
        return single(0x5C, output);
      }
      if (codePoint == 0x203E) { // 4
        return single(0x7E, output);
      }
      if (isHalfWidthKatakana(codePoint)) { // 5
        return single(codePoint - 0xFF61 + 0xA1, output);
      }
      return super.handleNonAscii(codePoint == 0x2212 ? 0xFF0D : codePoint, output); // 6 to 8
    }

    @Override
    int write(int pointer, IntConsumer output) {
      int lead = pointer / 188; // 9 to 13
      int trail = pointer % 188;
      return pair(lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41), output);
    }
  }

  static boolean isHalfWidthKatakana(int codePoint) {
    return codePoint >= 0xFF61 && codePoint <= 0xFF9F;
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#x-user-defined-encoder">x-user-defined encoder</a>
   */
  static final class XUserDefined extends Encoder {
    @Override
    int handle(int item, IntConsumer output) {
      if (item == END_OF_QUEUE) { // 1
        return NO_ERROR;
      }
      if (isAscii(item)) { // 2
        return single(item, output);
      }
      boolean isPrivate = item >= 0xF780 && item <= 0xF7FF;
      return isPrivate ? single(item - 0xF780 + 0x80, output) : item; // 3 and 4
    }
  }
}
