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
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, must not be changed
public record ResourceRequest(
    String method, String url, List<Map.Entry<String, String>> headers, byte[] body) {

  /** Copies the list of headers. */
  public ResourceRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(url, "url");
    headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    Objects.requireNonNull(body, "body");
  }
}
