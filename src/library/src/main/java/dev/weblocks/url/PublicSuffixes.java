package dev.weblocks.url;

import dev.weblocks.binding.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The computation of registrable domains from the Public Suffix List of the build; nothing is
 * downloaded.
 *
 * @see <a href="https://url.spec.whatwg.org/#host-registrable-domain">URL Standard</a>
 */
public final class PublicSuffixes {

  /** The rules of the list in ASCII, which the build writes ({@code DomainTables}). */
  private static final SortedLines RULES =
      new SortedLines(Resources.text(PublicSuffixes.class, "public-suffixes.txt"));

  /** The maximum length in characters of a domain, and so of a rule of the list. */
  private static final int LONGEST = 253;

  private PublicSuffixes() {}

  /**
   * Returns a host's registrable domain: public suffix and one more label. Keeps a trailing dot.
   *
   * @param host a host in the form of a URL's origin: ASCII, lower case, IPv6 addresses in brackets
   * @return null for an IP address, a public suffix or a single label
   */
  public static @Nullable String registrableDomain(String host) {
    if (host.startsWith("[")) {
      return null;
    }
    String domain = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    String[] labels = domain.split("\\.", -1);
    String last = labels[labels.length - 1];
    // a host that ends in a number is an IPv4 address, by the URL parser
    if (last.chars().allMatch(PublicSuffixes::isDigit)) {
      return null;
    }
    int from = labels.length - suffixLabels(labels) - 1;
    if (from < 0) {
      return null;
    }
    int start = 0;
    for (int i = 0; i < from; i++) {
      start += labels[i].length() + 1;
    }
    return host.substring(start);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Returns the number of labels of the public suffix; 1 if only the rule {@code *} matches.
   *
   * @see <a href="https://github.com/publicsuffix/list/wiki/Format#algorithm">algorithm</a>
   */
  private static int suffixLabels(String[] labels) {
    int count = 1;
    String tail = "";
    for (int i = labels.length - 1; i >= 0 && tail.length() < LONGEST; i--) {
      boolean wildcard = RULES.contains("*." + tail);
      tail = tail.isEmpty() ? labels[i] : labels[i] + "." + tail;
      if (RULES.contains("!" + tail)) {
        return labels.length - i - 1;
      }
      if (wildcard || RULES.contains(tail)) {
        count = labels.length - i;
      }
    }
    return count;
  }
}
