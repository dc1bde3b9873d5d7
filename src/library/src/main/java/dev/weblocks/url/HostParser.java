package dev.weblocks.url;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The host parser. It returns hosts in serialized form; null means failure.
 *
 * @see <a href="https://url.spec.whatwg.org/#host-parsing">URL Standard</a>
 */
final class HostParser {

  private static final String FORBIDDEN_HOST = "\0\t\n\r #/:<>?@[\\]^|";

  /** A limit of international domains, since Punycode needs quadratic time; DNS has 253. */
  private static final int MAX_INTERNATIONAL = 16_384;

  private HostParser() {}

  /** <a href="https://url.spec.whatwg.org/#concept-host-parser">host parser</a> */
  static @Nullable String parse(String input, boolean isOpaque) {
    if (input.startsWith("[")) { // 1
      if (!input.endsWith("]")) {
        return null;
      }
      int[] pieces = parseIpv6(input.substring(1, input.length() - 1));
      return pieces == null ? null : "[" + UrlSerializer.serializeIpv6(pieces) + "]";
    }
    if (isOpaque) { // 2
      return parseOpaque(input);
    }
    String domain = PercentEncoding.decode(input); // 4
    String asciiDomain = domainToAscii(domain); // 5
    if (asciiDomain == null) { // 6
      return null;
    }
    if (endsInNumber(asciiDomain)) { // 7
      return parseIpv4(asciiDomain);
    }
    return asciiDomain; // 8
  }

  /**
   * <a href="https://url.spec.whatwg.org/#concept-domain-to-ascii">domain to ASCII</a> with
   * beStrict false; fails also for an international domain that is too long
   */
  private static @Nullable String domainToAscii(String domain) {
    @Nullable String result;
    if (isPlainAscii(domain)) { // step 1 has the same result for these
      result = domain.toLowerCase(Locale.ROOT);
    } else if (domain.length() > MAX_INTERNATIONAL) {
      return null;
    } else {
      result = Idna.toAscii(domain);
    }
    if (result == null // 2
        || result.isEmpty() // 3
        || result.chars().anyMatch(HostParser::isForbiddenInDomain)) {
      return null;
    }
    return result;
  }

  private static boolean isPlainAscii(String domain) {
    boolean atStart = true; // of a label
    for (int i = 0; i < domain.length(); i++) {
      if (domain.charAt(i) > 0x7F || atStart && domain.regionMatches(true, i, "xn--", 0, 4)) {
        return false;
      }
      atStart = domain.charAt(i) == '.';
    }
    return true;
  }

  /**
   * <a href="https://url.spec.whatwg.org/#forbidden-host-code-point">forbidden host code point</a>
   */
  private static boolean isForbiddenInHost(int c) {
    return FORBIDDEN_HOST.indexOf(c) >= 0;
  }

  /**
   * <a href="https://url.spec.whatwg.org/#forbidden-domain-code-point">forbidden domain code
   * point</a>
   */
  private static boolean isForbiddenInDomain(int c) {
    return isForbiddenInHost(c) || c <= 0x1F || c == '%' || c == 0x7F;
  }

  /** <a href="https://url.spec.whatwg.org/#concept-opaque-host-parser">opaque-host parser</a> */
  private static @Nullable String parseOpaque(String input) {
    if (input.chars().anyMatch(HostParser::isForbiddenInHost)) { // 1
      return null;
    }
    return PercentEncoding.utf8PercentEncode(input, PercentEncodeSet.C0_CONTROL); // 4
  }

  /**
   * <a href="https://url.spec.whatwg.org/#ends-in-a-number-checker">ends-in-a-number checker</a>
   */
  private static boolean endsInNumber(String input) {
    List<String> parts = partsOf(input); // 1
    if (parts.getLast().isEmpty()) { // 2
      if (parts.size() == 1) {
        return false;
      }
      parts.removeLast();
    }
    String last = parts.getLast(); // 3
    return !last.isEmpty() && last.chars().allMatch(c -> c >= '0' && c <= '9') // 4
        || parseIpv4Number(last) >= 0; // 5
  }

  private static List<String> partsOf(String input) {
    return new ArrayList<>(List.of(input.split("\\.", -1)));
  }

  /** <a href="https://url.spec.whatwg.org/#concept-ipv4-parser">IPv4 parser</a> */
  private static @Nullable String parseIpv4(String input) {
    List<String> parts = partsOf(input); // 1
    if (parts.getLast().isEmpty() && parts.size() > 1) { // 2
      parts.removeLast();
    }
    if (parts.size() > 4) { // 3
      return null;
    }
    long ipv4 = 0;
    for (int i = 0; i < parts.size(); i++) { // 5
      long number = parseIpv4Number(parts.get(i));
      boolean isLast = i == parts.size() - 1;
      long limit = isLast ? 1L << 8 * (5 - parts.size()) : 256;
      if (number < 0 || number >= limit) { // 5.2, 7, 8
        return null;
      }
      ipv4 += isLast ? number : number << 8 * (3 - i); // 9 to 11
    }
    return UrlSerializer.serializeIpv4(ipv4);
  }

  /**
   * <a href="https://url.spec.whatwg.org/#ipv4-number-parser">IPv4 number parser</a>
   *
   * @return -1 for failure; for numbers above 2^40, returns 2^40, which is too large for every part
   */
  private static long parseIpv4Number(String input) {
    if (input.isEmpty()) { // 1
      return -1;
    }
    int radix = 10; // 3
    int start = 0;
    if (input.startsWith("0x") || input.startsWith("0X")) { // 4
      start = 2;
      radix = 16;
    } else if (input.length() >= 2 && input.charAt(0) == '0') { // 5
      start = 1;
      radix = 8;
    }
    long value = 0; // 6
    for (int i = start; i < input.length(); i++) {
      int digit = PercentEncoding.hexDigit(input.charAt(i));
      if (digit < 0 || digit >= radix) { // 7
        return -1;
      }
      value = Math.min(value * radix + digit, 1L << 40);
    }
    return value;
  }

  /** <a href="https://url.spec.whatwg.org/#concept-ipv6-parser">IPv6 parser</a> */
  private static int @Nullable [] parseIpv6(String input) {
    int[] address = new int[8]; // 1
    int piece = 0; // 2
    int compress = -1; // 3
    int at = 0; // 4
    int end = input.length();
    if (at < end && input.charAt(at) == ':') { // 5
      if (!input.startsWith("::")) {
        return null;
      }
      at += 2;
      compress = ++piece;
    }
    while (at < end) { // 6
      if (piece == 8) { // 6.1
        return null;
      }
      if (input.charAt(at) == ':') { // 6.2
        if (compress >= 0) {
          return null;
        }
        at++;
        compress = ++piece;
        continue;
      }
      int value = 0; // 6.3
      int length = 0;
      while (length < 4 && at < end && PercentEncoding.hexDigit(input.charAt(at)) >= 0) { // 6.4
        value = value << 4 | PercentEncoding.hexDigit(input.charAt(at));
        at++;
        length++;
      }
      if (at < end && input.charAt(at) == '.') { // 6.5
        if (length == 0 || piece > 6) { // 6.5.1 and 6.5.3
          return null;
        }
        if (!parseIpv4Tail(input, at - length, address, piece)) {
          return null;
        }
        piece += 2; // 6.5.5.6
        break; // 6.5.7
      }
      if (at < end && input.charAt(at) == ':') { // 6.6
        at++;
        if (at == end) {
          return null;
        }
      } else if (at < end) { // 6.7
        return null;
      }
      address[piece] = value; // 6.8
      piece++; // 6.9
    }
    if (compress >= 0) { // 7
      int[] expanded = new int[8];
      int after = piece - compress;
      System.arraycopy(address, 0, expanded, 0, compress);
      System.arraycopy(address, compress, expanded, 8 - after, after);
      return expanded;
    }
    return piece == 8 ? address : null; // 8
  }

  /** Runs step 6.5.5 of the IPv6 parser: four decimal numbers at the end; false on failure. */
  private static boolean parseIpv4Tail(String input, int from, int[] address, int piece) {
    int at = from;
    for (int seen = 0; seen < 4; seen++) {
      if (seen > 0) { // 6.5.5.2
        if (at >= input.length() || input.charAt(at) != '.') {
          return false;
        }
        at++;
      }
      int value = -1; // 6.5.5.1
      while (at < input.length() && input.charAt(at) >= '0' && input.charAt(at) <= '9') { // .4
        int number = input.charAt(at) - '0';
        if (value == 0) { // a leading zero
          return false;
        }
        value = value < 0 ? number : value * 10 + number;
        if (value > 255) {
          return false;
        }
        at++;
      }
      if (value < 0) { // 6.5.5.3
        return false;
      }
      address[piece + seen / 2] = address[piece + seen / 2] << 8 | value; // 6.5.5.5
    }
    return at == input.length();
  }
}
