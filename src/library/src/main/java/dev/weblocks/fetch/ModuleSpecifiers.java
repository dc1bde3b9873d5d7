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

  /**
   * The offset for the specifier of an {@code import()} call whose type is JSON. The engine does
   * not see the type: it would compare types itself, and its error names no module.
   */
  private static final char JSON_AREA = '\uE100';

  /** The offset for the specifier of an {@code import()} call with any other type. */
  private static final char OTHER_TYPE_AREA = '\uE200';

  /** Replaces the h of {@code with}, so that the engine finds no attributes. */
  private static final char NO_ATTRIBUTES = '\uA727';

  private ModuleSpecifiers() {}

  /**
   * Returns the text of a module with its specifiers changed for the engine; its length does not
   * change.
   *
   * @param remapsUrls whether a specifier that is an absolute URL may resolve to another one
   */
  static String forEngine(String text, List<ModuleRequests.Request> requests, boolean remapsUrls) {
    StringBuilder changed = null;
    for (ModuleRequests.Request request : requests) {
      String specifier = request.specifier();
      boolean whole = !request.dynamic() || isWholeArgument(text, request);
      boolean typed = whole && isTypedCall(request);
      String seen =
          typed
              ? marked(specifier, request.json() ? JSON_AREA : OTHER_TYPE_AREA)
              : whole ? engineSpecifier(specifier, remapsUrls) : dataOnly(specifier);
      if (!seen.equals(specifier)) {
        changed = changed == null ? new StringBuilder(text) : changed;
        changed.setCharAt(request.start(), seen.charAt(0));
      }
      if (typed && changed != null) {
        int with = text.indexOf("with", request.start() + specifier.length());
        changed.setCharAt(with + 3, NO_ATTRIBUTES);
      }
    }
    return changed == null ? text : changed.toString();
  }

  private static boolean isTypedCall(ModuleRequests.Request request) {
    String type = request.type();
    String specifier = request.specifier();
    return request.dynamic()
        && type != null
        && !type.isEmpty()
        && !specifier.isEmpty()
        && specifier.charAt(0) < 0x80
        && specifier.indexOf('\\') < 0;
  }

  /** Returns whether a specifier of the engine is that of an {@code import()} call with a type. */
  static boolean isTyped(String specifier) {
    return isTypedJson(specifier) || isIn(OTHER_TYPE_AREA, specifier);
  }

  static boolean isTypedJson(String specifier) {
    return isIn(JSON_AREA, specifier);
  }

  private static boolean isIn(char area, String specifier) {
    char first = specifier.isEmpty() ? 0 : specifier.charAt(0);
    return first >= area && first < area + 0x80;
  }

  /** Returns whether a string literal is all of the first argument of its {@code import()}. */
  private static boolean isWholeArgument(String text, ModuleRequests.Request request) {
    int end = request.start() + request.specifier().length();
    if (end >= text.length() || text.charAt(end) == '`') {
      return false;
    }
    int next = end + 1;
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return next < text.length() && (text.charAt(next) == ')' || text.charAt(next) == ',');
  }

  /**
   * Returns the specifier that makes the engine look up a module by its URL.
   *
   * @param remapsUrls whether a specifier that is an absolute URL may resolve to another one
   */
  static String engineSpecifier(String specifier, boolean remapsUrls) {
    UrlRecord url = UrlParser.parse(specifier);
    return url == null
            || (url.href().equals(specifier) && !remapsUrls)
            || specifier.indexOf('\\') >= 0
        ? dataOnly(specifier)
        : marked(specifier, PRIVATE_AREA);
  }

  private static String dataOnly(String specifier) {
    return specifier.startsWith("data:") ? marked(specifier, PRIVATE_AREA) : specifier;
  }

  private static String marked(String specifier, char area) {
    return specifier.charAt(0) < 0x80
        ? (char) (area + specifier.charAt(0)) + specifier.substring(1)
        : specifier;
  }

  static String asWritten(String specifier) {
    return isTyped(specifier) || isIn(PRIVATE_AREA, specifier)
        ? (char) (specifier.charAt(0) % 0x80) + specifier.substring(1) // areas are multiples of it
        : specifier;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#resolving-a-url-like-module-specifier">resolve
   * a URL-like module specifier</a>
   */
  static @Nullable UrlRecord resolve(@Nullable UrlRecord baseUrl, String specifier) {
    return UrlParser.parse(specifier, isRelative(specifier) ? baseUrl : null);
  }

  static boolean isRelative(String specifier) {
    return specifier.startsWith("/") || specifier.startsWith("./") || specifier.startsWith("../");
  }

  static String dynamicFailure(String specifier) {
    return "Failed to resolve module specifier '"
        + specifier
        + "'"
        + (isRelative(specifier)
            ? ". Invalid relative url or base scheme isn't hierarchical."
            : "");
  }

  static String staticFailure(String specifier) {
    return "Failed to resolve module specifier \""
        + specifier
        + (isRelative(specifier)
            ? "\". Invalid relative url or base scheme isn't hierarchical."
            : "\". Relative references must start with either \"/\", \"./\", or \"../\".");
  }
}
