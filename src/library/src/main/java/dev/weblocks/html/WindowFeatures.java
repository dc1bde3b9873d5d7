package dev.weblocks.html;

import java.util.Locale;

/**
 * The features argument of {@code window.open()}, without those that need a screen.
 *
 * @param noopener whether the new window and its opener cannot reach each other
 */
record WindowFeatures(boolean noopener) {

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#concept-window-open-features-tokenize">tokenize
   * the features argument</a>
   */
  static WindowFeatures parse(String features) {
    boolean noopener = false;
    for (String feature : features.toLowerCase(Locale.ROOT).split("[\\s,]+")) {
      String[] parts = feature.split("=", 2);
      String name = parts[0].strip();
      if (name.equals("noopener") || name.equals("noreferrer")) {
        noopener = parts.length == 1 || isTrue(parts[1].strip());
      }
    }
    return new WindowFeatures(noopener);
  }

  private static boolean isTrue(String value) {
    return value.isEmpty()
        || value.equals("yes")
        || value.equals("true")
        || value.matches("[1-9]\\d*");
  }
}
