package dev.weblocks.fetch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules for requests to, and responses from, another origin.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">CORS protocol</a>
 */
final class Cors {

  /** <a href="https://fetch.spec.whatwg.org/#cors-safelisted-method">safelisted methods</a> */
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");

  /**
   * <a
   * href="https://fetch.spec.whatwg.org/#no-cors-safelisted-request-header-name">no-CORS-safelisted
   * request-header names</a>
   */
  private static final Set<String> NO_CORS_REQUEST_HEADERS =
      Set.of("accept", "accept-language", "content-language", "content-type");

  private static final Set<String> CONTENT_TYPES =
      Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

  /**
   * <a href="https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name">CORS-safelisted
   * response-header names</a>
   */
  private static final Set<String> RESPONSE_HEADERS =
      Set.of(
          "cache-control",
          "content-language",
          "content-length",
          "content-type",
          "expires",
          "last-modified",
          "pragma");

  private static final int MAX_VALUE_SIZE = 128;
  private static final int MAX_VALUES_SIZE = 1024;

  private Cors() {}

  static boolean isSafelistedMethod(String method) {
    return METHODS.contains(method);
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#cors-safelisted-request-header">CORS-safelisted
   * request-header</a>
   */
  static boolean isSafelistedRequestHeader(String name, String value) {
    if (value.length() > MAX_VALUE_SIZE) { // 1
      return false;
    }
    return switch (lowerCase(name)) { // 2
      case "accept" -> value.chars().noneMatch(Cors::isUnsafeByte);
      case "accept-language", "content-language" -> value.chars().allMatch(Cors::isLanguageByte);
      case "content-type" -> {
        MimeType type = MimeType.parse(value);
        yield value.chars().noneMatch(Cors::isUnsafeByte)
            && type != null
            && CONTENT_TYPES.contains(type.essence());
      }
      case "range" -> {
        ByteRange range = ByteRange.parse(value, false);
        yield range != null && range.start() != null;
      }
      default -> false;
    };
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#cors-unsafe-request-header-byte">CORS-unsafe
   * request-header byte</a>
   */
  private static boolean isUnsafeByte(int c) {
    return (c < 0x20 && c != '\t') || c == 0x7F || "\"():<>?@[\\]{}".indexOf(c) >= 0;
  }

  private static boolean isLanguageByte(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || " *,-.;=".indexOf(c) >= 0;
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#cors-unsafe-request-header-names">CORS-unsafe
   * request-header names</a>, in lower case and sorted
   */
  static List<String> unsafeRequestHeaderNames(HeaderList headers) {
    TreeSet<String> unsafe = new TreeSet<>(); // 1
    List<String> potentiallyUnsafe = new ArrayList<>(); // 2
    int size = 0; // 3
    for (HeaderList.Header each : headers.headers()) { // 4
      if (!isSafelistedRequestHeader(each.name(), each.value())) {
        unsafe.add(lowerCase(each.name()));
      } else {
        potentiallyUnsafe.add(lowerCase(each.name()));
        size += each.value().length();
      }
    }
    if (size > MAX_VALUES_SIZE) { // 5
      unsafe.addAll(potentiallyUnsafe);
    }
    return List.copyOf(unsafe); // 6
  }

  static boolean isNoCorsSafelistedRequestHeaderName(String name) {
    return NO_CORS_REQUEST_HEADERS.contains(lowerCase(name));
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#no-cors-safelisted-request-header">no-CORS-safelisted
   * request-header</a>
   */
  static boolean isNoCorsSafelistedRequestHeader(String name, String value) {
    return isNoCorsSafelistedRequestHeaderName(name) && isSafelistedRequestHeader(name, value);
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#privileged-no-cors-request-header-name">privileged
   * no-CORS request-header name</a>
   */
  static boolean isPrivilegedNoCorsRequestHeaderName(String name) {
    return lowerCase(name).equals("range");
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-cors-check">CORS check</a>
   *
   * @param origin the serialized origin of the request
   * @return whether the check succeeds
   */
  static boolean check(String origin, FetchRequest.Credentials credentials, HeaderList headers) {
    String allowed = headers.get("Access-Control-Allow-Origin"); // 1
    if (allowed == null) { // 2
      return false;
    }
    boolean withCredentials = credentials == FetchRequest.Credentials.INCLUDE;
    if (!withCredentials && allowed.equals("*")) { // 3
      return true;
    }
    if (!allowed.equals(origin)) { // 4
      return false;
    }
    return !withCredentials // 5
        || "true".equals(headers.get("Access-Control-Allow-Credentials")); // 6 to 8
  }

  /**
   * Returns the header names that a response exposes besides the safelisted ones, in lower case.
   *
   * @param withCredentials whether credentials are included; {@code *} is then an ordinary name
   */
  static List<String> exposedHeaderNames(HeaderList headers, boolean withCredentials) {
    List<String> names = headers.getDecodeAndSplit("Access-Control-Expose-Headers");
    if (names == null) {
      return List.of();
    }
    Set<String> exposed = new HashSet<>();
    names.forEach(name -> exposed.add(lowerCase(name)));
    if (!withCredentials && exposed.contains("*")) {
      headers.headers().forEach(each -> exposed.add(lowerCase(each.name())));
    }
    return exposed.stream().sorted().toList();
  }

  /** Returns whether script may see a header of a CORS filtered response. */
  static boolean isVisible(String name, List<String> exposedHeaderNames) {
    return RESPONSE_HEADERS.contains(lowerCase(name))
        || exposedHeaderNames.contains(lowerCase(name));
  }

  /**
   * Returns the first method or header that a preflight response refuses; empty if it allows all.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#cors-preflight-fetch-0">CORS-preflight fetch</a>
   */
  static String refusal(FetchRequest request, HeaderList answer) {
    boolean withCredentials = request.credentials() == FetchRequest.Credentials.INCLUDE;
    Set<String> methods = names(answer, "Access-Control-Allow-Methods"); // 7.1, 7.3
    Set<String> headerNames = new HashSet<>(); // 7.2
    names(answer, "Access-Control-Allow-Headers").forEach(each -> headerNames.add(lowerCase(each)));
    if (!isSafelistedMethod(request.method()) // 7.5
        && !methods.contains(request.method())
        && (withCredentials || !methods.contains("*"))) {
      return "method " + request.method();
    }
    HeaderList sent = HeaderList.of(request.headers());
    if (sent.contains("Authorization") && !headerNames.contains("authorization")) { // 7.6
      return "header Authorization";
    }
    for (String unsafe : unsafeRequestHeaderNames(sent)) { // 7.7
      if (!headerNames.contains(unsafe) && (withCredentials || !headerNames.contains("*"))) {
        return "header " + unsafe;
      }
    }
    return "";
  }

  private static Set<String> names(HeaderList headers, String name) {
    List<String> values = headers.getDecodeAndSplit(name);
    return values == null ? Set.of() : new HashSet<>(values);
  }
}
