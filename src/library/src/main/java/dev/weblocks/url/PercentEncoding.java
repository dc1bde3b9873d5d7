package dev.weblocks.url;

import dev.weblocks.utf8.Utf8;
import java.io.ByteArrayOutputStream;

/**
 * The percent-encoder and percent-decoder. An encoded byte is {@code %} and two hexadecimal digits;
 * text is encoded as UTF-8 first.
 *
 * @see <a href="https://url.spec.whatwg.org/#percent-encoded-bytes">URL Standard</a>
 */
public final class PercentEncoding {

  private PercentEncoding() {}

  /** Decodes percent-encoded UTF-8 to text; malformed bytes become U+FFFD. */
  public static String decode(String input) {
    return Utf8.decodeWithoutBom(percentDecode(input));
  }

  /** <a href="https://url.spec.whatwg.org/#string-percent-decode">percent-decode</a> a string */
  public static byte[] percentDecode(String input) {
    return percentDecode(Utf8.encode(input));
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

  /** Returns the value of an ASCII hex digit, -1 for any other code point. */
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
   * point; a lone surrogate becomes U+FFFD
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

  /**
   * <a href="https://url.spec.whatwg.org/#string-percent-encode-after-encoding">percent-encode
   * after encoding</a>, with an encoding other than UTF-8
   */
  static void percentEncodeAfterEncoding(
      QueryEncoding encoding, String input, PercentEncodeSet set, StringBuilder output) {
    encoding.encode(
        input, // 1 to 5.2
        value -> { // 5.3
          if (set.contains(value)) {
            percentEncode(value, output);
          } else {
            output.append((char) value);
          }
        },
        error -> output.append("%26%23").append(error).append("%3B")); // 5.4
  }

  /** <a href="https://url.spec.whatwg.org/#percent-encode">percent-encode</a> a byte */
  private static void percentEncode(int unsigned, StringBuilder output) {
    output.append('%').append(HEX.charAt(unsigned >> 4)).append(HEX.charAt(unsigned & 15));
  }

  private static final String HEX = "0123456789ABCDEF";
}
