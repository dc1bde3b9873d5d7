package dev.weblocks.url;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The setters of {@code URL}, applied to a URL record. On invalid input, the result has the changes
 * made before the failure. If the URL cannot have the part, it is returned itself; any other result
 * is a new record, even if it is equal.
 *
 * @see <a href="https://url.spec.whatwg.org/#url-class">URL Standard</a>
 */
final class UrlSetters {

  private UrlSetters() {}

  /** <a href="https://url.spec.whatwg.org/#dom-url-protocol">protocol</a> */
  static UrlRecord protocol(UrlRecord url, String value) {
    return UrlParser.parseInto(url, value + ":", UrlParser.State.SCHEME_START);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-username">username</a> */
  static UrlRecord username(UrlRecord url, String value) {
    return url.cannotHaveUsernamePasswordPort() // 1
        ? url
        : url.withUsername(userinfo(value)); // 2
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-password">password</a> */
  static UrlRecord password(UrlRecord url, String value) {
    return url.cannotHaveUsernamePasswordPort() // 1
        ? url
        : url.withPassword(userinfo(value)); // 2
  }

  /** <a href="https://url.spec.whatwg.org/#set-the-username">set the username</a> */
  static String userinfo(String value) {
    return PercentEncoding.utf8PercentEncode(value, PercentEncodeSet.USERINFO);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-host">host</a> */
  static UrlRecord host(UrlRecord url, String value) {
    return url.hasOpaquePath() ? url : UrlParser.parseInto(url, value, UrlParser.State.HOST);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-hostname">hostname</a> */
  static UrlRecord hostname(UrlRecord url, String value) {
    return url.hasOpaquePath() ? url : UrlParser.parseInto(url, value, UrlParser.State.HOSTNAME);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-port">port</a> */
  static UrlRecord port(UrlRecord url, String value) {
    if (url.cannotHaveUsernamePasswordPort()) { // 1
      return url;
    }
    return value.isEmpty() // 2 and 3
        ? url.withPort(-1)
        : UrlParser.parseInto(url, value, UrlParser.State.PORT);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-pathname">pathname</a> */
  static UrlRecord pathname(UrlRecord url, String value) {
    if (url.hasOpaquePath()) { // 1
      return url;
    }
    UrlRecord empty = url.withPath(new UrlPath.Segments(List.of())); // 2
    return UrlParser.parseInto(empty, value, UrlParser.State.PATH_START); // 3
  }

  /**
   * <a href="https://url.spec.whatwg.org/#dom-url-search">search</a>, without the query object
   *
   * @param encoding the encoding of the document of a hyperlink or location; null for UTF-8
   */
  static UrlRecord search(UrlRecord url, String value, @Nullable QueryEncoding encoding) {
    if (value.isEmpty()) { // 2
      return url.withQuery(null);
    }
    String input = value.startsWith("?") ? value.substring(1) : value; // 3
    return UrlParser.parseInto(
        url.withQuery(""), input, encoding, UrlParser.State.QUERY); // 4 and 5
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-hash">hash</a> */
  static UrlRecord hash(UrlRecord url, String value) {
    if (value.isEmpty()) { // 1
      return url.withFragment(null);
    }
    String input = value.startsWith("#") ? value.substring(1) : value; // 2
    return UrlParser.parseInto(url.withFragment(""), input, UrlParser.State.FRAGMENT); // 3 and 4
  }
}
