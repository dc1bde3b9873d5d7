package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.report.Comparison.Absence;
import dev.weblocks.harness.wpt.report.Comparison.Column;
import dev.weblocks.harness.wpt.report.Comparison.Count;
import dev.weblocks.harness.wpt.report.Comparison.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The text of a comparison for the terminal. */
public final class ComparisonText {

  private static final int MAX_LISTED = 25;
  private static final int MAX_ABSENT = 8; // reports often cover other parts of WPT

  private final Comparison comparison;
  private final UnaryOperator<String> bad;
  private final UnaryOperator<String> good;
  private final StringBuilder text = new StringBuilder();

  private ComparisonText(
      Comparison comparison, UnaryOperator<String> bad, UnaryOperator<String> good) {
    this.comparison = comparison;
    this.bad = bad;
    this.good = good;
  }

  /**
   * Returns the comparison as lines of text, without control characters other than colours.
   *
   * @param bad adds a colour to results that are worse in our report
   * @param good adds a colour to results that are better in our report
   */
  public static String of(
      Comparison comparison, UnaryOperator<String> bad, UnaryOperator<String> good) {
    return new ComparisonText(comparison, bad, good).write();
  }

  private String write() {
    counts();
    for (Column column : comparison.columns()) {
      if (column.report().interrupted()) {
        text.append('\n')
            .append(HarmlessText.line(column.label()))
            .append(": ")
            .append(column.report().howFar())
            .append('\n');
      }
    }
    String ours = label(0);
    differences(
        comparison.regressions(),
        bad,
        "regression",
        "regressions",
        "another passes, " + ours + " does not");
    differences(comparison.wins(), good, "win", "wins", ours + " passes, another does not");
    differences(
        comparison.endings(),
        UnaryOperator.identity(),
        "test differs in its overall status",
        "tests differ in their overall status",
        null);
    comparison.absences().forEach(this::absence);
    if (!comparison.outside().isEmpty()) {
      List<String> parts = new ArrayList<>();
      comparison
          .outside()
          .forEach((label, tests) -> parts.add(tests + " of " + HarmlessText.line(label)));
      text.append("\nTests that this run did not select: ")
          .append(String.join(", ", parts))
          .append('\n');
    }
    return text.toString();
  }

  private String label(int column) {
    return HarmlessText.line(comparison.columns().get(column).label());
  }

  private void counts() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("Subtests that pass"));
    comparison.columns().forEach(column -> head.add(HarmlessText.line(column.label())));
    rows.add(head);
    comparison.directories().forEach((directory, counts) -> rows.add(row(directory, counts)));
    if (comparison.directories().size() != 1) {
      rows.add(row("all", comparison.totals()));
    }
    Columns.aligned(rows, 1).forEach(line -> text.append(line).append('\n'));
  }

  private static List<String> row(String name, List<Count> counts) {
    List<String> row = new ArrayList<>(List.of(HarmlessText.line(name.isEmpty() ? "/" : name)));
    counts.forEach(count -> row.add(count.total() == 0 ? "-" : count.toString()));
    return row;
  }

  private void differences(
      List<Difference> differences,
      UnaryOperator<String> color,
      String one,
      String many,
      @Nullable String meaning) {
    if (differences.isEmpty()) {
      return;
    }
    int size = differences.size();
    text.append('\n')
        .append(color.apply(size == 1 ? "1 " + one : size + " " + many))
        .append(meaning == null ? "" : " (" + meaning + ")")
        .append(":\n");
    String last = "";
    for (Difference difference : differences.subList(0, Math.min(size, MAX_LISTED))) {
      if (!difference.test().equals(last)) {
        last = difference.test();
        text.append("  ").append(HarmlessText.line(last)).append('\n');
      }
      if (difference.subtest() != null) {
        text.append("    ").append(HarmlessText.line(difference.subtest())).append('\n');
      }
      text.append("      ").append(statuses(difference)).append('\n');
    }
    more(size - MAX_LISTED, "  ");
  }

  /** Returns the labels of the reports by status: each status once, that of our report first. */
  private String statuses(Difference difference) {
    Map<String, List<String>> byStatus = new LinkedHashMap<>();
    for (int i = 0; i < comparison.columns().size(); i++) {
      String status = difference.statuses().get(i);
      if (status != null) {
        byStatus.computeIfAbsent(status, each -> new ArrayList<>()).add(label(i));
      }
    }
    List<String> parts = new ArrayList<>();
    byStatus.forEach((status, labels) ->
        parts.add(HarmlessText.line(status) + ": " + String.join(", ", labels)));
    return String.join("; ", parts);
  }

  private void absence(Absence absence) {
    Column present = absence.present();
    Column absent = absence.absent();
    List<String> tests = absence.tests();
    List<String> parts = new ArrayList<>();
    if (!tests.isEmpty()) {
      parts.add(HarmlessText.count(tests.size(), "test"));
    }
    if (absence.subtests() > 0) {
      parts.add(HarmlessText.count(absence.subtests(), "subtest") + " of common tests");
    }
    text.append('\n')
        .append(HarmlessText.line(absent.label()))
        .append(" lacks ")
        .append(String.join(" and ", parts))
        .append(" that ")
        .append(HarmlessText.line(present.label()))
        .append(tests.isEmpty() ? " has\n" : " has:\n");
    for (String test : tests.subList(0, Math.min(tests.size(), MAX_ABSENT))) {
      String why = absent == comparison.columns().getFirst() ? comparison.whyNotRun(test) : null;
      text.append("  ").append(HarmlessText.line(test));
      text.append(why == null ? "" : " (" + HarmlessText.line(why) + ")").append('\n');
    }
    more(tests.size() - MAX_ABSENT, "  ");
  }

  private void more(int count, String indent) {
    if (count > 0) {
      text.append(indent).append("… and ").append(count).append(" more; an HTML page lists all\n");
    }
  }
}
