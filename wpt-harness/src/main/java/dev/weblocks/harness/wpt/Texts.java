package dev.weblocks.harness.wpt;

import java.nio.charset.StandardCharsets;

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
}
