package dev.weblocks.html;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sandboxing flags of a document: by the sandbox attributes of the frames that contain it, and
 * of the document that opened its window.
 *
 * @param navigation whether the document must not navigate other frames and windows, except for
 *     frames in it, windows that it has opened, and its top-level window
 * @param origin whether the document has an opaque origin
 * @param scripts whether the document must not run scripts
 * @param popups whether the document must not open windows
 * @param topNavigation whether the document must not navigate its top-level window
 * @param propagates whether windows that the document opens have the same flags
 * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#sandboxing">HTML</a>
 */
record Sandboxing(
    boolean navigation,
    boolean origin,
    boolean scripts,
    boolean popups,
    boolean topNavigation,
    boolean propagates) {

  /** The implemented tokens of the {@code sandbox} attribute. */
  static final Set<String> TOKENS =
      Set.of(
          "allow-same-origin",
          "allow-scripts",
          "allow-popups",
          "allow-popups-to-escape-sandbox",
          "allow-top-navigation");

  static final Sandboxing NONE = new Sandboxing(false, false, false, false, false, false);

  /**
   * Parses the value of a {@code sandbox} attribute; null, for no attribute, restricts nothing.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsers.html#parse-a-sandboxing-directive">parse
   *     a sandboxing directive</a>
   */
  static Sandboxing parse(@Nullable String directive) {
    if (directive == null) {
      return NONE;
    }
    Set<String> tokens =
        Arrays.stream(directive.toLowerCase(Locale.ROOT).split("[\\t\\n\\f\\r ]+"))
            .collect(Collectors.toSet());
    return new Sandboxing(
        true,
        !tokens.contains("allow-same-origin"),
        !tokens.contains("allow-scripts"),
        !tokens.contains("allow-popups"),
        !tokens.contains("allow-top-navigation"),
        !tokens.contains("allow-popups-to-escape-sandbox"));
  }

  /** Returns the union of these flags and others. */
  Sandboxing and(Sandboxing other) {
    return new Sandboxing(
        navigation || other.navigation,
        origin || other.origin,
        scripts || other.scripts,
        popups || other.popups,
        topNavigation || other.topNavigation,
        propagates || other.propagates);
  }

  /**
   * Returns the flags of a window that a document with these flags opens.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsers.html#popup-sandboxing-flag-set">popup
   *     sandboxing flag set</a>
   */
  Sandboxing ofPopup() {
    return propagates ? this : NONE;
  }
}
