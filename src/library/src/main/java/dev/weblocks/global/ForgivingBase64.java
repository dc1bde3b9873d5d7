package dev.weblocks.global;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The base64 encoder and decoder of the web. The decoder accepts whitespace, missing padding and
 * extra bits at the end. A string of bytes has one code unit, at most U+00FF, per byte.
 *
 * @see <a href="https://infra.spec.whatwg.org/#forgiving-base64">Infra Standard</a>
 */
public final class ForgivingBase64 {

  private ForgivingBase64() {}

  /**
   * Encodes a string of bytes as base64; returns null if a code unit is above U+00FF.
   *
   * @see <a href="https://infra.spec.whatwg.org/#forgiving-base64-encode">forgiving-base64
   *     encode</a>
   */
  static @Nullable String encode(String data) {
    for (int i = 0; i < data.length(); i++) {
      if (data.charAt(i) > 0xFF) {
        return null;
      }
    }
    return Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns the result of {@link #decodeBytes} as a string of bytes; null for failure. */
  static @Nullable String decode(String data) {
    byte[] bytes = decodeBytes(data);
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the decoded bytes; null for failure.
   *
   * @see <a href="https://infra.spec.whatwg.org/#forgiving-base64-decode">forgiving-base64
   *     decode</a>
   */
  public static byte @Nullable [] decodeBytes(String data) {
    byte[] digits = new byte[data.length()];
    int length = 0;
    for (int i = 0; i < data.length(); i++) {
      char unit = data.charAt(i);
      if (unit > 0x7F) {
        return null;
      }
      if (!isAsciiWhitespace(unit)) { // 1
        digits[length++] = (byte) unit;
      }
    }
    if (length > 0 && length % 4 == 0) { // 2
      int padding = digits[length - 1] != '=' ? 0 : digits[length - 2] != '=' ? 1 : 2;
      length -= padding;
    }
    if (length % 4 == 1) { // 3
      return null;
    }
    for (int i = 0; i < length; i++) { // 4
      if (!isDigit(digits[i])) {
        return null;
      }
    }
    // 5 to 10; the JVM's decoder needs no padding and drops extra bits too
    return Base64.getDecoder().decode(Arrays.copyOf(digits, length));
  }

  private static boolean isAsciiWhitespace(char unit) {
    return unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r' || unit == ' ';
  }

  private static boolean isDigit(byte unit) {
    return unit >= 'A' && unit <= 'Z'
        || unit >= 'a' && unit <= 'z'
        || unit >= '0' && unit <= '9'
        || unit == '+'
        || unit == '/';
  }
}
