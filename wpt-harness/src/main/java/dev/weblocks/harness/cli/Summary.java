package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The printer of the summary of a run. */
final class Summary {

  /** The reasons why no test of a kind is supported. */
  private static final Set<String> USUAL =
      Arrays.stream(TestKind.values())
          .flatMap(kind -> kind.notSupportedReason().stream())
          .collect(Collectors.toUnmodifiableSet());

  private final CliEnvironment cli;

  Summary(CliEnvironment cli) {
    this.cli = cli;
  }

  /** Prints the summary of a run. */
  void print(RunReport run, Duration duration) {
    long unexpected = run.unexpected();
    if (unexpected > 0) {
      cli.println("");
      cli.println("Unexpected results:");
      run.tests().stream().filter(RunReport.Test::anyUnexpected).forEach(this::print);
      cli.println("");
    }
    EnumMap<HarnessStatus, Integer> tests = new EnumMap<>(HarnessStatus.class);
    EnumMap<SubtestStatus, Integer> subtests = new EnumMap<>(SubtestStatus.class);
    for (RunReport.Test test : run.tests()) {
      tests.merge(HarnessStatus.valueOf(test.status()), 1, Integer::sum);
      for (RunReport.Subtest subtest : test.subtests()) {
        if (!subtest.missing()) {
          subtests.merge(SubtestStatus.valueOf(subtest.status()), 1, Integer::sum);
        }
      }
    }
    cli.println(counts("Tests", tests));
    cli.println(counts("Subtests", subtests));
    List<NotRun> others = run.notRun().stream().filter(Summary::isLeftOut).toList();
    int notRun = run.notRun().size() - others.size();
    if (notRun > 0) {
      cli.println("Not run: " + notRun);
    }
    if (!others.isEmpty()) {
      cli.println(leftOut(others));
      unusualReasons(others).forEach((reason, count) -> cli.println("  " + count + ": " + reason));
    }
    for (NotRun test : others) {
      if (test.kind() == null) {
        cli.println(
            "  skipped %s: %s"
                .formatted(test.id(), test.reason().substring(NotRun.SKIPPED.length())));
      }
    }
    String seconds = Progress.seconds(duration);
    cli.println(
        unexpected == 0
            ? cli.green("All as expected").plus(" in " + seconds)
            : cli.red(unexpected + " unexpected").plus(" in " + seconds));
  }

  /** Returns whether a test was not to be run: it is not supported, or skipped. */
  private static boolean isLeftOut(NotRun test) {
    return test.kind() != null || test.reason().startsWith(NotRun.SKIPPED);
  }

  private void print(RunReport.Test test) {
    cli.println("  " + test.id());
    String message = test.message();
    String first = message == null ? null : firstLine(message);
    if (test.unexpected()) {
      print(test, "the test itself", first);
    } else if (first != null) {
      printMessage("    ", first);
    }
    test.subtests().stream()
        .filter(RunReport.Result::unexpected)
        .forEach(subtest -> print(subtest, subtest.name(), subtest.message()));
  }

  /** Returns the first line of a test's message; quoted source and stacks are only for reports. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private void printMessage(String indent, String message) {
    HarmlessText.lines(message).lines().forEach(line -> cli.printLines(indent + line));
  }

  private void print(RunReport.Result result, String subject, @Nullable String message) {
    List<String> expected = new ArrayList<>(List.of(result.expected().status()));
    expected.addAll(result.expected().intermittent());
    String last = expected.removeLast();
    cli.println(
        Shown.of("    ")
            .plus(cli.red(result.status()))
            .plus(
                " (expected %s) %s"
                    .formatted(
                        expected.isEmpty() ? last : String.join(", ", expected) + " or " + last,
                        subject)));
    if (message != null) {
      printMessage("      ", message);
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
  static Map<String, Long> unusualReasons(List<NotRun> tests) {
    return tests.stream()
        .filter(test -> test.kind() != null)
        .map(test -> test.reason().substring(NotRun.NOT_SUPPORTED.length()))
        .filter(reason -> !USUAL.contains(reason))
        .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
  }

  /** Returns the numbers of tests left out: the unsupported ones by kind, and the skipped ones. */
  static String leftOut(List<NotRun> tests) {
    Map<String, Long> kinds =
        tests.stream()
            .flatMap(test -> Stream.ofNullable(test.kind()))
            .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()));
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
