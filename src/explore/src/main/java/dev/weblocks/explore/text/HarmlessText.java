package dev.weblocks.explore.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions that make untrusted text harmless for display. Characters that control a terminal, are
 * invisible or visually deceptive, or are forbidden in XML become code points like {@code U+001b}.
 */
public final class HarmlessText {

  private static final char ESCAPE = '\u001b';

  /** The control sequences of a terminal that select colours and styles, called SGR. */
  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");

  private static final String RESET = "\u001b[0m";

  private HarmlessText() {}

  /** Returns the text on one line; line ends are replaced by {@code \n}. */
  public static String line(String text) {
    return of(text, false);
  }

  /** Returns the harmless text; line ends and tabs are kept. */
  public static String lines(String text) {
    return of(text, true);
  }

  /**
   * Returns a text that has no effect on a terminal but lines and colours. Keeps line ends, tabs,
   * colours and styles, resets the latter at the end, and visibly escapes other control characters.
   */
  public static String onTerminal(String text) {
    if (text.indexOf(ESCAPE) < 0) {
      return lines(text);
    }
    StringBuilder result = new StringBuilder();
    Matcher style = STYLE.matcher(text);
    int from = 0;
    while (style.find()) {
      result.append(lines(text.substring(from, style.start()))).append(style.group());
      from = style.end();
    }
    result.append(lines(text.substring(from)));
    return from == 0 ? result.toString() : result.append(RESET).toString();
  }

  /** Returns a number with its noun: {@code 1 test}, {@code 2 tests}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
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
        || (point >= 0x2028 && point <= 0x202e) // line ends, and changes of direction
        || (point >= 0x2066 && point <= 0x2069)
        || (point >= 0xe0000 && point <= 0xe007f) // tags, which are invisible
        || point == 0x061c
        || point == 0x200e
        || point == 0x200f
        || point == 0xfeff;
  }
}
