package dev.weblocks.utf8;

import java.nio.charset.StandardCharsets;

/**
 * The UTF-8 decoder and encoder of whole texts. The JDK's fast decoder and encoder match the
 * standard only for well-formed input. For the JDK decoder, an encoded surrogate is one error, not
 * three; the JDK encoder turns a lone surrogate into a question mark. Thread-safe.
 */
public final class Utf8 {

  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /**
   * Returns the decoded text without a leading byte order mark, with U+FFFD for each error.
   *
   * @see <a href="https://encoding.spec.whatwg.org/#utf-8-decode">UTF-8 decode</a>
   */
  public static String decode(byte[] bytes) {
    boolean hasMark =
        bytes.length >= 3
            && bytes[0] == (byte) 0xEF
            && bytes[1] == (byte) 0xBB
            && bytes[2] == (byte) 0xBF;
    return decode(bytes, hasMark ? 3 : 0);
  }

  /**
   * Returns the decoded text, with U+FFFD for each error.
   *
   * @see <a href="https://encoding.spec.whatwg.org/#utf-8-decode-without-bom">UTF-8 decode without
   *     BOM</a>
   */
  public static String decodeWithoutBom(byte[] bytes) {
    return decode(bytes, 0);
  }

  private static String decode(byte[] bytes, int start) {
    String text = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) < 0 ? text : decodeMalformed(bytes, start);
  }

  private static String decodeMalformed(byte[] bytes, int start) {
    StringBuilder text = new StringBuilder(bytes.length - start);
    Utf8Handler handler = new Utf8Handler();
    for (int i = start; i < bytes.length; i++) {
      int result = handler.handle(bytes[i] & 0xFF);
      if (result >= 0) {
        text.appendCodePoint(result);
      } else if (result != Utf8Handler.CONTINUE) {
        text.append(REPLACEMENT);
        i -= result == Utf8Handler.ERROR_RESTORING ? 1 : 0;
      }
    }
    return handler.end() ? text.toString() : text.append(REPLACEMENT).toString();
  }

  /**
   * Returns the bytes of a text; a lone surrogate becomes U+FFFD.
   *
   * @throws OutOfMemoryError also if the bytes do not fit into an array
   * @see <a href="https://encoding.spec.whatwg.org/#utf-8-encode">UTF-8 encode</a>
   */
  public static byte[] encode(String text) {
    return scalarValues(text).getBytes(StandardCharsets.UTF_8);
  }

  /** <a href="https://infra.spec.whatwg.org/#javascript-string-convert">convert</a> */
  private static String scalarValues(String text) {
    StringBuilder converted = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++;
      } else {
        converted = converted == null ? new StringBuilder(text) : converted;
        converted.setCharAt(i, REPLACEMENT);
      }
    }
    return converted == null ? text : converted.toString();
  }
}
