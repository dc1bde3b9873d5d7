package dev.weblocks.harness.wpt;

import dev.weblocks.url.FormUrlEncoded;
import dev.weblocks.url.PercentEncoding;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a request's URL.
 *
 * @param scheme in lower case, without colon
 * @param host in lower case and ASCII
 * @param port the scheme's default if the URL has none; -1 if the scheme has no default
 * @param path percent-encoded
 * @param query percent-encoded, without question mark; empty when absent
 */
record RequestUrl(String scheme, String host, int port, String path, String query) {

  /** Parses a URL. Returns empty for a URL without a host. */
  static Optional<RequestUrl> parse(String text) {
    UrlRecord url = UrlParser.parse(text);
    if (url == null) {
      return Optional.empty();
    }
    String host = url.host();
    String query = url.query();
    if (host == null || host.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new RequestUrl(
            url.scheme(),
            host,
            url.port() < 0 ? UrlRecord.defaultPort(url.scheme()) : url.port(),
            UrlSerializer.serializePath(url),
            query == null ? "" : query));
  }

  RequestUrl withPath(String other) {
    return new RequestUrl(scheme, host, port, other, query);
  }

  /** Returns the query with its question mark; empty if there is none. */
  String search() {
    return query.isEmpty() ? "" : "?" + query;
  }

  String decodedPath() {
    return PercentEncoding.decode(path);
  }

  List<String> parameters(String name) {
    return FormUrlEncoded.parse(query).stream()
        .filter(entry -> entry.name().equals(name))
        .map(FormUrlEncoded.Entry::value)
        .toList();
  }

  Optional<String> parameter(String name) {
    return parameters(name).stream().findFirst();
  }
}
