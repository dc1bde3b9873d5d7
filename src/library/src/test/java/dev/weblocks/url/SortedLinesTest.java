package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SortedLinesTest {

  @Test
  void floor_is_the_last_line_that_is_not_above_the_text() {
    TreeSet<String> sorted = new TreeSet<>(List.of("a", "ab", "b", "b.c", "bb", "z"));
    for (int size = sorted.size(); size >= 0; size--) {
      SortedLines lines =
          new SortedLines(String.join("", sorted.stream().map(line -> line + "\n").toList()));
      for (String text : List.of("", "A", "a", "aa", "ab", "abc", "b", "b.", "b.c", "c", "zz")) {
        String expected = sorted.floor(text);
        assertEquals(expected == null ? "" : expected, lines.floor(text), text + " in " + sorted);
      }
      sorted.pollLast();
    }
  }

  @Test
  void contains_finds_whole_lines_only() {
    SortedLines lines = new SortedLines("co.uk\ncom\n");
    assertTrue(lines.contains("com"));
    assertTrue(lines.contains("co.uk"));
    assertFalse(lines.contains("co"));
    assertFalse(lines.contains("comm"));
    assertFalse(new SortedLines("").contains("com"));
  }
}
