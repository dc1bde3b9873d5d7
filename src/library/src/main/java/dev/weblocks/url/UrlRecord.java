package dev.weblocks.url;

import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.Origin;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed URL. Immutable; equal to URLs with the same serialization. Made by {@link UrlParser}.
 *
 * @param scheme lower case, without colon
 * @param username percent-encoded, empty for none
 * @param password percent-encoded, empty for none
 * @param host serialized: a domain in ASCII, an address (IPv6 in brackets), an opaque host, or the
 *     empty host; null for none
 * @param port -1 for none, and for the default port of the scheme
 * @param query percent-encoded, without question mark; null for none
 * @param fragment percent-encoded, without number sign; null for none
 * @see <a href="https://url.spec.whatwg.org/#concept-url">URL record</a>
 */
public record UrlRecord(
    String scheme,
    String username,
    String password,
    @Nullable String host,
    int port,
    UrlPath path,
    @Nullable String query,
    @Nullable String fragment) {

  private static final Map<String, Integer> SPECIAL =
      Map.of("ftp", 21, "file", -1, "http", 80, "https", 443, "ws", 80, "wss", 443);

  /** <a href="https://url.spec.whatwg.org/#special-scheme">special scheme</a> */
  static boolean isSpecialScheme(String scheme) {
    return SPECIAL.containsKey(scheme);
  }

  /**
   * Returns the default port of a scheme, which URLs omit; -1 if there is none.
   *
   * @see <a href="https://url.spec.whatwg.org/#default-port">default port</a>
   */
  public static int defaultPort(String scheme) {
    return SPECIAL.getOrDefault(scheme, -1);
  }

  /** <a href="https://url.spec.whatwg.org/#is-special">is special</a> */
  public boolean isSpecial() {
    return isSpecialScheme(scheme);
  }

  /** <a href="https://url.spec.whatwg.org/#include-credentials">includes credentials</a> */
  public boolean includesCredentials() {
    return !username.isEmpty() || !password.isEmpty();
  }

  /** <a href="https://url.spec.whatwg.org/#url-opaque-path">has an opaque path</a> */
  public boolean hasOpaquePath() {
    return path instanceof UrlPath.Opaque;
  }

  /**
   * <a href="https://url.spec.whatwg.org/#cannot-have-a-username-password-port">cannot have a
   * username/password/port</a>
   */
  boolean cannotHaveUsernamePasswordPort() {
    return host == null || host.isEmpty() || scheme.equals("file");
  }

  UrlRecord withUsername(String value) {
    return new UrlRecord(scheme, value, password, host, port, path, query, fragment);
  }

  UrlRecord withPassword(String value) {
    return new UrlRecord(scheme, username, value, host, port, path, query, fragment);
  }

  UrlRecord withPort(int value) {
    return new UrlRecord(scheme, username, password, host, value, path, query, fragment);
  }

  UrlRecord withPath(UrlPath value) {
    return new UrlRecord(scheme, username, password, host, port, value, query, fragment);
  }

  UrlRecord withQuery(@Nullable String value) {
    return new UrlRecord(scheme, username, password, host, port, path, value, fragment);
  }

  /**
   * Returns the same URL with credentials.
   *
   * @param newUsername not encoded; null keeps the current one
   * @param newPassword not encoded; null keeps the current one
   * @see <a href="https://url.spec.whatwg.org/#set-the-username">set the username</a>
   */
  public UrlRecord withCredentials(@Nullable String newUsername, @Nullable String newPassword) {
    UrlRecord url = newUsername == null ? this : withUsername(UrlSetters.userinfo(newUsername));
    return newPassword == null ? url : url.withPassword(UrlSetters.userinfo(newPassword));
  }

  /** Returns the same URL with another fragment. */
  public UrlRecord withFragment(@Nullable String value) {
    return new UrlRecord(scheme, username, password, host, port, path, query, value);
  }

  /**
   * Returns the origin if it is a tuple, null if it is opaque.
   *
   * @see <a href="https://url.spec.whatwg.org/#concept-url-origin">origin</a>
   */
  public Origin.@Nullable Tuple tupleOrigin() {
    return switch (scheme) {
      case "blob" -> {
        // 2. and 3. of "blob"; 1. needs the blob URL entry, which a URL record does not have here
        UrlRecord inner = UrlParser.parse(UrlSerializer.serializePath(this));
        yield inner != null && (inner.scheme.equals("http") || inner.scheme.equals("https"))
            ? inner.tupleOrigin()
            : null;
      }
      case "ftp", "http", "https", "ws", "wss" ->
          new Origin.Tuple(scheme, host == null ? "" : host, port);
      default -> null; // "file" too, as the standard suggests and browsers do
    };
  }

  /**
   * Returns the origin; if it is opaque, each call creates a new one.
   *
   * @see <a href="https://url.spec.whatwg.org/#concept-url-origin">origin</a>
   */
  public Origin origin(IdSource ids) {
    Origin.Tuple tuple = tupleOrigin();
    return tuple == null ? new Origin.Opaque(ids.nextUuid(), scheme.equals("file")) : tuple;
  }

  /** Returns the serialized URL. */
  public String href() {
    return UrlSerializer.serialize(this, false);
  }

  @Override
  public String toString() {
    return href();
  }
}
