package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;

/**
 * A line for the terminal. Text from files, scripts and tests has no effect there: it is escaped
 * when the line is made, see {@link HarmlessText#line}.
 */
final class Shown {

  private static final String RESET = "\u001b[0m";

  private final String text;

  private Shown(String text) {
    this.text = text;
  }

  static Shown of(String line) {
    return new Shown(HarmlessText.line(line));
  }

  /**
   * @param style the control sequence of a colour
   */
  static Shown styled(String style, String line) {
    return new Shown(style + HarmlessText.line(line) + RESET);
  }

  /** Returns text that was made line by line of harmless text, such as a comparison. */
  static Shown ofHarmless(String text) {
    return new Shown(text);
  }

  Shown plus(String more) {
    return new Shown(text + HarmlessText.line(more));
  }

  Shown plus(Shown more) {
    return new Shown(text + more.text);
  }

  /** Returns this line with a further column after a tab. */
  Shown column(String more) {
    return new Shown(text + "\t" + HarmlessText.line(more));
  }

  /** Returns the harmless text. */
  @Override
  public String toString() {
    return text;
  }
}
