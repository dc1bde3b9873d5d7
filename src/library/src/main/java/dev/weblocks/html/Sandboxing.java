package dev.weblocks.html;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions on a document by the sandbox attributes of the frames that contain it.
 *
 * @param origin whether the document has an opaque origin
 * @param scripts whether the document must not run scripts
 * @param popups whether the document must not open windows
 * @param topNavigation whether the document must not navigate the top-level window
 * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#sandboxing">HTML</a>
 */
record Sandboxing(boolean origin, boolean scripts, boolean popups, boolean topNavigation) {

  /** The implemented tokens of the {@code sandbox} attribute. */
  static final Set<String> TOKENS =
      Set.of("allow-same-origin", "allow-scripts", "allow-popups", "allow-top-navigation");

  static final Sandboxing NONE = new Sandboxing(false, false, false, false);

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
        !tokens.contains("allow-same-origin"),
        !tokens.contains("allow-scripts"),
        !tokens.contains("allow-popups"),
        !tokens.contains("allow-top-navigation"));
  }

  /** Returns the union of these restrictions and others. */
  Sandboxing and(Sandboxing other) {
    return new Sandboxing(
        origin || other.origin,
        scripts || other.scripts,
        popups || other.popups,
        topNavigation || other.topNavigation);
  }
}
