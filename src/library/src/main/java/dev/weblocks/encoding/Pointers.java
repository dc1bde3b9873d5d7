package dev.weblocks.encoding;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The inverse of the table of an index: the pointer of each code point. Immutable.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#index-pointer">index pointer</a>
 */
final class Pointers {

  private static final int PAGE = 256;

  /** The pointers by code point, in pages; -1 for none, null for an empty page. */
  private final int[] @Nullable [] pages = new int[0x30000 / PAGE][];

  /**
   * Inverts a table.
   *
   * @param isUsed whether a pointer counts; of those of one code point, the lowest does
   * @param prefersLast whether the highest pointer of a code point counts instead
   */
  Pointers(int[] table, IntPredicate isUsed, IntPredicate prefersLast) {
    for (int pointer = 0; pointer < table.length; pointer++) {
      int codePoint = table[pointer];
      if (codePoint >= 0
          && isUsed.test(pointer)
          && (of(codePoint) < 0 || prefersLast.test(codePoint))) {
        put(codePoint, pointer);
      }
    }
  }

  private void put(int codePoint, int pointer) {
    int[] page = pages[codePoint / PAGE];
    if (page == null) {
      page = new int[PAGE];
      Arrays.fill(page, -1);
      pages[codePoint / PAGE] = page;
    }
    page[codePoint % PAGE] = pointer;
  }

  /** Returns the pointer of a code point, -1 for none. */
  int of(int codePoint) {
    int number = codePoint / PAGE;
    int[] page = number < pages.length ? pages[number] : null;
    return page == null ? -1 : page[codePoint % PAGE];
  }
}
