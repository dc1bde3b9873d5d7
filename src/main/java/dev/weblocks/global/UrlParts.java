package dev.weblocks.global;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a URL as {@code Location} and {@code WorkerLocation} show them.
 *
 * @param href absolute
 * @see <a href="https://url.spec.whatwg.org/#api">URL Standard</a>
 */
public record UrlParts(String href, URI uri, String origin) {

  public UrlParts(String href, String origin) {
    this(href, URI.create(href), origin);
  }

  private static String orEmpty(@Nullable String part) {
    return part == null ? "" : part;
  }

  /** Defines the attributes of an interface that shows a URL. */
  public static <T extends PlatformObject> void define(
      Implementations.Interface<T> implementation, Function<? super T, UrlParts> of) {
    implementation
        .getter("href", self -> of.apply(self).href)
        .getter("origin", self -> of.apply(self).origin)
        .getter("protocol", self -> of.apply(self).uri.getScheme() + ":")
        .getter("host", self -> orEmpty(of.apply(self).uri.getRawAuthority()))
        .getter("hostname", self -> orEmpty(of.apply(self).uri.getHost()))
        .getter(
            "port",
            self -> {
              int port = of.apply(self).uri.getPort();
              return port < 0 ? "" : Integer.toString(port);
            })
        .getter("pathname", self -> of.apply(self).pathname())
        .getter("search", self -> prefixed("?", of.apply(self).uri.getRawQuery()))
        .getter("hash", self -> prefixed("#", of.apply(self).uri.getRawFragment()))
        .operation("toString", (self, args) -> of.apply(self).href);
  }

  private String pathname() {
    return orEmpty(uri.isOpaque() ? uri.getRawSchemeSpecificPart() : uri.getRawPath());
  }

  private static String prefixed(String prefix, @Nullable String part) {
    return part == null || part.isEmpty() ? "" : prefix + part;
  }
}
