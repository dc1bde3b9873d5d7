package dev.weblocks.url;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Domain names to ASCII with the parameters of the URL Standard: CheckHyphens, UseSTD3ASCIIRules,
 * Transitional_Processing, VerifyDnsLength and IgnoreInvalidPunycode are false, CheckBidi and
 * CheckJoiners are true.
 *
 * @see <a href="https://www.unicode.org/reports/tr46/#ToASCII">UTS #46</a>
 */
final class Idna {

  private static final String ACE_PREFIX = "xn--";

  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  /** The canonical combining class of viramas. */
  private static final int VIRAMA = 9;

  private static final IdnaTable TABLE = IdnaTable.INSTANCE;

  private Idna() {}

  /** Returns the domain in ASCII; null if it is invalid or has a label that is too long. */
  static @Nullable String toAscii(String domain) {
    String normalized = TABLE.mapAndNormalize(domain); // Processing, 1 and 2
    if (normalized == null) {
      return null;
    }
    List<String> ascii = new ArrayList<>();
    List<int[]> labels = new ArrayList<>();
    for (String label : normalized.split("\\.", -1)) { // 3
      String unicode = label;
      if (label.startsWith(ACE_PREFIX)) { // 4
        unicode = Punycode.decode(label.substring(ACE_PREFIX.length()));
        if (unicode == null
            || isAscii(unicode)
            || unicode.startsWith(ACE_PREFIX)
            || !unicode.equals(TABLE.mapAndNormalize(unicode))) {
          return null;
        }
      } else if (!isAscii(label)) { // ToASCII, 3
        String encoded = Punycode.encode(label);
        if (encoded == null) {
          return null;
        }
        label = ACE_PREFIX + encoded;
      }
      int[] codePoints = unicode.codePoints().toArray();
      if (codePoints.length > 0 && (TABLE.isMark(codePoints[0]) || !checkJoiners(codePoints))) {
        return null;
      }
      labels.add(codePoints);
      ascii.add(label);
    }
    if (labels.stream().anyMatch(Idna::isRightToLeft)
        && !labels.stream().allMatch(Idna::checkBidi)) {
      return null;
    }
    return String.join(".", ascii);
  }

  private static boolean isAscii(String label) {
    return label.chars().allMatch(c -> c <= 0x7F);
  }

  /**
   * <a href="https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1">ContextJ rules</a>, appendices
   * A.1 and A.2
   */
  private static boolean checkJoiners(int[] label) {
    for (int i = 0; i < label.length; i++) {
      boolean isNonJoiner = label[i] == ZERO_WIDTH_NON_JOINER;
      if ((isNonJoiner || label[i] == ZERO_WIDTH_JOINER)
          && (i == 0 || TABLE.combiningClass(label[i - 1]) != VIRAMA)
          && !(isNonJoiner && joins(label, i, -1, 'L') && joins(label, i, 1, 'R'))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the next code point in a direction that is not transparent joins there: its
   * type is D or the given one.
   */
  private static boolean joins(int[] label, int from, int step, char type) {
    int i = from + step;
    while (i >= 0 && i < label.length && TABLE.joiningType(label[i]) == 'T') {
      i += step;
    }
    if (i < 0 || i >= label.length) {
      return false;
    }
    char found = TABLE.joiningType(label[i]);
    return found == 'D' || found == type;
  }

  private static boolean isRightToLeft(int[] label) {
    for (int c : label) {
      char bidi = TABLE.bidiClass(c);
      if (bidi == 'R' || bidi == 'A') {
        return true;
      }
    }
    return false;
  }

  /** <a href="https://www.rfc-editor.org/rfc/rfc5893#section-2">the Bidi rule</a> */
  private static boolean checkBidi(int[] label) {
    if (label.length == 0) {
      return true;
    }
    char first = TABLE.bidiClass(label[0]); // 1
    if (first != 'L' && first != 'R') {
      return false;
    }
    String allowed = first == 'R' ? "RAENM" : "LENM"; // 2 and 5
    boolean hasEuropean = false;
    boolean hasArabic = false;
    char last = first; // that is no nonspacing mark
    for (int c : label) {
      char bidi = TABLE.bidiClass(c);
      if (allowed.indexOf(bidi) < 0) {
        return false;
      }
      hasEuropean |= bidi == 'E';
      hasArabic |= bidi == 'A';
      if (bidi != 'M') {
        last = bidi;
      }
    }
    return first == 'R'
        ? last != 'N' && !(hasEuropean && hasArabic) // 3 and 4
        : last == 'L' || last == 'E'; // 6
  }
}
