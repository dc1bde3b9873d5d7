package dev.weblocks.harness.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineDiffTest {

  private static List<String> lines(String letters) {
    return letters.chars().mapToObj(letter -> String.valueOf((char) letter)).toList();
  }

  /** Returns the lines of a diff, each with its sign. */
  private static String shown(String left, String right) {
    StringBuilder text = new StringBuilder();
    for (LineDiff.Line line : LineDiff.of(lines(left), lines(right))) {
      text.append(line.isCommon() ? "" : line.left() > 0 ? "-" : "+").append(line.text());
    }
    return text.toString();
  }

  @Test
  void equal_texts_have_only_common_lines() {
    assertEquals("abc", shown("abc", "abc"));
    assertEquals("", shown("", ""));
  }

  @Test
  void lines_found_in_only_one_text_are_shown_at_their_position() {
    assertEquals("+a", shown("", "a"));
    assertEquals("-a", shown("a", ""));
    assertEquals("-a+b", shown("a", "b"));
    assertEquals("a+xb", shown("ab", "axb"));
    assertEquals("a-xb", shown("axb", "ab"));
  }

  @Test
  void lines_have_their_line_number_in_each_text() {
    assertEquals(
        List.of(
            new LineDiff.Line("a", 1, 1),
            new LineDiff.Line("b", 2, 0),
            new LineDiff.Line("c", 3, 2),
            new LineDiff.Line("d", 0, 3)),
        LineDiff.of(lines("abc"), lines("acd")));
  }

  @Test
  void diff_reproduces_both_texts_and_is_minimal() {
    SplittableRandom random = new SplittableRandom(20250924);
    for (int round = 0; round < 2000; round++) {
      List<String> left = randomLines(random);
      List<String> right = randomLines(random);
      List<LineDiff.Line> diff = LineDiff.of(left, right);
      assertEquals(left, diff.stream().filter(l -> l.left() > 0).map(LineDiff.Line::text).toList());
      assertEquals(
          right, diff.stream().filter(l -> l.right() > 0).map(LineDiff.Line::text).toList());
      long common = diff.stream().filter(LineDiff.Line::isCommon).count();
      assertEquals(longestCommon(left, right), common, left + " and " + right);
    }
  }

  private static List<String> randomLines(SplittableRandom random) {
    List<String> lines = new ArrayList<>();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      lines.add(String.valueOf((char) ('a' + random.nextInt(4))));
    }
    return lines;
  }

  /** Returns the length of the longest common subsequence, by the table of all prefixes. */
  private static int longestCommon(List<String> left, List<String> right) {
    int[][] longest = new int[left.size() + 1][right.size() + 1];
    for (int i = 1; i <= left.size(); i++) {
      for (int j = 1; j <= right.size(); j++) {
        longest[i][j] =
            left.get(i - 1).equals(right.get(j - 1))
                ? longest[i - 1][j - 1] + 1
                : Math.max(longest[i - 1][j], longest[i][j - 1]);
      }
    }
    return longest[left.size()][right.size()];
  }

  @Test
  void texts_with_hardly_any_common_lines_are_not_aligned() {
    List<String> left = new ArrayList<>(Collections.nCopies(3000, "x"));
    List<String> right = new ArrayList<>(Collections.nCopies(3000, "y"));
    left.addFirst("begin");
    right.addFirst("begin");
    List<LineDiff.Line> diff = LineDiff.of(left, right);
    assertEquals(6001, diff.size());
    assertTrue(diff.getFirst().isCommon());
    assertEquals(1, diff.stream().filter(LineDiff.Line::isCommon).count());
  }
}
