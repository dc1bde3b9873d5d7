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
    return new FetchRequest("GET", withoutFragment(url), List.of(), new byte[0]);
  }

  /** A URL up to its fragment. */
  static String withoutFragment(String url) {
    int fragment = url.indexOf('#');
    return fragment < 0 ? url : url.substring(0, fragment);
  }
}
