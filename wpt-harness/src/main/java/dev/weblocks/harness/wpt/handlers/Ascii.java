package dev.weblocks.harness.wpt.handlers;

import java.util.Locale;

/** Text functions shared by several handlers. */
public final class Ascii {

  private Ascii() {}

  static String lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Returns the text escaped as by Python's {@code html.escape}. */
  public static String escapeHtml(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#x27;");
  }
}
