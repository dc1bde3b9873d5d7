package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestTimeout;
import dev.weblocks.harness.wpt.WptTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WptReportTest {

  private static JsonNode json(String text) throws IOException {
    return JsonMapper.builder().build().readTree(text);
  }

  @Test
  void the_report_has_the_fields_of_wptrunner() throws Exception {
    WptTest test =
        new WptTest(
            "/d/a.any.html?v", "/d/a.any.js", TestKind.ANY_WINDOW, TestTimeout.NORMAL, "u", null);
    TestResult result =
        new TestResult(
            test,
            HarnessStatus.ERROR,
            "bad \udc00",
            List.of(
                new SubtestResult("one \ud83d\ude00", SubtestStatus.PASS, null),
                new SubtestResult("two \ud800x", SubtestStatus.FAIL, "why")),
            Duration.ofMillis(321));

    RunReport run =
        RunReport.of(
            Map.of("revision", "abc", "bits", "64", "this_chunk", "2"),
            Instant.ofEpochMilli(1000),
            Instant.ofEpochMilli(2500),
            List.of(result),
            Runs.ALL_PASS,
            Map.of(),
            false);

    assertEquals(
        json(
            """
            {"run_info": {"revision": "abc", "bits": 64, "debug": false, "verify": false,
               "wasm": false, "headless": true, "automation": false, "has_sandbox": true,
               "display": null, "android_version": "", "apple_catalina": false,
               "win10_2009": false, "win11_2009": false},
             "time_start": 1000, "time_end": 2500,
             "results": [{"test": "/d/a.any.html?v", "subsuite": "", "status": "ERROR",
               "message": "bad U+dc00", "expected": "OK", "known_intermittent": [], "duration": 321,
               "subtests": [
                 {"name": "one \ud83d\ude00", "status": "PASS", "message": null,
                  "known_intermittent": []},
                 {"name": "two U+d800x", "status": "FAIL", "message": "why",
                  "expected": "PASS", "known_intermittent": []}]}],
             "subsuites": {}}
            """),
        json(new WptReport().write(run)));
  }

  @Test
  void alternative_statuses_are_in_known_intermittent_and_missing_subtests_are_omitted()
      throws IOException {
    JsonNode subtests = json(new WptReport().write(Runs.mixed())).at("/results/0/subtests");

    assertEquals(
        json(
            """
            [{"name": "passes", "status": "PASS", "message": null, "known_intermittent": []},
             {"name": "known", "status": "FAIL", "message": "so it is",
              "known_intermittent": ["PASS"]},
             {"name": "lucky", "status": "PASS", "message": null, "expected": "FAIL",
              "known_intermittent": []},
             {"name": "slow", "status": "TIMEOUT", "message": "too slow", "expected": "PASS",
              "known_intermittent": []},
             {"name": "wrong", "status": "FAIL", "message": "is wrong", "expected": "PASS",
              "known_intermittent": []}]
            """),
        subtests);
  }

  @Test
  void interrupted_run_is_marked_and_skips_tests_not_run() throws IOException {
    JsonNode report = json(new WptReport().write(Runs.interrupted()));

    assertEquals(true, report.at("/run_info/interrupted").asBoolean());
    assertEquals(
        json(
            """
            {"test": "/d/b.html", "subsuite": "", "status": "SKIP",
             "message": "the run was interrupted", "duration": 0, "subtests": []}
            """),
        report.at("/results/1"));
  }

  @Test
  void report_of_an_empty_run_is_valid() throws IOException {
    JsonNode report = json(new WptReport().write(Runs.empty()));

    assertEquals(0, report.get("results").size());
    assertFalse(report.get("run_info").has("interrupted"));
  }

  @Test
  void hostile_text_is_unchanged_except_for_lone_surrogates() throws IOException {
    JsonNode subtest = json(new WptReport().write(Runs.hostile())).at("/results/0/subtests/0");

    String expected = Runs.HOSTILE.replace("\ud800 ", "U+d800 ");
    assertEquals(expected, subtest.get("name").asText());
    assertEquals(expected, subtest.get("message").asText());
  }
}
