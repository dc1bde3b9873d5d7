package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ResultsTest {

  @Test
  void ratio_is_figure_divided_by_the_best_if_more_is_better() {
    Results.Row row = Made.row("sequential", "weblocks-jit", 300, "node", 200, "deno", 100);

    assertEquals("node", row.best());
    assertEquals(OptionalDouble.of(1.5), row.ratioToBest("weblocks-jit"));
    assertEquals(OptionalDouble.of(0.5), row.ratioToBest("deno"));
  }

  @Test
  void ratio_is_the_best_divided_by_figure_if_less_is_better() {
    Results.Row row = Made.row("first-lock", "weblocks-jit", 400, "node", 200, "deno", 100);

    assertEquals("deno", row.best());
    assertEquals(OptionalDouble.of(0.25), row.ratioToBest("weblocks-jit"));
  }

  @Test
  void chromium_never_counts_as_the_best() {
    Results.Row row = Made.row("sequential", "weblocks-jit", 300, "deno", 100, "chromium", 900);

    assertEquals("deno", row.best());
    assertEquals(OptionalDouble.of(9), row.ratioToBest("chromium"));
  }

  @Test
  void an_engine_that_failed_is_not_the_best() {
    Results.Row row =
        Made.row("sequential", "weblocks-jit", 3, "node", new Score.Failed("no"), "deno", 2);

    assertEquals("deno", row.best());
    assertEquals(OptionalDouble.of(1.5), row.ratioToBest("weblocks-jit"));
    assertEquals(OptionalDouble.empty(), row.ratioToBest("node"));
  }

  @Test
  void without_node_and_deno_there_is_no_ratio() {
    Results.Row row = Made.row("sequential", "weblocks-jit", 300, "chromium", 2);

    assertNull(row.best());
    assertEquals(OptionalDouble.empty(), row.ratioToBest("weblocks-jit"));
  }

  @Test
  void figure_of_zero_has_no_ratio() {
    assertEquals(
        OptionalDouble.empty(),
        Made.row("sequential", "weblocks-jit", 0, "node", 5).ratioToBest("weblocks-jit"));
    assertEquals(
        OptionalDouble.empty(),
        Made.row("query", "weblocks-jit", 0, "node", 5).ratioToBest("weblocks-jit"));
  }

  @Test
  void only_failures_of_weblocks_fail_the_run() {
    Score failed = new Score.Failed("no");

    assertFalse(Made.results(Made.row("query", "weblocks", 1, "node", failed)).ownFailure());
    assertTrue(Made.results(Made.row("query", "weblocks", failed, "node", 1)).ownFailure());
    assertTrue(Made.results(Made.row("query", "weblocks-jit", failed)).ownFailure());
  }
}
