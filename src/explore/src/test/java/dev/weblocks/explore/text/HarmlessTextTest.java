package dev.weblocks.explore.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HarmlessTextTest {

  @Test
  void invisible_and_control_characters_are_escaped() {
    assertEquals(
        "U+0000U+001b[31mU+007fU+0085U+2028U+202eU+feffU+fffeU+1ffffU+d800 \ud83d\ude00 é",
        HarmlessText.line(
            "\0\u001b[31m\u007f\u0085\u2028\u202e\ufeff\ufffe\ud83f\udfff\ud800 "
                + "\ud83d\ude00 é"));
  }

  @Test
  void line_ends_are_kept_in_multi_line_texts() {
    assertEquals("a\n\tbU+000d\n", HarmlessText.lines("a\n\tb\r\n"));
    assertEquals("a\\n\\tbU+000d\\n", HarmlessText.line("a\n\tb\r\n"));
  }

  @Test
  void colours_are_the_only_controls_kept_for_a_terminal() {
    assertEquals("\u001b[1;31mred\n\u001b[0m", HarmlessText.onTerminal("\u001b[1;31mred\n"));
    assertEquals(
        "U+001b[2JU+001b]52;c;ZQ==U+0007U+000dforgedU+009b31mU+202e",
        HarmlessText.onTerminal("\u001b[2J\u001b]52;c;ZQ==\u0007\rforged\u009b31m\u202e"));
    assertEquals("plain\ttext", HarmlessText.onTerminal("plain\ttext"));
  }
}
