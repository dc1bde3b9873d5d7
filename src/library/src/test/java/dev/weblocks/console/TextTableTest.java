package dev.weblocks.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTableTest {

  @Test
  void cells_are_as_wide_as_the_widest_of_their_column() {
    assertEquals(
        """
        ┌───┬──────┐
        │ i │ 名   │
        ├───┼──────┤
        │ 0 │ abcd │
        │ 1 │ é    │
        └───┴──────┘
        rest\
        """,
        new TextTable(List.of("i", "名"), List.of(List.of("0", "abcd"), List.of("1", "é")), "rest")
            .render());
  }

  @ParameterizedTest
  @CsvSource({"abc,3", "é,1", "e\u0301,1", "日本,4", "ｶﾅ,2", "Ａ,2", "\uD83D\uDE00,2", "한,2", "'',0"})
  void width_is_counted_in_terminal_columns(String text, int width) {
    assertEquals(width, TextTable.width(text));
  }
}
