package dev.weblocks.storage;

import com.google.common.net.InternetDomainName;
import org.jspecify.annotations.Nullable;

/**
 * The computation of registrable domains from Guava's Public Suffix List; nothing is downloaded.
 *
 * @see <a href="https://url.spec.whatwg.org/#host-registrable-domain">URL Standard</a>
 */
final class PublicSuffixes {

  /** The maximum length in characters of a domain in Guava, and so of a rule of the list. */
  private static final int LONGEST = 253;

  private static final int LONGEST_LABEL = 63;

  /** The replacement for labels that Guava might reject; no rule contains this label. */
  private static final String OTHER = "x--other";

  private PublicSuffixes() {}

  /**
   * Returns a host's registrable domain: public suffix and one more label. Keeps a trailing dot.
   *
   * @param host a host in the form of a URL's origin: ASCII, lower case, IPv6 addresses in brackets
   * @return null for an IP address, a public suffix or a single label
   */
  static @Nullable String registrableDomain(String host) {
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

  /** Returns the number of labels of the public suffix; 1 if only the rule {@code *} matches. */
  private static int suffixLabels(String[] labels) {
    String last = labels[labels.length - 1];
    if (!isInRules(last) || isDigit(last.charAt(0))) {
      return 1; // no rule ends in such a label
    }
    StringBuilder tail = new StringBuilder();
    for (int i = labels.length - 1; i >= 0; i--) {
      String label = isInRules(labels[i]) ? labels[i] : OTHER;
      if (tail.length() + 1 + label.length() > LONGEST) {
        break;
      }
      tail.insert(0, tail.isEmpty() ? label : label + ".");
    }
    InternetDomainName suffix = InternetDomainName.from(tail.toString()).publicSuffix();
    return suffix == null ? 1 : suffix.parts().size();
  }

  /**
   * Returns whether a label is valid for Guava and may be part of a rule. The caller checks that
   * the last label does not begin with a digit.
   */
  private static boolean isInRules(String label) {
    return !label.isEmpty()
        && label.length() <= LONGEST_LABEL
        && label.chars().allMatch(c -> (c >= 'a' && c <= 'z') || isDigit(c) || c == '-')
        && label.charAt(0) != '-'
        && label.charAt(label.length() - 1) != '-';
  }
}
