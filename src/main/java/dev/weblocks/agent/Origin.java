package dev.weblocks.agent;

/**
 * An origin.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#concept-origin">HTML</a>
 */
public sealed interface Origin {

  /** As {@code location.origin} shows it; {@code null} for an opaque origin. */
  String serialize();

  /**
   * An origin that a URL has.
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
   * Equal to itself only.
   *
   * @param id makes it unequal to others
   */
  record Opaque(String id) implements Origin {
    @Override
    public String serialize() {
      return "null";
    }
  }
}
