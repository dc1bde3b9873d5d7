package dev.weblocks.harness.wpt;

import java.util.Arrays;

/** The edit distance of two names: the least number of characters to insert, delete or replace. */
public final class EditDistance {

  private EditDistance() {}

  /** Returns the distance; if it exceeds {@code limit}, any number above {@code limit}. */
  public static int between(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit) {
      return limit + 1;
    }
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
