package dev.weblocks.embed;

import dev.weblocks.utf8.Utf8;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The answer to a {@link ResourceRequest}.
 *
 * @param url absolute URL from which the resource was actually loaded
 * @param status HTTP status, 100 to 599
 * @param statusText HTTP reason phrase, possibly empty
 * @param headers in order
 * @param body the whole body, possibly empty
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, must not be changed
public record ResourceResponse(
    String url,
    int status,
    String statusText,
    List<Map.Entry<String, String>> headers,
    byte[] body) {

  /** Copies the list of headers. */
  public ResourceResponse {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(statusText, "statusText");
    headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    Objects.requireNonNull(body, "body");
  }

  /**
   * Returns a response with status 200, one {@code Content-Type} header and a body in UTF-8.
   *
   * @param contentType the value of the header; {@code ;charset=utf-8} is appended to a {@code
   *     text/} type without parameters
   */
  public static ResourceResponse of(String url, String contentType, String body) {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    String type =
        contentType.startsWith("text/") && contentType.indexOf(';') < 0
            ? contentType + ";charset=utf-8"
            : contentType;
    return new ResourceResponse(
        url, 200, "OK", List.of(Map.entry("Content-Type", type)), Utf8.encode(body));
  }
}
