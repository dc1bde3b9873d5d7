package dev.weblocks.fetch;

import java.util.List;
import java.util.Map;

/**
 * A request on its way out of the user agent.
 *
 * @param method upper case
 * @param url absolute, without fragment
 * @param headers in order
 * @param body empty when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, not to be changed
public record FetchRequest(
    String method, String url, List<Map.Entry<String, String>> headers, byte[] body) {

  /** A GET of a URL. */
  public static FetchRequest get(String url) {
    int fragment = url.indexOf('#');
    return new FetchRequest(
        "GET", fragment < 0 ? url : url.substring(0, fragment), List.of(), new byte[0]);
  }
}
