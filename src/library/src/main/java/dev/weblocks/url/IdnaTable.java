package dev.weblocks.url;

import dev.weblocks.binding.Resources;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The properties of code points for domain names, and their mapping and normalization. The
 * normalizer of the JDK has another version of Unicode in each release of the JDK.
 *
 * <p>The build writes {@code idna.txt} ({@code DomainTables}). It has three parts, whose lines
 * begin with code points in six hexadecimal digits each:
 *
 * <ul>
 *   <li>properties, from this code point up to that of the next line: "-" if disallowed; else a
 *       letter for the bidirectional class, one for the joining type, "M" for a mark, and the
 *       canonical combining class
 *   <li>mappings and canonical decompositions: a code point and its replacement
 *   <li>canonical compositions: two code points and the one that replaces them
 * </ul>
 */
final class IdnaTable {

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private static final int DIGITS = 6;

  // Hangul syllables are composed by arithmetic: the Unicode Standard, section 3.12
  private static final int LEADING = 0x1100;
  private static final int LEADING_COUNT = 19;
  private static final int VOWEL = 0x1161;
  private static final int VOWEL_COUNT = 21;
  private static final int TRAILING = 0x11A7;
  private static final int TRAILING_COUNT = 28;
  private static final int SYLLABLE = 0xAC00;
  private static final int SYLLABLE_COUNT = LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT;

  static final IdnaTable INSTANCE = new IdnaTable();

  private final SortedLines properties;
  private final SortedLines mappings;
  private final SortedLines compositions;

  private IdnaTable() {
    String[] parts = Resources.text(IdnaTable.class, "idna.txt").split("(?<=\n)\n");
    properties = new SortedLines(parts[0]);
    mappings = new SortedLines(parts[1]);
    compositions = new SortedLines(parts[2]);
  }

  private static String key(int codePoint) {
    return HEX.toHexDigits(codePoint, DIGITS);
  }

  private char property(int codePoint, int index) {
    return properties.floor(key(codePoint) + '\uFFFF').charAt(DIGITS + index);
  }

  private boolean isDisallowed(int codePoint) {
    return property(codePoint, 0) == '-';
  }

  /**
   * Returns the bidirectional class of an allowed code point: L, R (also for AL), A (AN), E (EN), M
   * (NSM), N (ES, CS, ET, ON or BN) or X (another one).
   */
  char bidiClass(int codePoint) {
    return property(codePoint, 0);
  }

  /** Returns the joining type of an allowed code point: D, L, R, T or U, also for join-causing. */
  char joiningType(int codePoint) {
    return property(codePoint, 1);
  }

  /** Returns whether the general category of an allowed code point is Mark. */
  boolean isMark(int codePoint) {
    return property(codePoint, 2) == 'M';
  }

  /** Returns the canonical combining class of an allowed code point. */
  int combiningClass(int codePoint) {
    return Integer.parseInt(properties.floor(key(codePoint) + '\uFFFF').substring(DIGITS + 3));
  }

  /**
   * Maps the code points of a text, and brings it into normalization form C.
   *
   * @return null if a code point is disallowed
   * @see <a href="https://www.unicode.org/reports/tr46/#Processing">UTS #46, steps 1 and 2</a>
   */
  @Nullable String mapAndNormalize(String text) {
    StringBuilder mapped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      if (!map(text.codePointAt(i), mapped)) {
        return null;
      }
    }
    int[] codePoints = mapped.codePoints().toArray();
    int[] classes = Arrays.stream(codePoints).map(this::combiningClass).toArray();
    reorder(codePoints, classes);
    return compose(codePoints, classes);
  }

  /** Appends the mapping of a code point, decomposed; false if it is disallowed. */
  private boolean map(int codePoint, StringBuilder mapped) {
    String key = key(codePoint);
    String line = mappings.floor(key + '\uFFFF');
    if (!line.startsWith(key)) {
      mapped.appendCodePoint(codePoint);
      return !isDisallowed(codePoint);
    }
    for (int i = DIGITS; i < line.length(); i += DIGITS) {
      if (!map(HexFormat.fromHexDigits(line, i, i + DIGITS), mapped)) {
        return false;
      }
    }
    return true;
  }

  /** Sorts each run of code points whose class is not 0 by class, stably. */
  private static void reorder(int[] codePoints, int[] classes) {
    for (int from = 0; from < codePoints.length; from++) {
      int to = from;
      while (to < codePoints.length && classes[to] != 0) {
        to++;
      }
      if (to - from > 1) {
        long[] keys = new long[to - from];
        for (int i = from; i < to; i++) {
          keys[i - from] = (long) classes[i] << 32 | i;
        }
        Arrays.sort(keys);
        int[] unsorted = Arrays.copyOfRange(codePoints, from, to);
        for (int i = from; i < to; i++) {
          codePoints[i] = unsorted[(int) keys[i - from] - from];
          classes[i] = (int) (keys[i - from] >> 32);
        }
      }
      from = Math.max(from, to);
    }
  }

  private String compose(int[] codePoints, int[] classes) {
    int starter = -1;
    int length = 0;
    for (int i = 0; i < codePoints.length; i++) {
      boolean blocked = starter < 0 || length > starter + 1 && classes[length - 1] >= classes[i];
      int composed = blocked ? -1 : composition(codePoints[starter], codePoints[i]);
      if (composed >= 0) {
        codePoints[starter] = composed;
        continue;
      }
      if (classes[i] == 0) {
        starter = length;
      }
      codePoints[length] = codePoints[i];
      classes[length++] = classes[i];
    }
    return new String(codePoints, 0, length);
  }

  /** Returns the canonical composition of two code points; -1 if there is none. */
  private int composition(int first, int second) {
    int leading = first - LEADING;
    int vowel = second - VOWEL;
    if (isIn(leading, LEADING_COUNT) && isIn(vowel, VOWEL_COUNT)) {
      return SYLLABLE + (leading * VOWEL_COUNT + vowel) * TRAILING_COUNT;
    }
    int syllable = first - SYLLABLE;
    int trailing = second - TRAILING;
    if (isIn(syllable, SYLLABLE_COUNT)
        && syllable % TRAILING_COUNT == 0
        && trailing > 0
        && trailing < TRAILING_COUNT) {
      return first + trailing;
    }
    String pair = key(first) + key(second);
    String line = compositions.floor(pair + '\uFFFF');
    return line.startsWith(pair) ? HexFormat.fromHexDigits(line, 2 * DIGITS, line.length()) : -1;
  }

  private static boolean isIn(int index, int count) {
    return index >= 0 && index < count;
  }
}
