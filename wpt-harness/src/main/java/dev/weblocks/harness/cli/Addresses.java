package dev.weblocks.harness.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parser of origins, hosts and ports. The messages of its exceptions include an example of
 * valid input.
 */
final class Addresses {

  static final String DEFAULT_ORIGIN = "https://localhost";
  private static final int MAX_HOST = 255;
  private static final int MAX_PORT = 65_535;

  /** A host as in URLs, with an optional port. */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?(?::(\\d{1,5}))?");

  private Addresses() {}

  static String origin(String text) {
    String hint = "'" + text + "' is not an origin; use one such as " + DEFAULT_ORIGIN;
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException(hint, malformed);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    int port = uri.getPort();
    boolean clean =
        !uri.isOpaque() // opaque URIs have no path: localhost:8080 has the scheme localhost
            && uri.getUserInfo() == null
            && uri.getQuery() == null
            && uri.getFragment() == null
            && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
    if (!scheme.equals("https") && !scheme.equals("http")
        || host == null
        || !clean
        || port == 0
        || port > MAX_PORT
        || !isPlainHost(host)) {
      throw new IllegalArgumentException(hint);
    }
    boolean defaultPort = port < 0 || port == (scheme.equals("https") ? 443 : 80);
    return scheme + "://" + host.toLowerCase(Locale.ROOT) + (defaultPort ? "" : ":" + port);
  }

  /**
   * Returns whether the URL serializer leaves a host unchanged, apart from the case. This holds for
   * names and for IPv4 addresses of four parts.
   */
  private static boolean isPlainHost(String host) {
    if (!HOST.matcher(host).matches()
        || host.length() > MAX_HOST
        || host.contains("..")
        || host.contains("xn--")) {
      return false;
    }
    boolean numeric = Character.isDigit(host.charAt(host.lastIndexOf('.') + 1));
    String part = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    return !numeric || host.matches(part + "(\\." + part + "){3}");
  }

  static String host(String text) {
    Matcher matcher = HOST.matcher(text);
    if (!matcher.matches()
        || text.length() > MAX_HOST
        || matcher.group(1) != null && Integer.parseInt(matcher.group(1)) > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a host; use one such as example.com or example.com:8080");
    }
    return text.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a port, or 0 for any free port.
   *
   * @throws IllegalArgumentException if the text is not a port
   */
  static int port(String text) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a port; use a number from 0 to " + MAX_PORT);
    }
    return Integer.parseInt(text);
  }
}
