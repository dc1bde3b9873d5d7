package dev.weblocks.wpt;

import java.io.ByteArrayOutputStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a request's URL. More lenient than {@link java.net.URI}, which refuses characters
 * that the URL standard lets through.
 *
 * @param scheme in lower case, without colon
 * @param host in lower case and ASCII
 * @param port the scheme's default when the URL names none; -1 for a scheme without one
 * @param path as sent, percent-encoded
 * @param query as sent, without question mark; empty when absent
 */
record RequestUrl(String scheme, String host, int port, String path, String query) {

  private static final Pattern URL =
      Pattern.compile(
          "([a-zA-Z][a-zA-Z0-9+.-]*)://(?:[^/?#@]*@)?([^/?#:]+)(?::(\\d{1,5}))?"
              + "(/[^?#]*)?(?:\\?([^#]*))?(?:#.*)?",
          Pattern.DOTALL);

  /** Empty for a URL without a host. */
  static Optional<RequestUrl> parse(String url) {
    Matcher matcher = URL.matcher(url);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    String host;
    try {
      host = IDN.toASCII(matcher.group(2)).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int defaultPort =
        switch (scheme) {
          case "http" -> 80;
          case "https" -> 443;
          default -> -1;
        };
    return Optional.of(
        new RequestUrl(
            scheme,
            host,
            matcher.group(3) == null ? defaultPort : Integer.parseInt(matcher.group(3)),
            matcher.group(4) == null ? "/" : matcher.group(4),
            matcher.group(5) == null ? "" : matcher.group(5)));
  }

  RequestUrl withPath(String other) {
    return new RequestUrl(scheme, host, port, other, query);
  }

  /** The query with its question mark, or nothing. */
  String search() {
    return query.isEmpty() ? "" : "?" + query;
  }

  String decodedPath() {
    return percentDecode(path);
  }

  /** The first query parameter of that name, decoded. */
  Optional<String> parameter(String name) {
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (!pair.isEmpty() && percentDecode(key.replace('+', ' ')).equals(name)) {
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        return Optional.of(percentDecode(value.replace('+', ' ')));
      }
    }
    return Optional.empty();
  }

  /** A percent sign that starts no byte stays as it is. */
  static String percentDecode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (bytes[i] == '%' && high >= 0 && low >= 0) {
        decoded.write(high << 4 | low);
        i += 2;
      } else {
        decoded.write(bytes[i]);
      }
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }
}
