package dev.weblocks.url;

import java.util.List;

/** The serializers of URLs, paths and IP addresses. */
public final class UrlSerializer {

  private UrlSerializer() {}

  /**
   * <a href="https://url.spec.whatwg.org/#concept-url-serializer">URL serializer</a>
   *
   * @param excludeFragment whether to leave the fragment out
   */
  public static String serialize(UrlRecord url, boolean excludeFragment) {
    StringBuilder output = new StringBuilder(url.scheme()).append(':'); // 1
    if (url.host() != null) { // 2
      output.append("//");
      if (url.includesCredentials()) { // 2.2
        output.append(url.username());
        if (!url.password().isEmpty()) {
          output.append(':').append(url.password());
        }
        output.append('@');
      }
      output.append(url.host()); // 2.3
      if (url.port() >= 0) { // 2.4
        output.append(':').append(url.port());
      }
    } else if (url.path() instanceof UrlPath.Segments(List<String> list)
        && list.size() > 1
        && list.getFirst().isEmpty()) {
      output.append("/."); // 3: else the path would be read as a host
    }
    output.append(serializePath(url)); // 4
    if (url.query() != null) { // 5
      output.append('?').append(url.query());
    }
    if (!excludeFragment && url.fragment() != null) { // 6
      output.append('#').append(url.fragment());
    }
    return output.toString();
  }

  /** <a href="https://url.spec.whatwg.org/#url-path-serializer">URL path serializer</a> */
  public static String serializePath(UrlRecord url) {
    return switch (url.path()) {
      case UrlPath.Opaque(String text) -> text;
      case UrlPath.Segments(List<String> list) -> {
        StringBuilder output = new StringBuilder();
        list.forEach(segment -> output.append('/').append(segment));
        yield output.toString();
      }
    };
  }

  /** <a href="https://url.spec.whatwg.org/#concept-ipv4-serializer">IPv4 serializer</a> */
  static String serializeIpv4(long address) {
    return (address >> 24)
        + "."
        + (address >> 16 & 255)
        + "."
        + (address >> 8 & 255)
        + "."
        + (address & 255);
  }

  /** <a href="https://url.spec.whatwg.org/#concept-ipv6-serializer">IPv6 serializer</a> */
  static String serializeIpv6(int[] pieces) {
    StringBuilder output = new StringBuilder();
    int compress = compressedPiece(pieces); // 2
    for (int i = 0; i < 8; i++) { // 4
      if (i == compress) { // 4.3
        output.append(i == 0 ? "::" : ":");
        while (i < 7 && pieces[i + 1] == 0) { // 4.1 and 4.2
          i++;
        }
        continue;
      }
      output.append(Integer.toHexString(pieces[i])); // 4.4
      if (i < 7) { // 4.5
        output.append(':');
      }
    }
    return output.toString();
  }

  /**
   * Returns the start of the first longest run of at least two zeros; -1 if there is none.
   *
   * @see <a href="https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index">find
   *     the IPv6 address compressed piece index</a>
   */
  private static int compressedPiece(int[] pieces) {
    int longest = -1;
    int longestSize = 1;
    int size = 0;
    for (int i = 0; i < 8; i++) {
      size = pieces[i] == 0 ? size + 1 : 0;
      if (size > longestSize) {
        longest = i - size + 1;
        longestSize = size;
      }
    }
    return longest;
  }
}
