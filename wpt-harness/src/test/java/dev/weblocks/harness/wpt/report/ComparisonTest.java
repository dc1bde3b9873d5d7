package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.report.Comparison.Absence;
import dev.weblocks.harness.wpt.report.Comparison.Column;
import dev.weblocks.harness.wpt.report.Comparison.Difference;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final RunReport OURS =
      new RunReport(
          Map.of(),
          null,
          null,
          List.of(
              Runs.test("/d/a.html", "OK", Runs.pass("both"), Runs.fail("lost"), Runs.pass("won")),
              Runs.test("/d/e/t.html?x/y", "TIMEOUT", Runs.pass("one")),
              Runs.test("/c.html", "PASS")),
          List.of(new NotRun("/d/skipped.html", "", null, "not supported")),
          false);

  private static final RunReport THEIRS =
      Runs.of(
          List.of(
              Runs.test("/d/a.html", "OK", Runs.pass("both"), Runs.pass("lost"), Runs.fail("won")),
              Runs.test("/d/e/t.html?x/y", "OK", Runs.pass("one"), Runs.pass("two")),
              Runs.test("/c.html", "CRASH"),
              Runs.test("/d/skipped.html", "OK", Runs.pass("more")),
              Runs.test("/far/away.html", "OK", Runs.pass("more"))));

  private static final List<Column> COLUMNS =
      List.of(new Column("ours", OURS), new Column("theirs", THEIRS));

  private static String plain(Comparison comparison) {
    return ComparisonText.of(comparison, UnaryOperator.identity(), UnaryOperator.identity());
  }

  @Test
  void directory_counts_include_subtests_and_tests_without_subtests() {
    Comparison comparison = Comparison.ofAll(COLUMNS);

    assertEquals("[1/1, 0/1]", comparison.directories().get("").toString());
    assertEquals("[2/3, 3/4]", comparison.directories().get("d").toString());
    assertEquals("[1/1, 2/2]", comparison.directories().get("d/e").toString());
    assertEquals("[0/0, 1/1]", comparison.directories().get("far").toString());
    assertEquals("[4/5, 6/8]", comparison.totals().toString());
  }

  @Test
  void regressions_pass_in_the_other_run_but_not_in_ours() {
    assertEquals(
        List.of(
            new Difference("/d/a.html", "lost", List.of("FAIL", "PASS")),
            new Difference("/d/e/t.html?x/y", "two", List.of(Comparison.LOST, "PASS"))),
        Comparison.ofAll(COLUMNS).regressions());
  }

  @Test
  void wins_pass_in_our_run_but_not_in_the_other() {
    assertEquals(
        List.of(
            new Difference("/d/a.html", "won", List.of("PASS", "FAIL")),
            new Difference("/c.html", null, List.of("PASS", "CRASH"))),
        Comparison.ofAll(COLUMNS).wins());
  }

  @Test
  void tests_that_differ_in_overall_status_are_listed() {
    assertEquals(
        List.of(
            new Difference("/d/e/t.html?x/y", null, List.of("TIMEOUT", "OK")),
            new Difference("/c.html", null, List.of("PASS", "CRASH"))),
        Comparison.ofAll(COLUMNS).endings());
  }

  @Test
  void tests_missing_on_one_side_are_listed() {
    List<Absence> absences = Comparison.ofAll(COLUMNS).absences();

    assertEquals(1, absences.size());
    assertEquals("ours", absences.get(0).absent().label());
    assertEquals(List.of("/d/skipped.html", "/far/away.html"), absences.get(0).tests());
    assertEquals(1, absences.get(0).subtests());
  }

  @Test
  void comparison_is_limited_to_the_requested_tests() {
    Comparison comparison = Comparison.ofSelected(COLUMNS);

    assertEquals(Map.of("theirs", 1), comparison.outside());
    assertEquals(List.of("/d/skipped.html"), comparison.absences().get(0).tests());
    assertFalse(comparison.directories().containsKey("far"));
  }

  @Test
  void missing_subtest_of_an_ok_test_is_no_regression() {
    Comparison comparison =
        Comparison.ofAll(
            List.of(
                new Column("ours", Runs.of(List.of(Runs.test("/a", "OK", Runs.pass("x"))))),
                new Column("theirs", Runs.of(List.of(Runs.test("/a", "OK", Runs.pass("y")))))));

    assertEquals(List.of(), comparison.regressions());
    assertEquals(List.of(), comparison.wins());
    assertEquals(List.of(1, 1), comparison.absences().stream().map(Absence::subtests).toList());
  }

  @Test
  void several_other_reports_are_compared_with_ours() {
    Comparison comparison =
        Comparison.ofAll(
            List.of(COLUMNS.get(0), COLUMNS.get(1), new Column("nobody", Runs.empty())));

    assertEquals(
        new Difference("/d/a.html", "lost", Arrays.asList("FAIL", "PASS", null)),
        comparison.regressions().get(0));
    assertEquals(2, comparison.absences().size());
  }

  @Test
  void tests_of_different_subsuites_are_different_tests() {
    RunReport.Test plain = Runs.test("/a", "OK");
    RunReport.Test virtual =
        new RunReport.Test("/a", "v", "ERROR", null, null, plain.expected(), List.of());

    Comparison comparison =
        Comparison.ofAll(
            List.of(
                new Column("ours", Runs.of(List.of(plain))),
                new Column("theirs", Runs.of(List.of(plain, virtual)))));

    assertEquals(List.of(), comparison.wins());
    assertEquals(List.of("/a [v]"), comparison.absences().get(0).tests());
  }

  @Test
  void text_lists_all_differences() {
    assertEquals(
        """
        Subtests that pass  ours  theirs
        /                    1/1     0/1
        d                    2/3     3/4
        d/e                  1/1     2/2
        all                  4/5     5/7

        2 regressions (another passes, ours does not):
          /d/a.html
            lost
              FAIL: ours; PASS: theirs
          /d/e/t.html?x/y
            two
              lost: ours; PASS: theirs

        2 wins (ours passes, another does not):
          /d/a.html
            won
              PASS: ours; FAIL: theirs
          /c.html
              PASS: ours; CRASH: theirs

        2 tests differ in their overall status:
          /d/e/t.html?x/y
              TIMEOUT: ours; OK: theirs
          /c.html
              PASS: ours; CRASH: theirs

        ours lacks 1 test and 1 subtest of common tests that theirs has:
          /d/skipped.html (not supported)

        Tests that this run did not select: 1 of theirs
        """,
        plain(Comparison.ofSelected(COLUMNS)));
  }

  @Test
  void text_has_no_terminal_control_sequences() {
    RunReport good =
        Runs.of(List.of(Runs.test("/d/" + Runs.HOSTILE, "OK", Runs.pass(Runs.HOSTILE))));
    String text =
        plain(
            Comparison.ofAll(
                List.of(new Column("ours", Runs.hostile()), new Column("theirs", good))));

    assertTrue(text.contains("1 regression ("), text);
    assertTrue(text.codePoints().allMatch(c -> c == '\n' || !Character.isISOControl(c)), text);
  }

  @Test
  void long_lists_are_truncated() {
    RunReport.Subtest[] failing = new RunReport.Subtest[30];
    RunReport.Subtest[] passing = new RunReport.Subtest[30];
    for (int i = 0; i < 30; i++) {
      failing[i] = Runs.fail("s" + i);
      passing[i] = Runs.pass("s" + i);
    }
    String text =
        plain(
            Comparison.ofAll(
                List.of(
                    new Column("ours", Runs.of(List.of(Runs.test("/a", "OK", failing)))),
                    new Column("theirs", Runs.of(List.of(Runs.test("/a", "OK", passing)))))));

    assertTrue(text.contains("    s24\n"), text);
    assertFalse(text.contains("    s25\n"), text);
    assertTrue(text.contains("  … and 5 more; an HTML page lists all\n"), text);
  }

  @Test
  void empty_reports_have_nothing_to_compare() {
    assertEquals(
        "Subtests that pass  a  b\nall                 -  -\n",
        plain(
            Comparison.ofAll(
                List.of(new Column("a", Runs.empty()), new Column("b", Runs.empty())))));
  }

  @Test
  void labels_are_unique_product_versions_or_file_names() {
    RunReport named =
        new RunReport(
            Map.of("product", "x", "browser_version", "1"),
            null,
            null,
            List.of(),
            List.of(),
            false);
    RunReport nameless = new RunReport(Map.of(), null, null, List.of(), List.of(), false);
    Map<Path, RunReport> reports = new LinkedHashMap<>();
    reports.put(Path.of("a/one.json"), named);
    reports.put(Path.of("b/two.json"), named);
    reports.put(Path.of("a/three.json"), nameless);
    reports.put(Path.of("b/three.json"), nameless);

    assertEquals(
        List.of("x 1", "x 1 (two.json)", "three.json", "b/three.json"),
        Comparison.label(reports).stream().map(Column::label).toList());
  }
}
