package dev.weblocks.wpt.report;

/**
 * Makes hostile text harmless where people read it: what a terminal would obey, a page would not
 * show, XML forbids or the eye would be deceived by stands there as its code point, such as {@code
 * U+001b}.
 */
public final class Visible {

  private Visible() {}

  /** The text on one line; line ends stand as {@code \n}. */
  public static String line(String text) {
    return of(text, false);
  }

  /** The text with its line ends and tabs. */
  public static String lines(String text) {
    return of(text, true);
  }

  private static String of(String text, boolean lines) {
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          if (point == '\n') {
            result.append(lines ? "\n" : "\\n");
          } else if (point == '\t') {
            result.append(lines ? "\t" : "\\t");
          } else if (dangerous(point)) {
            result.append("U+%04x".formatted(point));
          } else {
            result.appendCodePoint(point);
          }
        });
    return result.toString();
  }

  private static boolean dangerous(int point) {
    return Character.isISOControl(point)
        || (point & 0xfffe) == 0xfffe // noncharacters
        || (point >= 0xfdd0 && point <= 0xfdef)
        || (point >= 0xd800 && point <= 0xdfff)
        || (point >= 0x2028 && point <= 0x202e) // line ends, and what turns the direction
        || (point >= 0x2066 && point <= 0x2069)
        || (point >= 0xe0000 && point <= 0xe007f) // tags, which nothing shows
        || point == 0x061c
        || point == 0x200e
        || point == 0x200f
        || point == 0xfeff;
  }
}
