package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.Texts;
import java.util.Collection;
import java.util.List;

/** The quoting of names with arbitrary characters in one-line messages. */
final class Quotes {

  private static final int LONGEST = 100;

  private Quotes() {}

  /**
   * Returns the text in single quotes, with control characters escaped. A long text is truncated.
   */
  static String quote(String text) {
    String clean = Texts.replaceLoneSurrogates(text);
    int end =
        clean.offsetByCodePoints(0, Math.min(LONGEST, clean.codePointCount(0, clean.length())));
    return "'" + oneLine(clean.substring(0, end)) + (end < clean.length() ? "…'" : "'");
  }

  /** Returns the text with control characters escaped, so that it stays on one line. */
  static String oneLine(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
            shown.append("\\u%04x".formatted(c));
          } else {
            shown.appendCodePoint(c);
          }
        });
    return shown.toString();
  }

  /** Returns the words as a list in prose: {@code a, b or c}. */
  static String list(Collection<?> words) {
    List<String> texts = words.stream().map(String::valueOf).toList();
    int last = texts.size() - 1;
    return last < 1
        ? String.join("", texts)
        : String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
  }
}
