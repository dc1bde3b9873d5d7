package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.TestResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results of several rounds of the same tests, and their differences. */
final class Rounds {

  private record Subject(String test, @Nullable String subtest) {}

  private final Map<Subject, Map<String, Integer>> seen = new LinkedHashMap<>();
  private int rounds;

  void add(List<TestResult> results) {
    rounds++;
    for (TestResult result : results) {
      String id = result.test().id();
      count(new Subject(id, null), result.status().name());
      for (SubtestResult subtest : result.subtests()) {
        count(new Subject(id, subtest.name()), subtest.status().name());
      }
    }
  }

  private void count(Subject subject, String status) {
    seen.computeIfAbsent(subject, s -> new TreeMap<>()).merge(status, 1, Integer::sum);
  }

  void print(CliEnvironment cli) {
    Map<String, Map<Subject, Map<String, Integer>>> differing = new TreeMap<>();
    seen.forEach((subject, statuses) -> {
      if (statuses.size() > 1) {
        differing
            .computeIfAbsent(subject.test(), t -> new LinkedHashMap<>())
            .put(subject, statuses);
      }
    });
    cli.println("");
    if (differing.isEmpty()) {
      cli.println(rounds == 1 ? "1 round" : rounds + " rounds, all with the same results");
      return;
    }
    cli.println("Results that differ between the " + rounds + " rounds:");
    differing.forEach((test, subjects) -> {
      cli.println("  " + test);
      subjects.forEach((subject, statuses) ->
          cli.println(
              "    "
                  + statuses.entrySet().stream()
                      .map(entry -> entry.getKey() + " " + entry.getValue())
                      .collect(Collectors.joining(", "))
                  + "  "
                  + (subject.subtest() == null
                      ? "the test itself"
                      : HarmlessText.line(subject.subtest()))));
    });
  }
}
