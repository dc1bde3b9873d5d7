package dev.weblocks.encoding;

import java.util.function.IntConsumer;

/** <a href="https://encoding.spec.whatwg.org/#iso-2022-jp-encoder">ISO-2022-JP encoder</a> */
final class Iso2022JpEncoder extends Encoder {

  /** A state, with the end of the escape sequence that enters it. */
  private enum State {
    ASCII('(', 'B'),
    ROMAN('(', 'J'),
    JIS0208('$', 'B');

    private final int designator;
    private final int set;

    State(int designator, int set) {
      this.designator = designator;
      this.set = set;
    }
  }

  /** The index ISO-2022-JP katakana: the full-width character of each from U+FF61 to U+FF9F. */
  private static final String KATAKANA =
      "\u3002\u300C\u300D\u3001\u30FB\u30F2\u30A1\u30A3\u30A5\u30A7\u30A9\u30E3\u30E5\u30E7\u30C3"
          + "\u30FC\u30A2\u30A4\u30A6\u30A8\u30AA\u30AB\u30AD\u30AF\u30B1\u30B3\u30B5\u30B7\u30B9"
          + "\u30BB\u30BD\u30BF\u30C1\u30C4\u30C6\u30C8\u30CA\u30CB\u30CC\u30CD\u30CE\u30CF\u30D2"
          + "\u30D5\u30D8\u30DB\u30DE\u30DF\u30E0\u30E1\u30E2\u30E4\u30E6\u30E8\u30E9\u30EA\u30EB"
          + "\u30EC\u30ED\u30EF\u30F3\u309B\u309C";

  private final Pointers pointers0208;
  private State state = State.ASCII;

  Iso2022JpEncoder(Pointers pointers0208) {
    this.pointers0208 = pointers0208;
  }

  /** Changes the state and writes the escape sequence for it; a no-op in that state. */
  private void enter(State next, IntConsumer output) {
    if (state != next) {
      state = next;
      output.accept(0x1B);
      output.accept(next.designator);
      output.accept(next.set);
    }
  }

  @Override
  int handle(int item, IntConsumer output) {
    if (item == END_OF_QUEUE) { // 1 and 2
      enter(State.ASCII, output);
      return NO_ERROR;
    }
    boolean isShift = item == 0x0E || item == 0x0F || item == 0x1B;
    if (isShift && state != State.JIS0208) { // 3
      return 0xFFFD;
    }
    if (isAscii(item)) {
      boolean isRoman = state == State.ROMAN && item != 0x5C && item != 0x7E; // 5.1
      if (!isRoman) { // 6
        enter(State.ASCII, output);
      }
      return isShift ? 0xFFFD : single(item, output); // 3 again, 4
    }
    if (item == 0xA5 || item == 0x203E) { // 7
      enter(State.ROMAN, output);
      return single(item == 0xA5 ? 0x5C : 0x7E, output); // 5.2 and 5.3
    }
    int codePoint = item == 0x2212 ? 0xFF0D : item; // 8
    if (SimpleEncoder.isHalfWidthKatakana(codePoint)) { // 9
      codePoint = KATAKANA.charAt(codePoint - 0xFF61);
    }
    int pointer = pointers0208.of(codePoint); // 10
    if (pointer < 0) { // 11
      if (state == State.JIS0208) {
        enter(State.ASCII, output);
      }
      return codePoint;
    }
    enter(State.JIS0208, output); // 12
    return pair(pointer / 94 + 0x21, pointer % 94 + 0x21, output); // 13 to 15
  }
}
