package dev.weblocks.url;

import dev.weblocks.agent.Origin;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that {@code URL}, {@code Location}, {@code WorkerLocation} and hyperlinks have in
 * common.
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
        .operation("toString", (self, args) -> of.apply(self).href());
    defineParts(implementation, of);
  }

  /**
   * Defines the getters of the common attributes, except {@code href}. Without a URL they return
   * the empty string, {@code protocol} a colon.
   */
  public static <T extends PlatformObject> void defineParts(
      Implementations.Interface<T> implementation,
      Function<? super T, ? extends @Nullable UrlRecord> of) {
    define(implementation, "origin", of, UrlParts::origin);
    implementation.getter("protocol", self -> part(of.apply(self), UrlRecord::scheme) + ":");
    define(implementation, "host", of, UrlParts::host);
    define(implementation, "hostname", of, UrlParts::hostname);
    define(implementation, "port", of, UrlParts::port);
    define(implementation, "pathname", of, UrlSerializer::serializePath);
    define(implementation, "search", of, UrlParts::search);
    define(implementation, "hash", of, UrlParts::hash);
  }

  /**
   * Defines the attributes {@code username} and {@code password}.
   *
   * @param change called with the changed URL
   */
  public static <T extends PlatformObject> void defineCredentials(
      Implementations.Interface<T> implementation,
      Function<? super T, ? extends @Nullable UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change) {
    define(implementation, "username", of, UrlRecord::username);
    define(implementation, "password", of, UrlRecord::password);
    define(implementation, "username", of, change, UrlSetters::username);
    define(implementation, "password", of, change, UrlSetters::password);
  }

  private static <T extends PlatformObject> void define(
      Implementations.Interface<T> implementation,
      String part,
      Function<? super T, ? extends @Nullable UrlRecord> of,
      Function<UrlRecord, String> get) {
    implementation.getter(part, self -> part(of.apply(self), get));
  }

  private static String part(@Nullable UrlRecord url, Function<UrlRecord, String> get) {
    return url == null ? "" : get.apply(url);
  }

  /**
   * Defines the setters of the common attributes, except {@code href}.
   *
   * @param change called with the changed URL; not called without a URL, or if the URL cannot have
   *     the part
   * @param encoding returns the encoding of queries; null for UTF-8
   */
  public static <T extends PlatformObject> void defineSetters(
      Implementations.Interface<T> implementation,
      Function<? super T, ? extends @Nullable UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change,
      Function<? super T, ? extends @Nullable QueryEncoding> encoding) {
    define(implementation, "protocol", of, change, UrlSetters::protocol);
    define(implementation, "host", of, change, UrlSetters::host);
    define(implementation, "hostname", of, change, UrlSetters::hostname);
    define(implementation, "port", of, change, UrlSetters::port);
    define(implementation, "pathname", of, change, UrlSetters::pathname);
    setter(
        implementation,
        "search",
        of,
        change,
        (self, url, value) -> UrlSetters.search(url, value, encoding.apply(self)));
    define(implementation, "hash", of, change, UrlSetters::hash);
  }

  private static <T extends PlatformObject> void define(
      Implementations.Interface<T> implementation,
      String part,
      Function<? super T, ? extends @Nullable UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change,
      BiFunction<UrlRecord, String, UrlRecord> set) {
    setter(implementation, part, of, change, (self, url, value) -> set.apply(url, value));
  }

  /** The steps that set a part of the URL of an object. */
  @FunctionalInterface
  private interface Setter<T> {
    UrlRecord set(T self, UrlRecord url, String value);
  }

  private static <T extends PlatformObject> void setter(
      Implementations.Interface<T> implementation,
      String part,
      Function<? super T, ? extends @Nullable UrlRecord> of,
      BiConsumer<? super T, UrlRecord> change,
      Setter<T> steps) {
    implementation.setter(
        part,
        (self, args) -> {
          UrlRecord url = of.apply(self);
          UrlRecord changed = url == null ? null : steps.set(self, url, args.string(0));
          if (changed != null && changed != url) { // a setter that returns early returns its URL
            change.accept(self, changed);
          }
        });
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
