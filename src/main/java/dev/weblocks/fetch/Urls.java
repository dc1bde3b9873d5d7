package dev.weblocks.fetch;

import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.Origin;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * URLs as far as loading needs them. Built on {@link URI}: what the URL Standard repairs in
 * malformed input is refused here.
 *
 * @see <a href="https://url.spec.whatwg.org/">URL Standard</a>
 */
public final class Urls {

  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

  private Urls() {}

  /**
   * Parses a URL.
   *
   * @param base absolute; null for none
   * @return the absolute URL, null on failure
   */
  public static @Nullable URI parse(String input, @Nullable String base) {
    try {
      String trimmed = input.strip();
      URI uri = base == null ? new URI(trimmed) : resolve(new URI(base), trimmed);
      if (!uri.isAbsolute()) {
        return null;
      }
      return uri.isOpaque() ? uri : uri.normalize();
    } catch (URISyntaxException malformed) {
      return null;
    }
  }

  private static URI resolve(URI base, String input) throws URISyntaxException {
    if (input.startsWith("?")) { // java.net.URI drops the last path segment here
      return new URI(base.getScheme() + "://" + base.getRawAuthority() + base.getRawPath() + input);
    }
    return base.resolve(new URI(input));
  }

  /**
   * The origin of a URL; opaque for schemes without one.
   *
   * @see <a href="https://url.spec.whatwg.org/#concept-url-origin">origin</a>
   */
  public static Origin origin(URI url, IdSource ids) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    String host = url.getHost();
    if (!(scheme.equals("http") || scheme.equals("https")) || host == null) {
      return new Origin.Opaque(ids.nextUuid());
    }
    int port = url.getPort();
    boolean isDefault = port == (scheme.equals("http") ? 80 : 443);
    return new Origin.Tuple(scheme, host.toLowerCase(Locale.ROOT), isDefault ? -1 : port);
  }

  /**
   * Whether an origin is potentially trustworthy: https, or this very machine.
   *
   * @see <a href="https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy">Secure
   *     Contexts</a>
   */
  public static boolean isPotentiallyTrustworthy(Origin origin) {
    return origin instanceof Origin.Tuple tuple
        && (tuple.scheme().equals("https")
            || LOCAL_HOSTS.contains(tuple.host())
            || tuple.host().endsWith(".localhost"));
  }
}
