package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTextTest {

  @Test
  void table_has_medians_and_ratios_with_notes_below_it() {
    assertEquals(
        """
        workload    unit      weblocks-jit  weblocks     node  deno  weblocks-jit/best  weblocks/best
        sequential  locks/s        300,000    50,000  200,000  90.0              1.50x          0.25x
        query       ms/query          0.50     4.00*   failed  0.25              0.50x         0.063x
        growth      times             1.10         -        -     -                  -              -

        query, weblocks: 1,000 instead of 10,000 a round; slow
        query, node: failed: Error: <no> & "never"
        Medians of 3 rounds (fewer for long workloads); /best: how many times better than the better one of Node and Deno.
        Engines: weblocks-jit 1.0, weblocks 1.0, node 26, deno 2
        """,
        ResultText.of(Made.mixed()));
  }

  @Test
  void interrupted_run_without_rows_is_still_marked() {
    Results none = Made.results();
    String text =
        ResultText.of(new Results(none.versions(), none.leftOut(), List.of(), true, 1, false));

    assertTrue(text.startsWith("Medians of 1 round (a quick run, so figures are rough); "), text);
    assertTrue(text.contains("\nThe run was interrupted; these are the results so far.\n"), text);
  }

  @Test
  void number_of_decimals_depends_on_the_size_of_the_number() {
    assertEquals("1,234,568", ResultText.number(1_234_567.9));
    assertEquals("100", ResultText.number(100));
    assertEquals("99.9", ResultText.number(99.94));
    assertEquals("1.23", ResultText.number(1.234));
    assertEquals("0.10", ResultText.number(0.1));
    assertEquals("0.012", ResultText.number(0.0123));
    assertEquals("0.00", ResultText.number(0));
    assertEquals("-5.00", ResultText.number(-5));
  }
}
