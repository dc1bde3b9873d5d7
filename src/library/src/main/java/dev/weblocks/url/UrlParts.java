package dev.weblocks.url;

import dev.weblocks.agent.Origin;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The attributes that {@code URL}, {@code Location} and {@code WorkerLocation} have in common.
 *
 * @see <a href="https://url.spec.whatwg.org/#url-class">URL Standard</a>
 */
public final class UrlParts {

  private UrlParts() {}

  /** Defines the getters of the common attributes, and the stringifier. */
  public static <T extends PlatformObject> void define(
      Implementations.Interface<T> implementation, Function<? super T, UrlRecord> of) {
    implementation
        .getter("href", self -> of.apply(self).href())
        .getter("origin", self -> origin(of.apply(self)))
        .getter("protocol", self -> of.apply(self).scheme() + ":")
        .getter("host", self -> host(of.apply(self)))
        .getter("hostname", self -> hostname(of.apply(self)))
        .getter("port", self -> port(of.apply(self)))
        .getter("pathname", self -> UrlSerializer.serializePath(of.apply(self)))
        .getter("search", self -> search(of.apply(self)))
        .getter("hash", self -> hash(of.apply(self)))
        .operation("toString", (self, args) -> of.apply(self).href());
  }

  /**
   * Defines the setters of the common attributes, except {@code href}.
   *
   * @param change called with the changed URL
   */
  public static <T extends PlatformObject> void defineSetters(
      Implementations.Interface<T> implementation,
      Function<? super T, UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change) {
    define(implementation, "protocol", of, change, UrlSetters::protocol);
    define(implementation, "host", of, change, UrlSetters::host);
    define(implementation, "hostname", of, change, UrlSetters::hostname);
    define(implementation, "port", of, change, UrlSetters::port);
    define(implementation, "pathname", of, change, UrlSetters::pathname);
    define(implementation, "search", of, change, UrlSetters::search);
    define(implementation, "hash", of, change, UrlSetters::hash);
  }

  private static <T extends PlatformObject> void define(
      Implementations.Interface<T> implementation,
      String part,
      Function<? super T, UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change,
      BiFunction<UrlRecord, String, UrlRecord> set) {
    implementation.setter(
        part, (self, args) -> change.accept(self, set.apply(of.apply(self), args.string(0))));
  }

  private static String origin(UrlRecord url) {
    Origin.Tuple tuple = url.tupleOrigin();
    return tuple == null ? "null" : tuple.serialize();
  }

  private static String host(UrlRecord url) {
    return hostname(url) + (url.port() < 0 ? "" : ":" + url.port());
  }

  private static String hostname(UrlRecord url) {
    String host = url.host();
    return host == null ? "" : host;
  }

  private static String port(UrlRecord url) {
    return url.port() < 0 ? "" : Integer.toString(url.port());
  }

  private static String search(UrlRecord url) {
    String query = url.query();
    return query == null || query.isEmpty() ? "" : "?" + query;
  }

  private static String hash(UrlRecord url) {
    String fragment = url.fragment();
    return fragment == null || fragment.isEmpty() ? "" : "#" + fragment;
  }
}
