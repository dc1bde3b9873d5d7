package dev.weblocks.fetch;

import dev.weblocks.utf8.Utf8;
import java.util.List;
import java.util.Map;

/**
 * A response that came in.
 *
 * @param url absolute URL that it came from
 * @param status 100 to 599
 * @param statusText possibly empty
 * @param headers in order
 * @param body whole
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, not to be changed
public record FetchResponse(
    String url,
    int status,
    String statusText,
    List<Map.Entry<String, String>> headers,
    byte[] body) {

  /** Whether the status is in the range 200 to 299. */
  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /** The body as UTF-8, without byte order mark. */
  public String text() {
    return Utf8.decode(body);
  }
}
