package dev.weblocks.encoding;

import org.jspecify.annotations.Nullable;

/** <a href="https://encoding.spec.whatwg.org/#iso-2022-jp-decoder">ISO-2022-JP decoder</a> */
final class Iso2022JpDecoder extends Decoder {

  private enum State {
    ASCII,
    ROMAN,
    KATAKANA,
    LEADING_BYTE,
    TRAILING_BYTE,
    ESCAPE_START,
    ESCAPE
  }

  private static final int ESC = 0x1B;

  private final int[] index0208;
  private State state = State.ASCII;
  private State outputState = State.ASCII;
  private int leading;

  /** Whether the last item read was an escape sequence; a second one in a row is an error. */
  private boolean output;

  Iso2022JpDecoder(int[] index0208) {
    this.index0208 = index0208;
  }

  @Override
  boolean takesAscii() {
    return false;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue unused) {
    return switch (state) {
      case ASCII, ROMAN, KATAKANA, LEADING_BYTE -> atCharacter(item);
      case TRAILING_BYTE -> trailingByte(item);
      case ESCAPE_START -> escapeStart(queue, item);
      case ESCAPE -> escape(queue, item);
    };
  }

  private int atCharacter(int item) {
    if (item == ESC) {
      state = State.ESCAPE_START;
      return CONTINUE;
    }
    if (item == ByteQueue.END_OF_QUEUE) {
      return FINISHED;
    }
    output = false;
    boolean passes = isAscii(item) && item != 0x0E && item != 0x0F;
    switch (state) {
      case ASCII:
        return passes ? item : ERROR;
      case ROMAN:
        if (item == 0x5C) {
          return 0x00A5;
        }
        if (item == 0x7E) {
          return 0x203E;
        }
        return passes ? item : ERROR;
      case KATAKANA:
        return inRange(item, 0x21, 0x5F) ? 0xFF61 - 0x21 + item : ERROR;
      default:
        if (!inRange(item, 0x21, 0x7E)) {
          return ERROR;
        }
        leading = item;
        state = State.TRAILING_BYTE;
        return CONTINUE;
    }
  }

  private int trailingByte(int item) {
    if (item == ESC) {
      state = State.ESCAPE_START;
      return ERROR;
    }
    state = State.LEADING_BYTE;
    if (!inRange(item, 0x21, 0x7E)) {
      return ERROR;
    }
    int codePoint = index0208[(leading - 0x21) * 94 + item - 0x21];
    return codePoint < 0 ? ERROR : codePoint;
  }

  private int escapeStart(ByteQueue queue, int item) {
    if (item == 0x24 || item == 0x28) { // 1
      leading = item;
      state = State.ESCAPE;
      return CONTINUE;
    }
    if (item != ByteQueue.END_OF_QUEUE) { // 2
      queue.restore(item);
    }
    output = false; // 3
    state = outputState;
    return ERROR;
  }

  private int escape(ByteQueue queue, int item) {
    int lead = leading; // 1
    leading = 0;
    State next = designated(lead, item); // 2 to 6
    if (next != null) { // 7
      state = next;
      outputState = next;
      boolean again = output;
      output = true;
      return again ? ERROR : CONTINUE;
    }
    if (item == ByteQueue.END_OF_QUEUE) { // 8
      queue.restore(lead);
    } else {
      queue.restore(lead, item);
    }
    output = false; // 9
    state = outputState;
    return ERROR;
  }

  private static @Nullable State designated(int lead, int item) {
    if (lead == 0x28) {
      return switch (item) {
        case 'B' -> State.ASCII;
        case 'J' -> State.ROMAN;
        case 'I' -> State.KATAKANA;
        default -> null;
      };
    }
    return item == '@' || item == 'B' ? State.LEADING_BYTE : null;
  }
}
