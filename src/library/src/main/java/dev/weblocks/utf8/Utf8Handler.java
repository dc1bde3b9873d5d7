package dev.weblocks.utf8;

/**
 * The handler of the UTF-8 decoder, which processes one byte at a time. Not thread-safe.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#utf-8-decoder">UTF-8 decoder</a>
 */
public final class Utf8Handler {

  /** The result when more bytes are needed for a scalar value. */
  public static final int CONTINUE = -1;

  /** The result for an error that consumes the byte. */
  public static final int ERROR = -2;

  /** The result for an error that does not consume the byte: the caller must pass it again. */
  public static final int ERROR_RESTORING = -3;

  private int codePoint;
  private int bytesNeeded;
  private int lowerBoundary = 0x80;
  private int upperBoundary = 0xBF;

  /** Returns whether no multi-byte sequence is in progress. */
  public boolean isBetweenSequences() {
    return bytesNeeded == 0;
  }

  /** Runs steps 1 and 2, for the end of the input; returns false for an error. */
  public boolean end() {
    boolean isComplete = bytesNeeded == 0;
    reset();
    return isComplete;
  }

  private void reset() {
    codePoint = 0;
    bytesNeeded = 0;
    lowerBoundary = 0x80;
    upperBoundary = 0xBF;
  }

  /** Handles one byte, 0 to 0xFF; returns a scalar value, or one of the constants. */
  public int handle(int item) {
    return bytesNeeded == 0 ? first(item) : next(item);
  }

  /** Runs step 3, for the first byte of a sequence. */
  private int first(int item) {
    if (item <= 0x7F) {
      return item;
    } else if (item >= 0xC2 && item <= 0xDF) {
      bytesNeeded = 1;
      codePoint = item & 0x1F;
    } else if (item >= 0xE0 && item <= 0xEF) {
      if (item == 0xE0) {
        lowerBoundary = 0xA0;
      } else if (item == 0xED) {
        upperBoundary = 0x9F;
      }
      bytesNeeded = 2;
      codePoint = item & 0xF;
    } else if (item >= 0xF0 && item <= 0xF4) {
      if (item == 0xF0) {
        lowerBoundary = 0x90;
      } else if (item == 0xF4) {
        upperBoundary = 0x8F;
      }
      bytesNeeded = 3;
      codePoint = item & 0x7;
    } else {
      return ERROR;
    }
    return CONTINUE;
  }

  private int next(int item) {
    if (item < lowerBoundary || item > upperBoundary) { // 4
      reset();
      return ERROR_RESTORING;
    }
    lowerBoundary = 0x80; // 5
    upperBoundary = 0xBF;
    codePoint = codePoint << 6 | item & 0x3F; // 6
    bytesNeeded--; // 7; counts down, while the standard counts bytes seen
    if (bytesNeeded > 0) { // 8
      return CONTINUE;
    }
    int whole = codePoint; // 9
    reset(); // 10
    return whole; // 11
  }
}
