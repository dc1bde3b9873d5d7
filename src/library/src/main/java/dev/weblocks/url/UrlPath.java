package dev.weblocks.url;

import java.util.List;

/**
 * The path of a URL.
 *
 * @see <a href="https://url.spec.whatwg.org/#concept-url-path">path</a>
 */
public sealed interface UrlPath {

  /**
   * An opaque path, as in a {@code mailto:} URL. Only a fragment can be resolved against it.
   *
   * @param text percent-encoded
   */
  record Opaque(String text) implements UrlPath {}

  /**
   * A path of segments.
   *
   * @param list the percent-encoded segments; none contains a slash
   */
  record Segments(List<String> list) implements UrlPath {
    public Segments {
      list = List.copyOf(list);
    }
  }
}
