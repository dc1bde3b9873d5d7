package dev.weblocks.fetch;

import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conversion of module specifiers between the forms that a page and the engine see. */
final class ModuleSpecifiers {

  /**
   * The offset that moves the first letter of a specifier into a private use area, to hide from the
   * engine that the specifier is a URL. Otherwise the engine would run data URLs itself, and
   * identify other URLs by their spelling. {@code Function.prototype.toString} restores the letter.
   */
  private static final char PRIVATE_AREA = '\uE000';

  private ModuleSpecifiers() {}

  /**
   * Returns the text of a module with its specifiers changed for the engine; its length does not
   * change.
   */
  static String forEngine(String text, List<ModuleRequests.Request> requests) {
    StringBuilder changed = null;
    for (ModuleRequests.Request request : requests) {
      String specifier = request.specifier();
      String seen = request.dynamic() ? dataOnly(specifier) : engineSpecifier(specifier);
      if (!seen.equals(specifier)) {
        changed = changed == null ? new StringBuilder(text) : changed;
        changed.setCharAt(request.start(), seen.charAt(0));
      }
    }
    return changed == null ? text : changed.toString();
  }

  /** Returns the specifier that makes the engine look up a module by its URL. */
  static String engineSpecifier(String specifier) {
    UrlRecord url = UrlParser.parse(specifier);
    return url == null || url.href().equals(specifier) || specifier.indexOf('\\') >= 0
        ? dataOnly(specifier)
        : marked(specifier);
  }

  private static String dataOnly(String specifier) {
    return specifier.startsWith("data:") ? marked(specifier) : specifier;
  }

  private static String marked(String specifier) {
    return specifier.charAt(0) < 0x80
        ? (char) (PRIVATE_AREA + specifier.charAt(0)) + specifier.substring(1)
        : specifier;
  }

  static String asWritten(String specifier) {
    char first = specifier.isEmpty() ? 0 : specifier.charAt(0);
    return first >= PRIVATE_AREA && first < PRIVATE_AREA + 0x80
        ? (char) (first - PRIVATE_AREA) + specifier.substring(1)
        : specifier;
  }

  static @Nullable UrlRecord resolve(@Nullable UrlRecord baseUrl, String specifier) {
    // resolve a URL-like module specifier
    return UrlParser.parse(specifier, isRelative(specifier) ? baseUrl : null);
  }

  static boolean isRelative(String specifier) {
    return specifier.startsWith("/") || specifier.startsWith("./") || specifier.startsWith("../");
  }

  static String staticFailure(String specifier) {
    return "Failed to resolve module specifier \""
        + specifier
        + (isRelative(specifier)
            ? "\". Invalid relative url or base scheme isn't hierarchical."
            : "\". Relative references must start with either \"/\", \"./\", or \"../\".");
  }
}
