package dev.weblocks.agent;

/**
 * An origin.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#concept-origin">HTML</a>
 */
public sealed interface Origin {

  /**
   * Returns the serialization, as in {@code location.origin}; {@code null} for an opaque origin.
   */
  String serialize();

  /**
   * Returns whether this origin is potentially trustworthy: it has an authenticated scheme, such as
   * https, or is on this machine.
   *
   * @see <a href="https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy">Secure
   *     Contexts</a>
   */
  default boolean isPotentiallyTrustworthy() {
    return this instanceof Tuple(String scheme, String host, int port)
        && (scheme.equals("https") || scheme.equals("wss") || isLocal(host)); // 3 to 5
  }

  private static boolean isLocal(String host) {
    // a host of such a URL that ends in a number is an IPv4 address
    boolean isLoopback =
        host.startsWith("127.") && Character.isDigit(host.charAt(host.length() - 1));
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    return isLoopback
        || host.equals("[::1]")
        || name.equals("localhost")
        || name.endsWith(".localhost");
  }

  /**
   * The tuple origin of a URL.
   *
   * @param scheme lower case, without colon
   * @param host lower case, in ASCII form
   * @param port -1 for the default port of the scheme
   */
  record Tuple(String scheme, String host, int port) implements Origin {
    @Override
    public String serialize() {
      return scheme + "://" + host + (port < 0 ? "" : ":" + port);
    }
  }

  /**
   * An opaque origin, equal only to itself.
   *
   * @param id distinguishes it from others
   * @param file whether it is the origin of a {@code file:} URL
   */
  record Opaque(String id, boolean file) implements Origin {

    /** Creates an origin that is not that of a {@code file:} URL. */
    public Opaque(String id) {
      this(id, false);
    }

    @Override
    public String serialize() {
      return "null";
    }
  }
}
