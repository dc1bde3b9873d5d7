package dev.weblocks.harness.wpt.report;

import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs for tests of reports. */
final class Runs {

  /** A name with characters that are special in every format. */
  static final String HOSTILE =
      "a # TODO </script><img src=x onerror='y'>\"&]]> \n\r\t\\ \u0000\u001b[31m\u0085\u202e\ufffe"
          + " \ud800 \ud83d\ude00";

  /** A judge that expects only passes. */
  static final RunReport.Judge ALL_PASS =
      new RunReport.Judge() {
        @Override
        public Expected expected(TestResult result) {
          return Expected.of("OK");
        }

        @Override
        public Expected expected(TestResult result, SubtestResult subtest) {
          return Expected.of("PASS");
        }

        @Override
        public Map<String, Expected> missing(TestResult result) {
          return Map.of();
        }
      };

  private Runs() {}

  static RunReport of(List<Test> tests) {
    return new RunReport(
        Map.of("product", "weblocks"),
        Instant.ofEpochMilli(1000),
        Instant.ofEpochMilli(2500),
        tests,
        List.of(),
        false);
  }

  static RunReport empty() {
    return of(List.of());
  }

  /** Creates a run with expected, unexpected and missing results, and a crashed test. */
  static RunReport mixed() {
    return of(
        List.of(
            test(
                "/d/a.html?v",
                "OK",
                pass("passes"),
                new Subtest(
                    "known",
                    "FAIL",
                    "so it is",
                    new Expected("FAIL", List.of("PASS"), "it is known")),
                new Subtest("lucky", "PASS", null, Expected.of("FAIL")),
                new Subtest("slow", "TIMEOUT", "too slow", Expected.of("PASS")),
                new Subtest("wrong", "FAIL", "is wrong", Expected.of("PASS")),
                new Subtest("gone", RunReport.MISSING, null, Expected.of("FAIL"))),
            test("/d/e/crash.html", "CRASH")));
  }

  static RunReport hostile() {
    return of(
        List.of(
            new Test(
                "/d/" + HOSTILE,
                "",
                "ERROR",
                HOSTILE,
                Duration.ofMillis(5),
                new Expected("OK", List.of(), null),
                List.of(
                    new Subtest(HOSTILE, "FAIL", HOSTILE, Expected.of("PASS")),
                    new Subtest(
                        HOSTILE + "2", "FAIL", null, new Expected("FAIL", List.of(), HOSTILE))))));
  }

  static RunReport interrupted() {
    return new RunReport(
        Map.of("product", "weblocks"),
        Instant.ofEpochMilli(1000),
        Instant.ofEpochMilli(2500),
        List.of(test("/d/a.html", "OK", pass("passes"))),
        List.of(new NotRun("/d/b.html", "", null, "the run was interrupted")),
        true);
  }

  static Test test(String id, String status, Subtest... subtests) {
    return test(id, status, null, subtests);
  }

  static Test test(String id, String status, @Nullable String message, Subtest... subtests) {
    return new Test(
        id, "", status, message, Duration.ofMillis(321), Expected.of("OK"), List.of(subtests));
  }

  static Subtest pass(String name) {
    return new Subtest(name, "PASS", null, Expected.of("PASS"));
  }

  static Subtest fail(String name) {
    return new Subtest(name, "FAIL", "why", Expected.of("PASS"));
  }
}
