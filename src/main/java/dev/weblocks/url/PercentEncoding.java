package dev.weblocks.url;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as {@code %} and two digits. The encoding is always UTF-8.
 *
 * @see <a href="https://url.spec.whatwg.org/#percent-encoded-bytes">URL Standard</a>
 */
public final class PercentEncoding {

  private PercentEncoding() {}

  /** The text that percent-encoded UTF-8 stands for; U+FFFD for what is not UTF-8. */
  public static String decode(String input) {
    return utf8Decode(percentDecode(input));
  }

  /** <a href="https://url.spec.whatwg.org/#string-percent-decode">percent-decode</a> a string */
  static byte[] percentDecode(String input) {
    return percentDecode(input.getBytes(StandardCharsets.UTF_8));
  }

  /** <a href="https://url.spec.whatwg.org/#percent-decode">percent-decode</a> bytes */
  static byte[] percentDecode(byte[] input) {
    ByteArrayOutputStream output = new ByteArrayOutputStream(input.length);
    for (int i = 0; i < input.length; i++) {
      int high = i + 2 < input.length ? hexDigit(input[i + 1]) : -1;
      int low = i + 2 < input.length ? hexDigit(input[i + 2]) : -1;
      if (input[i] == '%' && high >= 0 && low >= 0) {
        output.write(high << 4 | low);
        i += 2;
      } else {
        output.write(input[i]);
      }
    }
    return output.toByteArray();
  }

  /** The value of an ASCII hex digit, -1 for any other code point. */
  static int hexDigit(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  /**
   * <a href="https://url.spec.whatwg.org/#string-utf-8-percent-encode">UTF-8 percent-encode</a> a
   * string
   */
  static String utf8PercentEncode(String input, PercentEncodeSet set) {
    StringBuilder output = new StringBuilder(input.length());
    input.codePoints().forEach(codePoint -> utf8PercentEncode(codePoint, set, output));
    return output.toString();
  }

  /**
   * <a href="https://url.spec.whatwg.org/#utf-8-percent-encode">UTF-8 percent-encode</a> a code
   * point; half a surrogate pair becomes U+FFFD
   */
  static void utf8PercentEncode(int codePoint, PercentEncodeSet set, StringBuilder output) {
    if (!set.contains(codePoint)) {
      output.append((char) codePoint);
    } else if (codePoint < 0x80) {
      percentEncode(codePoint, output);
    } else if (codePoint < 0x800) {
      percentEncode(0xC0 | codePoint >> 6, output);
      percentEncode(0x80 | codePoint & 0x3F, output);
    } else if (codePoint < 0x10000) {
      int scalar = codePoint >= 0xD800 && codePoint <= 0xDFFF ? 0xFFFD : codePoint;
      percentEncode(0xE0 | scalar >> 12, output);
      percentEncode(0x80 | scalar >> 6 & 0x3F, output);
      percentEncode(0x80 | scalar & 0x3F, output);
    } else {
      percentEncode(0xF0 | codePoint >> 18, output);
      percentEncode(0x80 | codePoint >> 12 & 0x3F, output);
      percentEncode(0x80 | codePoint >> 6 & 0x3F, output);
      percentEncode(0x80 | codePoint & 0x3F, output);
    }
  }

  /** <a href="https://url.spec.whatwg.org/#percent-encode">percent-encode</a> a byte */
  private static void percentEncode(int unsigned, StringBuilder output) {
    output.append('%').append(HEX.charAt(unsigned >> 4)).append(HEX.charAt(unsigned & 15));
  }

  private static final String HEX = "0123456789ABCDEF";

  /**
   * <a href="https://encoding.spec.whatwg.org/#utf-8-decode-without-bom">UTF-8 decode without
   * BOM</a>. The JDK's decoder makes one replacement character where the standard makes three.
   */
  static String utf8Decode(byte[] bytes) {
    StringBuilder output = new StringBuilder(bytes.length);
    int codePoint = 0;
    int needed = 0;
    int lower = 0x80;
    int upper = 0xBF;
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xFF;
      if (needed == 0) {
        if (b < 0x80) {
          output.append((char) b);
        } else if (b >= 0xC2 && b <= 0xDF) {
          needed = 1;
          codePoint = b & 0x1F;
        } else if (b >= 0xE0 && b <= 0xEF) {
          lower = b == 0xE0 ? 0xA0 : 0x80;
          upper = b == 0xED ? 0x9F : 0xBF;
          needed = 2;
          codePoint = b & 0xF;
        } else if (b >= 0xF0 && b <= 0xF4) {
          lower = b == 0xF0 ? 0x90 : 0x80;
          upper = b == 0xF4 ? 0x8F : 0xBF;
          needed = 3;
          codePoint = b & 0x7;
        } else {
          output.append('\uFFFD');
        }
      } else if (b < lower || b > upper) {
        output.append('\uFFFD');
        needed = 0;
        lower = 0x80;
        upper = 0xBF;
        i--; // what does not go on begins anew
      } else {
        lower = 0x80;
        upper = 0xBF;
        codePoint = codePoint << 6 | b & 0x3F;
        if (--needed == 0) {
          output.appendCodePoint(codePoint);
        }
      }
    }
    if (needed > 0) {
      output.append('\uFFFD');
    }
    return output.toString();
  }
}
