package dev.weblocks.wpt.report;

import dev.weblocks.wpt.report.RunReport.NotRun;
import dev.weblocks.wpt.report.RunReport.Subtest;
import dev.weblocks.wpt.report.RunReport.Test;
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
 * Several reports side by side; the first one is "ours". Every subtest is compared, and in place of
 * subtests a test that has none. How tests end as a whole, and who does not have one at all, are
 * lists of their own.
 */
public final class Comparison {

  /**
   * A report with a name.
   *
   * @param label what people call it; no two of a comparison are the same
   */
  public record Column(String label, RunReport report) {}

  /**
   * What passes.
   *
   * @param passed subtests, and tests that have none, that pass
   * @param total all of them
   */
  public record Count(int passed, int total) {

    static final Count NONE = new Count(0, 0);

    /** Of one test. */
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
   * A subtest, or a test, that ends differently.
   *
   * @param test its key: the id, and the subsuite if it has one
   * @param subtest null when it is about the test as a whole
   * @param statuses one for each column, maybe {@link #LOST}; null where that one does not have it
   */
  public record Difference(
      String test, @Nullable String subtest, List<@Nullable String> statuses) {}

  /**
   * What one report has and another has not.
   *
   * @param subtests how many subtests of tests that both have
   */
  public record Absence(Column present, Column absent, List<String> tests, int subtests) {}

  /** In place of a status: the subtest is not there, and the test ended badly. */
  public static final String LOST = "lost";

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
   * Compares the tests that the first report was asked for; of the others' further tests there is
   * only the number.
   */
  public static Comparison ofAskedFor(List<Column> columns) {
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
        // A test that broke off has lost its subtests; any other one never had this one.
        found.add(status == null && test != null && !test.passes() ? LOST : status);
      }
      judge(new Difference(key, name, found));
    }
  }

  /** The test with this key in each of the reports, null where it is not. */
  List<@Nullable Test> row(String key) {
    List<@Nullable Test> row = new ArrayList<>();
    byKey.forEach(tests -> row.add(tests.get(key)));
    return row;
  }

  /** The statuses of a test's subtests by their names; empty without a test. */
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

  /** The reports, ours first. */
  public List<Column> columns() {
    return columns;
  }

  /** The keys of all tests that any report has, in their order. */
  Set<String> keys() {
    return keys;
  }

  /** What passes in each directory, for each column; sorted by directory. */
  public Map<String, List<Count>> directories() {
    return directories;
  }

  /** What ours passes in a directory. */
  Count count(String directory) {
    List<Count> counts = directories.get(directory);
    return counts == null ? Count.NONE : counts.getFirst();
  }

  /** What passes in all directories, for each column. */
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

  /** What passes in another report, and not in ours although we have it. */
  public List<Difference> regressions() {
    return regressions;
  }

  /** What passes in ours, and not in another report although that has it. */
  public List<Difference> wins() {
    return wins;
  }

  /** Tests of ours that end differently as a whole in another report. */
  public List<Difference> endings() {
    return endings;
  }

  /** What ours has and another has not, and the other way round. */
  public List<Absence> absences() {
    return absences;
  }

  /** How many tests of each report, by its label, ours was not asked for; without zeros. */
  public Map<String, Integer> outside() {
    return outside;
  }

  /** Why ours did not run a test; null when it says nothing about it. */
  @Nullable String whyNotRun(String key) {
    return notRun.get(key);
  }

  /** Labels for reports: product and version, else the file name; each once. */
  public static List<Column> label(Map<Path, RunReport> reports) {
    List<Column> columns = new ArrayList<>();
    Set<String> taken = new LinkedHashSet<>();
    reports.forEach((file, report) -> columns.add(labelled(file, report, taken)));
    return columns;
  }

  private static Column labelled(Path file, RunReport report, Set<String> taken) {
    String name = String.valueOf(file.getFileName());
    String label = report.product().isEmpty() ? name : report.product();
    if (!taken.add(label)) {
      String longer = label.equals(name) ? file.toString() : label + " (" + name + ")";
      label = taken.add(longer) ? longer : label + " (" + file + ")";
      taken.add(label);
    }
    return new Column(label, report);
  }
}
