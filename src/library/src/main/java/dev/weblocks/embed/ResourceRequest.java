package dev.weblocks.embed;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A request for a resource.
 *
 * @param method the HTTP method in upper case, such as {@code GET}
 * @param url absolute, without fragment
 * @param headers in order; names are spelled as script or the user agent set them
 * @param body empty if there is none
 * @param origins the serialized origins that the request comes from: that of the page or worker
 *     that makes it, or of the page that starts a navigation, reload or traversal, then those of
 *     the URLs that have redirected it. A sandboxed page has the origin of its URL; {@code null}
 *     stands for a page whose URL has none, such as a {@code data:} URL. Empty if the embedder
 *     makes the request
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, must not be changed
public record ResourceRequest(
    String method,
    String url,
    List<Map.Entry<String, String>> headers,
    byte[] body,
    List<String> origins) {

  /** Copies the lists. */
  public ResourceRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(url, "url");
    headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    Objects.requireNonNull(body, "body");
    origins = List.copyOf(Objects.requireNonNull(origins, "origins"));
  }

  /** Creates a request that the embedder makes. */
  public ResourceRequest(
      String method, String url, List<Map.Entry<String, String>> headers, byte[] body) {
    this(method, url, headers, body, List.of());
  }
}
