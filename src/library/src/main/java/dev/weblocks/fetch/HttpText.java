package dev.weblocks.fetch;

/**
 * Functions for the syntax of HTTP: tokens, header values and reason phrases.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#infrastructure">Fetch</a>
 */
public final class HttpText {

  private HttpText() {}

  /**
   * Returns whether a text is an HTTP token, such as a <a
   * href="https://fetch.spec.whatwg.org/#concept-method">method</a> or a <a
   * href="https://fetch.spec.whatwg.org/#header-name">header name</a>.
   */
  public static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(HttpText::isTokenCharacter);
  }

  private static boolean isTokenCharacter(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c < 0x80 && "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  /** <a href="https://fetch.spec.whatwg.org/#header-value">header value</a> */
  public static boolean isHeaderValue(String text) {
    return normalize(text).equals(text)
        && text.chars().noneMatch(c -> c == 0 || c == '\n' || c == '\r');
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-value-normalize">normalize</a> */
  public static String normalize(String value) {
    return trim(value, "\t\n\r ");
  }

  /** Returns a text without HTTP tab or space bytes at its ends. */
  static String trimTabOrSpace(String text) {
    return trim(text, "\t ");
  }

  static String trim(String text, String characters) {
    int start = 0;
    int end = text.length();
    while (start < end && characters.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    while (end > start && characters.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(start, end);
  }

  /**
   * Returns whether a text is an HTTP <a
   * href="https://httpwg.org/specs/rfc9112.html#status.line">reason-phrase</a>.
   */
  static boolean isReasonPhrase(String text) {
    return text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~') || c >= 0x80);
  }
}
