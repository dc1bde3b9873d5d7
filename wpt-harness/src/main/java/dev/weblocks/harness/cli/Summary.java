package dev.weblocks.harness.cli;

import dev.weblocks.explore.trace.Visible;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.expect.Expectations.Deviation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The printer of the summary of a run. */
final class Summary {

  private final CliEnvironment cli;

  Summary(CliEnvironment cli) {
    this.cli = cli;
  }

  int print(
      List<TestResult> results,
      int notRun,
      List<WptTest> others,
      Expectations expectations,
      Duration duration) {
    List<Deviation> deviations = new ArrayList<>();
    results.forEach(result -> deviations.addAll(expectations.compare(result)));
    if (!deviations.isEmpty()) {
      cli.println("");
      cli.println("Unexpected results:");
      results.forEach(result -> print(result, expectations.compare(result)));
      cli.println("");
    }
    EnumMap<HarnessStatus, Integer> tests = new EnumMap<>(HarnessStatus.class);
    EnumMap<SubtestStatus, Integer> subtests = new EnumMap<>(SubtestStatus.class);
    for (TestResult result : results) {
      tests.merge(result.status(), 1, Integer::sum);
      for (SubtestResult subtest : result.subtests()) {
        subtests.merge(subtest.status(), 1, Integer::sum);
      }
    }
    cli.println(counts("Tests", tests));
    cli.println(counts("Subtests", subtests));
    if (notRun > 0) {
      cli.println("Not run: " + notRun);
    }
    if (!others.isEmpty()) {
      cli.println(leftOut(others));
      unusualReasons(others).forEach((reason, count) -> cli.println("  " + count + ": " + reason));
    }
    for (WptTest test : others) {
      expectations
          .skipped(test)
          .ifPresent(reason ->
              cli.println(
                  "  skipped %s: %s (%s)".formatted(test.id(), reason.text(), reason.link())));
    }
    String seconds = Progress.seconds(duration);
    cli.println(
        deviations.isEmpty()
            ? cli.green("All as expected") + " in " + seconds
            : cli.red(deviations.size() + " unexpected") + " in " + seconds);
    return deviations.size();
  }

  private void print(TestResult result, List<Deviation> deviations) {
    if (deviations.isEmpty()) {
      return;
    }
    cli.println("  " + result.test().id());
    if (deviations.getFirst().subtest() != null && result.message() != null) {
      printMessage("    ", firstLine(result.message()));
    }
    deviations.forEach(this::print);
  }

  /** Returns the first line of a test's message; quoted source and stacks are only for reports. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private void printMessage(String indent, String message) {
    Visible.lines(message).lines().forEach(line -> cli.println(indent + line));
  }

  private void print(Deviation deviation) {
    String subject =
        deviation.subtest() == null ? "the test itself" : Visible.line(deviation.subtest());
    cli.println(
        "    %s (expected %s) %s"
            .formatted(cli.red(deviation.actual()), deviation.expected(), subject));
    if (deviation.message() != null) {
      printMessage(
          "      ",
          deviation.subtest() == null ? firstLine(deviation.message()) : deviation.message());
    }
  }

  private static <E extends Enum<E>> String counts(String what, Map<E, Integer> byStatus) {
    int total = byStatus.values().stream().mapToInt(Integer::intValue).sum();
    return byStatus.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", ", what + ": " + total + (total == 0 ? "" : " ("), ""))
        .concat(total == 0 ? "" : ")");
  }

  /** Returns the numbers of tests that are not supported although others of their kind are. */
  static Map<String, Long> unusualReasons(List<WptTest> tests) {
    return tests.stream()
        .filter(test -> test.kind().notSupportedReason().isEmpty())
        .flatMap(test -> Stream.ofNullable(test.notSupported()))
        .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
  }

  /** Returns the numbers of tests left out: the unsupported ones by kind, and the skipped ones. */
  static String leftOut(List<WptTest> tests) {
    Map<String, Long> kinds =
        tests.stream()
            .filter(test -> !test.supported())
            .collect(
                Collectors.groupingBy(t -> t.kind().label(), TreeMap::new, Collectors.counting()));
    List<String> parts = new ArrayList<>();
    long unsupported = kinds.values().stream().mapToLong(Long::longValue).sum();
    if (unsupported > 0) {
      parts.add(
          kinds.entrySet().stream()
              .map(entry -> entry.getKey() + " " + entry.getValue())
              .collect(Collectors.joining(", ", "Not supported: " + unsupported + " (", ")")));
    }
    if (tests.size() > unsupported) {
      parts.add("Skipped: " + (tests.size() - unsupported));
    }
    return String.join(", ", parts);
  }
}
