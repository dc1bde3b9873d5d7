package dev.weblocks.fetch;

import org.jspecify.annotations.Nullable;

/**
 * The bytes that a {@code Range} header requests.
 *
 * @param start the index of the first byte; null to request the last {@code end} bytes
 * @param end the index of the last byte, null for the end; a number of bytes if start is null
 * @see <a href="https://fetch.spec.whatwg.org/#simple-range-header-value">parse a single range
 *     header value</a>
 */
record ByteRange(@Nullable Long start, @Nullable Long end) {

  /** The maximum number of digits; every number of this length fits into a long. */
  private static final int MAX_DIGITS = 18;

  static @Nullable ByteRange parse(String value, boolean allowWhitespace) {
    if (!value.startsWith("bytes")) { // 2
      return null;
    }
    String rest = spaces(value.substring("bytes".length()), allowWhitespace); // 4
    if (!rest.startsWith("=")) { // 5
      return null;
    }
    rest = spaces(rest.substring(1), allowWhitespace); // 7
    String startDigits = digits(rest); // 8, 9
    rest = spaces(rest.substring(startDigits.length()), allowWhitespace); // 10
    if (!rest.startsWith("-")) { // 11
      return null;
    }
    rest = spaces(rest.substring(1), allowWhitespace); // 13
    String endDigits = digits(rest); // 14, 15
    if (endDigits.length() != rest.length() // 16
        || startDigits.length() > MAX_DIGITS
        || endDigits.length() > MAX_DIGITS) {
      return null;
    }
    Long start = startDigits.isEmpty() ? null : Long.valueOf(startDigits);
    Long end = endDigits.isEmpty() ? null : Long.valueOf(endDigits);
    if (start == null && end == null) { // 17
      return null;
    }
    return start != null && end != null && start > end ? null : new ByteRange(start, end); // 18
  }

  private static String spaces(String text, boolean skip) {
    int at = 0;
    while (skip && at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return text.substring(at);
  }

  private static String digits(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return text.substring(0, at);
  }
}
