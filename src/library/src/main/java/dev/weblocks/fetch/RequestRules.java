package dev.weblocks.fetch;

import java.util.Locale;
import java.util.Set;

/**
 * The rules for methods and headers that script may put into a request. Strings are byte strings,
 * one character per byte. Thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#methods">Fetch: Methods</a>
 */
public final class RequestRules {

  private static final Set<String> NORMALIZED =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT");

  private static final Set<String> FORBIDDEN_REQUEST_HEADERS =
      Set.of(
          """
          accept-charset accept-encoding access-control-request-headers
          access-control-request-method connection content-length cookie cookie2 date dnt expect
          host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade via
          """
              .split("\\s+"));

  private static final Set<String> METHOD_OVERRIDES =
      Set.of("x-http-method", "x-http-method-override", "x-method-override");

  private static final Set<String> FORBIDDEN_METHODS = Set.of("CONNECT", "TRACE", "TRACK");

  private RequestRules() {}

  /** <a href="https://fetch.spec.whatwg.org/#forbidden-method">forbidden method</a> */
  public static boolean isForbiddenMethod(String method) {
    return FORBIDDEN_METHODS.contains(method.toUpperCase(Locale.ROOT));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-method-normalize">normalize</a> */
  public static String normalizeMethod(String method) {
    String upper = method.toUpperCase(Locale.ROOT);
    return NORMALIZED.contains(upper) ? upper : method;
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#forbidden-request-header">forbidden request-header</a>
   */
  public static boolean isForbiddenHeader(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    return FORBIDDEN_REQUEST_HEADERS.contains(lower)
        || lower.startsWith("proxy-")
        || lower.startsWith("sec-")
        || (METHOD_OVERRIDES.contains(lower)
            && HeaderList.split(value).stream().anyMatch(RequestRules::isForbiddenMethod));
  }
}
