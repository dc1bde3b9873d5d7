package dev.weblocks.harness.wpt.report;

import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of several reports; the first one is "ours". Every subtest is compared, and every
 * test without subtests. Different statuses of tests as a whole, and tests missing from a report,
 * are separate lists.
 */
public final class Comparison {

  /**
   * A report with a name.
   *
   * @param label display name; unique in a comparison
   */
  public record Column(String label, RunReport report) {}

  /**
   * The number of passed results.
   *
   * @param passed number of subtests, and of tests without subtests, that pass
   * @param total number of all subtests, and of all tests without subtests
   */
  public record Count(int passed, int total) {

    static final Count NONE = new Count(0, 0);

    static Count of(Test test) {
      List<Subtest> subtests = test.subtests().stream().filter(each -> !each.missing()).toList();
      return subtests.isEmpty()
          ? new Count(test.passes() ? 1 : 0, 1)
          : new Count((int) subtests.stream().filter(Subtest::passes).count(), subtests.size());
    }

    Count plus(Count other) {
      return new Count(passed + other.passed, total + other.total);
    }

    @Override
    public String toString() {
      return passed + "/" + total;
    }
  }

  /**
   * A subtest or a test whose status differs between the reports.
   *
   * @param test its key: the id, with the subsuite if it has one
   * @param subtest null for the test as a whole
   * @param statuses one for each column, possibly {@link #LOST}; null if missing from that report
   */
  public record Difference(
      String test, @Nullable String subtest, List<@Nullable String> statuses) {}

  /**
   * The tests and subtests of one report that are missing from another.
   *
   * @param subtests number of missing subtests in tests of both reports
   */
  public record Absence(Column present, Column absent, List<String> tests, int subtests) {}

  /** The status of a subtest that is missing because its test failed as a whole. */
  public static final String LOST = "lost";

  private static final int MAX_LABEL = 60;

  private final List<Column> columns;
  private final Map<String, String> notRun;
  private final List<Map<String, Test>> byKey = new ArrayList<>();
  private final Map<String, Integer> outside = new LinkedHashMap<>();
  private final Set<String> keys = new LinkedHashSet<>();
  private final Map<String, List<Count>> directories = new TreeMap<>();
  private final List<Difference> regressions = new ArrayList<>();
  private final List<Difference> wins = new ArrayList<>();
  private final List<Difference> endings = new ArrayList<>();
  private final List<Absence> absences = new ArrayList<>();

  private Comparison(List<Column> columns) {
    this.columns = List.copyOf(columns);
    this.notRun =
        columns.getFirst().report().notRun().stream()
            .collect(Collectors.toMap(NotRun::key, NotRun::reason, (first, second) -> first));
  }

  /** Compares all tests of all reports. */
  public static Comparison ofAll(List<Column> columns) {
    return of(columns, null);
  }

  /**
   * Compares the tests selected for the first report; further tests of the others are only counted.
   */
  public static Comparison ofSelected(List<Column> columns) {
    RunReport ours = columns.getFirst().report();
    Set<String> scope = new LinkedHashSet<>();
    ours.tests().forEach(test -> scope.add(test.key()));
    ours.notRun().forEach(test -> scope.add(test.key()));
    return of(columns, scope);
  }

  private static Comparison of(List<Column> columns, @Nullable Set<String> scope) {
    Comparison comparison = new Comparison(columns);
    for (Column column : columns) {
      Map<String, Test> tests = new LinkedHashMap<>();
      for (Test test : column.report().tests()) {
        if (scope == null || scope.contains(test.key())) {
          tests.put(test.key(), test);
        } else {
          comparison.outside.merge(column.label(), 1, Integer::sum);
        }
      }
      comparison.byKey.add(tests);
      comparison.keys.addAll(tests.keySet());
    }
    comparison.keys.forEach(comparison::compare);
    for (int i = 1; i < columns.size(); i++) {
      comparison.findAbsent(i, 0);
      comparison.findAbsent(0, i);
    }
    return comparison;
  }

  private void compare(String key) {
    List<@Nullable Test> row = row(key);
    List<Count> counts =
        directories.computeIfAbsent(
            RunReport.directory(key),
            directory -> new ArrayList<>(columns.stream().map(each -> Count.NONE).toList()));
    Set<String> names = new LinkedHashSet<>();
    List<@Nullable String> statuses = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      Test test = row.get(i);
      statuses.add(test == null ? null : test.status());
      if (test != null) {
        counts.set(i, counts.get(i).plus(Count.of(test)));
        test.subtests().stream()
            .filter(subtest -> !subtest.missing())
            .forEach(subtest -> names.add(subtest.name()));
      }
    }
    if (statuses.stream().filter(each -> each != null).distinct().count() > 1
        && statuses.getFirst() != null) {
      endings.add(new Difference(key, null, statuses));
    }
    if (names.isEmpty()) {
      judge(new Difference(key, null, statuses));
      return;
    }
    List<Map<String, String>> subtests = row.stream().map(Comparison::statuses).toList();
    for (String name : names) {
      List<@Nullable String> found = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        Test test = row.get(i);
        String status = subtests.get(i).get(name);
        // An aborted test has lost its subtests; any other test never had this one.
        found.add(status == null && test != null && !test.passes() ? LOST : status);
      }
      judge(new Difference(key, name, found));
    }
  }

  /** Returns the test with a key in each of the reports; null for each report without it. */
  List<@Nullable Test> row(String key) {
    List<@Nullable Test> row = new ArrayList<>();
    byKey.forEach(tests -> row.add(tests.get(key)));
    return row;
  }

  /** Returns the statuses of a test's subtests by their names; empty without a test. */
  static Map<String, String> statuses(@Nullable Test test) {
    Map<String, String> statuses = new LinkedHashMap<>();
    if (test != null) {
      for (Subtest each : test.subtests()) {
        if (!each.missing()) {
          statuses.put(each.name(), each.status());
        }
      }
    }
    return statuses;
  }

  private void judge(Difference difference) {
    String ours = difference.statuses().getFirst();
    if (ours == null) {
      return;
    }
    List<@Nullable String> others = difference.statuses().subList(1, columns.size());
    if (passes(ours)) {
      if (others.stream().anyMatch(status -> status != null && !passes(status))) {
        wins.add(difference);
      }
    } else if (others.stream().anyMatch(status -> status != null && passes(status))) {
      regressions.add(difference);
    }
  }

  static boolean passes(String status) {
    return status.equals("PASS") || status.equals("OK");
  }

  private void findAbsent(int present, int absent) {
    List<String> tests = new ArrayList<>();
    int subtests = 0;
    for (Test test : byKey.get(present).values()) {
      Test other = byKey.get(absent).get(test.key());
      if (other == null) {
        tests.add(test.key());
        continue;
      }
      Set<String> names = new LinkedHashSet<>(statuses(test).keySet());
      names.removeAll(statuses(other).keySet());
      subtests += names.size();
    }
    if (!tests.isEmpty() || subtests > 0) {
      absences.add(new Absence(columns.get(present), columns.get(absent), tests, subtests));
    }
  }

  /** Returns the columns. The first is the report that the others are compared with. */
  public List<Column> columns() {
    return columns;
  }

  Set<String> keys() {
    return keys;
  }

  /** Returns the counts of all columns by directory; sorted by directory. */
  public Map<String, List<Count>> directories() {
    return directories;
  }

  Count count(String directory) {
    List<Count> counts = directories.get(directory);
    return counts == null ? Count.NONE : counts.getFirst();
  }

  /** Returns the total count of each column. */
  public List<Count> totals() {
    List<Count> totals = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Count total = Count.NONE;
      for (List<Count> counts : directories.values()) {
        total = total.plus(counts.get(i));
      }
      totals.add(total);
    }
    return totals;
  }

  /** Returns results that pass in another report, and exist in ours but do not pass. */
  public List<Difference> regressions() {
    return regressions;
  }

  /** Returns results that pass in ours, and exist in another report but do not pass. */
  public List<Difference> wins() {
    return wins;
  }

  /** Returns the tests of our report whose status as a whole is different in another report. */
  public List<Difference> endings() {
    return endings;
  }

  /** Returns the tests and subtests that our report has and another one lacks, and vice versa. */
  public List<Absence> absences() {
    return absences;
  }

  /**
   * Returns the number of tests of other reports that were not selected for ours, by label; without
   * zeros.
   */
  public Map<String, Integer> outside() {
    return outside;
  }

  @Nullable String whyNotRun(String key) {
    return notRun.get(key);
  }

  /** Labels reports with product and version, otherwise with the file name. Labels are unique. */
  public static List<Column> label(Map<Path, RunReport> reports) {
    List<Column> columns = new ArrayList<>();
    Set<String> taken = new LinkedHashSet<>();
    reports.forEach((file, report) -> columns.add(labelled(file, report, taken)));
    return columns;
  }

  /** Returns a product for a label: the text repeats it for each result. */
  private static String cut(String product) {
    return product.length() <= MAX_LABEL ? product : product.substring(0, MAX_LABEL - 1) + "…";
  }

  private static Column labelled(Path file, RunReport report, Set<String> taken) {
    String name = String.valueOf(file.getFileName());
    String label = report.product().isEmpty() ? name : cut(report.product());
    if (!taken.add(label)) {
      String longer = label.equals(name) ? file.toString() : label + " (" + name + ")";
      label = taken.add(longer) ? longer : label + " (" + file + ")";
      taken.add(label);
    }
    return new Column(label, report);
  }
}
