package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestTimeout;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectationsJudgeTest {

  @Test
  void judge_returns_expectation_reason_and_intermittent_statuses(@TempDir Path dir)
      throws Exception {
    Files.writeString(
        dir.resolve("a.html.json"),
        """
        {"/a.html": {"status": "TIMEOUT", "reason": "slow", "link": "A.md", "subtests": {
          "known": {"status": "FAIL", "reason": "wrong", "link": "A.md"},
          "now and then": {
            "status": "FLAKY", "statuses": ["FAIL", "PASS"], "reason": "a race", "link": "A.md"},
          "ignored": {"status": "SKIP", "reason": "random", "link": "A.md"},
          "gone": {"status": "NOTRUN", "reason": "never begins", "link": "A.md"}}}}
        """);
    ExpectationsJudge judge = new ExpectationsJudge(Expectations.load(dir));
    SubtestResult known = new SubtestResult("known", SubtestStatus.PASS, null);
    SubtestResult racing = new SubtestResult("now and then", SubtestStatus.PASS, null);
    SubtestResult ignored = new SubtestResult("ignored", SubtestStatus.FAIL, null);
    SubtestResult other = new SubtestResult("other", SubtestStatus.PASS, null);
    TestResult result =
        new TestResult(
            new WptTest("/a.html", "/a.html", TestKind.PAGE, TestTimeout.NORMAL, "u", null),
            HarnessStatus.OK,
            null,
            List.of(known, racing, ignored, other),
            Duration.ZERO);

    assertEquals(new Expected("TIMEOUT", List.of(), "slow"), judge.expected(result));
    assertEquals(new Expected("FAIL", List.of(), "wrong"), judge.expected(result, known));
    assertEquals(new Expected("FAIL", List.of("PASS"), "a race"), judge.expected(result, racing));
    assertEquals(new Expected("FAIL", List.of(), "random"), judge.expected(result, ignored));
    assertEquals(Expected.of("PASS"), judge.expected(result, other));
    assertEquals(
        Map.of("gone", new Expected("NOTRUN", List.of(), "never begins")), judge.missing(result));
  }
}
