package dev.weblocks.harness.wpt;

import dev.weblocks.file.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Text functions shared by several classes. */
public final class Texts {

  private static final int SHORT = 200;

  private Texts() {}

  static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String shorten(String text) {
    return text.length() <= SHORT ? text : text.substring(0, SHORT) + "…";
  }

  /** Returns the text with each lone surrogate written as wptrunner does: {@code U+d800}. */
  public static String replaceLoneSurrogates(String text) {
    StringBuilder result = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair || !Character.isSurrogate(c)) {
        if (result != null) {
          result.append(c);
        }
        if (pair) {
          i++;
          if (result != null) {
            result.append(text.charAt(i));
          }
        }
      } else {
        if (result == null) {
          result = new StringBuilder(text.substring(0, i));
        }
        result.append("U+").append(Integer.toHexString(c));
      }
    }
    return result == null ? text : result.toString();
  }

  /**
   * Returns the text of a file in UTF-8, of at most {@link RegularFile#MAX_TEXT} bytes.
   *
   * @throws CharacterCodingException if it is not UTF-8
   * @throws IOException if it is no regular file, is larger, or cannot be read
   */
  public static String ofFile(Path file) throws IOException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(RegularFile.read(file, RegularFile.MAX_TEXT)))
        .toString();
  }
}
