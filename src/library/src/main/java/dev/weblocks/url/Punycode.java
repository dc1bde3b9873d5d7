package dev.weblocks.url;

import org.jspecify.annotations.Nullable;

/**
 * Labels of domain names that are not ASCII, in ASCII without the prefix {@code xn--}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3492">RFC 3492</a>
 */
final class Punycode {

  /** The maximum length in UTF-16 code units of either form, since both need quadratic time. */
  static final int MAX_LABEL = 2_000;

  // the parameters, section 5
  private static final int BASE = 36;
  private static final int T_MIN = 1;
  private static final int T_MAX = 26;
  private static final int SKEW = 38;
  private static final int DAMP = 700;
  private static final int INITIAL_BIAS = 72;
  private static final int INITIAL_N = 0x80;

  private Punycode() {}

  /** Returns the ASCII form of a label (section 6.3), or null if it is too long. */
  static @Nullable String encode(String label) {
    if (label.length() > MAX_LABEL) {
      return null;
    }
    int[] input = label.codePoints().toArray();
    StringBuilder output = new StringBuilder();
    for (int c : input) {
      if (c < INITIAL_N) {
        output.append((char) c);
      }
    }
    int basic = output.length();
    int handled = basic;
    if (basic > 0) {
      output.append('-');
    }
    int n = INITIAL_N;
    int delta = 0;
    int bias = INITIAL_BIAS;
    while (handled < input.length) {
      int next = Integer.MAX_VALUE;
      for (int c : input) {
        if (c >= n && c < next) {
          next = c;
        }
      }
      // section 6.4; each loop below adds MAX_LABEL at most
      if (next - n > (Integer.MAX_VALUE - MAX_LABEL - delta) / (handled + 1)) {
        return null;
      }
      delta += (next - n) * (handled + 1);
      n = next;
      for (int c : input) {
        if (c < n) {
          delta++;
        } else if (c == n) {
          int rest = delta;
          for (int k = BASE; ; k += BASE) {
            int threshold = threshold(k, bias);
            if (rest < threshold) {
              break;
            }
            output.append(digit(threshold + (rest - threshold) % (BASE - threshold)));
            rest = (rest - threshold) / (BASE - threshold);
          }
          output.append(digit(rest));
          bias = adapt(delta, handled + 1, handled == basic);
          delta = 0;
          handled++;
        }
      }
      delta++;
      n++;
    }
    return output.toString();
  }

  /** Returns the label of an ASCII form (section 6.2), or null if that is invalid or too long. */
  static @Nullable String decode(String ascii) {
    if (ascii.length() > MAX_LABEL) {
      return null;
    }
    int delimiter = ascii.lastIndexOf('-');
    int[] output = new int[ascii.length()];
    int length = Math.max(delimiter, 0);
    for (int j = 0; j < length; j++) {
      output[j] = ascii.charAt(j);
      if (output[j] >= INITIAL_N) {
        return null;
      }
    }
    int n = INITIAL_N;
    int i = 0;
    int bias = INITIAL_BIAS;
    int at = delimiter > 0 ? delimiter + 1 : 0; // it follows code points, or is no delimiter
    while (at < ascii.length()) {
      long sum = i;
      long weight = 1;
      for (int k = BASE; ; k += BASE) {
        int digit = at < ascii.length() ? valueOf(ascii.charAt(at++)) : -1;
        if (digit < 0) {
          return null;
        }
        sum += digit * weight;
        int threshold = threshold(k, bias);
        if (sum > Integer.MAX_VALUE) {
          return null;
        }
        if (digit < threshold) {
          break;
        }
        weight *= BASE - threshold;
        if (weight > Integer.MAX_VALUE) {
          return null;
        }
      }
      int count = length + 1;
      bias = adapt((int) sum - i, count, i == 0);
      n = (int) Math.min(n + sum / count, Integer.MAX_VALUE);
      i = (int) (sum % count);
      if (n > Character.MAX_CODE_POINT) {
        return null;
      }
      System.arraycopy(output, i, output, i + 1, length - i);
      output[i++] = n;
      length++;
    }
    return new String(output, 0, length);
  }

  private static int threshold(int k, int bias) {
    return Math.clamp(k - bias, T_MIN, T_MAX);
  }

  /** The adaptation of the bias, section 6.1. */
  private static int adapt(int delta, int count, boolean isFirst) {
    int rest = isFirst ? delta / DAMP : delta / 2;
    rest += rest / count;
    int k = 0;
    while (rest > (BASE - T_MIN) * T_MAX / 2) {
      rest /= BASE - T_MIN;
      k += BASE;
    }
    return k + (BASE - T_MIN + 1) * rest / (rest + SKEW);
  }

  private static char digit(int value) {
    return (char) (value < 26 ? 'a' + value : '0' + value - 26);
  }

  /** Returns the value of a digit in lower case; -1 for another character. */
  private static int valueOf(char c) {
    if (c >= 'a' && c <= 'z') {
      return c - 'a';
    }
    return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
  }
}
