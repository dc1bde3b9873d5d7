package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.expect.Expectations.Deviation;
import dev.weblocks.harness.wpt.expect.Reason;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A source of the expected results in reports, based on the expectation files. */
record ExpectationsJudge(Expectations expectations) implements RunReport.Judge {

  @Override
  public Expected expected(TestResult result) {
    WptTest test = result.test();
    return expected(expectations.expected(test), expectations.reason(test));
  }

  @Override
  public Expected expected(TestResult result, SubtestResult subtest) {
    List<SubtestStatus> statuses = expectations.expected(result.test(), subtest.name());
    return expected(
        statuses.isEmpty() ? List.of(subtest.status()) : statuses, // skipped: any status is fine
        expectations.reason(result.test(), subtest.name()));
  }

  @Override
  public Map<String, Expected> missing(TestResult result) {
    Set<String> names =
        result.subtests().stream().map(SubtestResult::name).collect(Collectors.toSet());
    Map<String, Expected> missing = new LinkedHashMap<>();
    for (Deviation deviation : expectations.compare(result)) {
      String name = deviation.subtest();
      if (name != null && !names.contains(name)) {
        List<SubtestStatus> statuses = expectations.expected(result.test(), name);
        Optional<Reason> reason = expectations.reason(result.test(), name);
        missing.put(
            name,
            statuses.isEmpty()
                ? new Expected(deviation.expected(), List.of(), text(reason))
                : expected(statuses, reason));
      }
    }
    return missing;
  }

  private static Expected expected(List<? extends Enum<?>> statuses, Optional<Reason> reason) {
    List<String> names = statuses.stream().<String>map(Enum::name).toList();
    return new Expected(names.getFirst(), names.subList(1, names.size()), text(reason));
  }

  private static @Nullable String text(Optional<Reason> reason) {
    return reason.map(Reason::text).orElse(null);
  }
}
