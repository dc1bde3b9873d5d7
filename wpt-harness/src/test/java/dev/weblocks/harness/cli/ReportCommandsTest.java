package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.harness.wpt.FakeBrowser;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestTimeout;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.WptReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports and comparisons on the command line. */
class ReportCommandsTest extends CliBed {

  @BeforeEach
  void writeTests() {
    wpt.file("area/a.any.js", "").file("area/page.html", "<link rel=match href=page-ref.html>");
    properties.put("os.name", "Mac OS X");
    properties.put("os.arch", "amd64");
  }

  @Override
  String err() {
    return super.err()
        .replace("weblocks: no hashes in wpt-subset: the tests are not verified\n", "");
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private JsonNode json(String name) throws IOException {
    return JsonMapper.builder().build().readTree(Files.readAllBytes(dir.resolve(name)));
  }

  /** Asserts a failure before any test runs. */
  @Override
  void assertFails(String line, String... args) {
    script =
        page -> {
          throw new AssertionError("a test ran");
        };
    super.assertFails(line, args);
    forget();
  }

  private String other(String name, String subtest) throws IOException {
    Files.writeString(
        dir.resolve(name),
        """
        {"run_info": {"product": "other", "browser_version": "7"}, "results": [
          {"test": "/area/a.any.html", "status": "OK",
           "subtests": [{"name": "it works", "status": "%s"}]},
          {"test": "/else/b.html", "status": "OK", "subtests": []}]}
        """
            .formatted(subtest));
    return path(name);
  }

  @Test
  void every_format_is_written() throws IOException {
    assertEquals(
        0,
        run(
            "wpt",
            "--wptreport",
            path("r.json"),
            "--junit",
            path("r.xml"),
            "--tap",
            path("r.tap"),
            "--jsonl",
            path("r.jsonl"),
            "--html",
            path("r.html")),
        this::err);

    JsonNode info = json("r.json").get("run_info");
    assertEquals("mac", info.get("os").asText());
    assertEquals("x86_64", info.get("processor").asText());
    assertEquals("weblocks", info.get("product").asText());
    assertEquals("SKIP", json("r.json").at("/results/2/status").asText());
    assertTrue(Files.readString(dir.resolve("r.xml")).startsWith("<?xml"));
    assertTrue(Files.readString(dir.resolve("r.tap")).startsWith("TAP version 13\n1..5\n"));
    assertEquals(5, Files.readAllLines(dir.resolve("r.jsonl")).size());
    assertTrue(Files.readString(dir.resolve("r.html")).startsWith("<!doctype html>"));
  }

  @Test
  void comparison_is_printed_after_the_summary() throws IOException {
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it works", 1, "no"));

    assertEquals(
        1,
        run(
            "wpt",
            "--compare",
            other("a.json", "PASS") + "," + other("b.json", "FAIL"),
            "--compare-html",
            path("c.html")));

    assertTrue(
        out()
            .endsWith(
                """

                Subtests that pass  weblocks  other 7  other 7 (b.json)
                area                     0/2      1/1               0/1

                1 regression (another passes, weblocks does not):
                  /area/a.any.html
                    it works
                      FAIL: weblocks, other 7 (b.json); PASS: other 7

                other 7 lacks 1 test that weblocks has:
                  /area/a.any.worker.html

                other 7 (b.json) lacks 1 test that weblocks has:
                  /area/a.any.worker.html

                Tests that this run did not select: 1 of other 7, 1 of other 7 (b.json)
                """),
        this::out);
    assertTrue(Files.readString(dir.resolve("c.html")).contains("1 regression, 0 wins"));
  }

  @Test
  void unusable_files_are_detected_before_tests_run() throws IOException {
    assertFails(
        "--junit "
            + path("no/r.xml")
            + " cannot be written: the directory "
            + path("no")
            + " does not exist",
        "wpt",
        "--junit",
        path("no/r.xml"));
    assertFails(
        "--html " + dir + " cannot be written: " + dir + " is a directory; name a file",
        "wpt",
        "--html",
        dir.toString());
    assertFails(
        "--jsonl " + path("x") + " names the same file as --tap: use another file",
        "wpt",
        "--tap",
        path("x"),
        "--jsonl",
        path("x"));
    assertFails(
        "no comparison: the file " + path("none") + " does not exist",
        "wpt",
        "--compare",
        path("none"));
    Files.writeString(dir.resolve("bad.json"), "{\"results\":\n 1}");
    assertFails(
        path("bad.json")
            + ":2:2: \"results\" is not an array (a report of wptrunner's --log-wptreport is"
            + " needed)",
        "wpt",
        "--compare",
        path("bad.json"));
    String good = other("good.json", "PASS");
    assertFails(
        "the report " + good + " is given twice: name it once",
        "wpt",
        "--compare",
        good,
        "--compare",
        good);
    assertFails(
        "--compare-html c.html needs a report to compare with: add --compare (weblocks wpt"
            + " --help)",
        "wpt",
        "--compare-html",
        "c.html");
  }

  @Test
  void stored_reports_are_compared_without_a_run() throws IOException {
    String good = other("good.json", "PASS");
    String bad = other("bad.json", "FAIL");

    assertEquals(0, run("compare", good, bad));
    assertTrue(out().contains("1 win (other 7 passes, another does not):"), this::out);
    out.reset();
    assertEquals(1, run("compare", bad, good, "--html", path("c.html")));
    assertTrue(out().contains("      FAIL: other 7; PASS: other 7 (good.json)\n"), this::out);
    assertTrue(Files.readString(dir.resolve("c.html")).contains("1 regression, 0 wins"));
    assertEquals("", err());
  }

  private String report(String name, String text) throws IOException {
    Files.writeString(dir.resolve(name), text);
    return path(name);
  }

  @Test
  void reports_that_lack_tests_pass_only_without_require_all() throws IOException {
    String both =
        report(
            "both.json",
            "{\"results\": [{\"test\": \"/a\", \"status\": \"OK\"}, {\"test\": \"/b\", \"status\": \"OK\"}]}");
    String one = report("one.json", "{\"results\": [{\"test\": \"/a\", \"status\": \"OK\"}]}");
    String interrupted =
        report(
            "interrupted.json",
            "{\"run_info\": {\"interrupted\": true}, \"results\": [{\"test\": \"/a\", \"status\": \"OK\"}]}");

    assertEquals(0, run("compare", one, both));
    assertEquals(1, run("compare", "--require-all", one, both));
    assertEquals(0, run("compare", "--require-all", both, one));
    out.reset();
    assertEquals(0, run("compare", interrupted, one));
    assertTrue(
        out().contains("\ninterrupted.json: interrupted: 1 test ran, 0 did not\n"), this::out);
    assertEquals(1, run("compare", "--require-all", interrupted, one));
  }

  @Test
  void long_product_is_cut_in_the_comparison() throws IOException {
    String one = report("one.json", "{\"results\": [{\"test\": \"/a\", \"status\": \"OK\"}]}");
    String other =
        report(
            "other.json",
            "{\"run_info\": {\"product\": \"%s\"}, \"results\": [{\"test\": \"/a\", \"status\": \"OK\"}]}"
                .formatted("x".repeat(100_000)));

    assertEquals(0, run("compare", one, other));

    assertTrue(out().contains("xx…"), this::out);
    assertTrue(out().length() < 1000, () -> out().length() + " characters");
  }

  @Test
  void a_comparison_needs_two_reports() throws IOException {
    assertFails("no report is given; name at least two (weblocks compare --help)", "compare");
    String one = other("one.json", "PASS");
    assertFails(
        "only "
            + one
            + " is given; name another report to compare it with (weblocks compare --help)",
        "compare",
        one);
    assertFails(
        "--html " + dir + " cannot be written: " + dir + " is a directory; name a file",
        "compare",
        one,
        other("two.json", "PASS"),
        "--html",
        dir.toString());
  }

  // ---- interrupted runs ----

  private static final WptTest DONE =
      new WptTest("/d/a.html", "/d/a.html", TestKind.PAGE, TestTimeout.NORMAL, "u", null);
  private static final WptTest LEFT =
      new WptTest("/d/b.html", "/d/b.html", TestKind.PAGE, TestTimeout.NORMAL, "u", null);

  private final List<TestResult> results = new ArrayList<>();
  private boolean hushed;
  private Map<String, String> locks = Map.of();
  private boolean changes;

  private RunRecord record(Path file, int rounds) throws Exception {
    ReportFiles files =
        ReportFiles.of(
            List.of(new ReportFiles.Request("--wptreport", file, new WptReport())),
            Map.of(),
            Map.of());
    return new RunRecord(
            cli(),
            new RequestedReports(
                files, run -> Comparison.ofAll(List.of(new Comparison.Column("x", run))), false),
            new RunRecord.Plan(
                List.of(DONE, LEFT), Map.of(), rounds, Optional.of("abc"), Map.of(), changes),
            new ExpectationsJudge(Expectations.none()),
            () -> Instant.ofEpochMilli(1),
            new RunRecord.Run() {
              @Override
              public List<TestResult> results() {
                return List.copyOf(results);
              }

              @Override
              public void hush() {
                hushed = true;
              }

              @Override
              public Map<String, String> locks() {
                return locks;
              }
            })
        .begin();
  }

  private static TestResult result(WptTest test) {
    return new TestResult(
        test,
        HarnessStatus.OK,
        null,
        List.of(new SubtestResult("s", SubtestStatus.PASS, null)),
        Duration.ZERO);
  }

  @Test
  void an_interrupted_run_shows_the_locks_of_the_running_tests() throws Exception {
    locks = Map.of("/d/b.html", "NAME  MODE\na     shared");
    try (RunRecord record = record(dir.resolve("r.json"), 1)) {
      record.interrupt();
    }

    assertTrue(
        err()
            .startsWith(
                """
                locks of /d/b.html
                  NAME  MODE
                  a     shared
                weblocks: interrupted after 0 of 2 tests\
                """),
        this::err);
  }

  @Test
  void interrupted_run_changes_no_expectation_and_prints_a_notice() throws Exception {
    changes = true;
    try (RunRecord record = record(dir.resolve("r.json"), 1)) {
      results.add(result(DONE));
      record.interrupt();

      assertThrows(
          CommandFailure.class,
          () ->
              record.change(() -> {
                throw new AssertionError("it was changed");
              }));
    }

    assertTrue(err().endsWith("\nweblocks: no expectation was changed\n"), this::err);
  }

  @Test
  void interrupt_waits_until_a_started_update_of_expectations_is_complete() throws Exception {
    changes = true;
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (RunRecord record = record(dir.resolve("r.json"), 1)) {
      record.finish();
      Thread end =
          new Thread(() -> {
            record.interrupt();
            order.add("ended");
          });
      assertTrue(
          record.change(() -> {
            end.start();
            while (end.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            order.add("changed");
            return true;
          }));
      end.join();
    }

    assertEquals(List.of("changed", "ended"), order);
    assertFalse(err().contains("no expectation"), this::err);
  }

  @Test
  void interrupted_run_reports_its_results_so_far() throws Exception {
    Path file = dir.resolve("r.json");
    try (RunRecord record = record(file, 1)) {
      results.add(result(DONE));

      record.interrupt();
    }

    assertTrue(hushed);
    assertEquals(
        "weblocks: interrupted after 1 of 2 tests, all as expected; their reports are in "
            + file
            + "\n",
        err());
    assertTrue(json("r.json").at("/run_info/interrupted").asBoolean());
    assertEquals("abc", json("r.json").at("/run_info/revision").asText());
    assertEquals("OK", json("r.json").at("/results/0/status").asText());
    assertEquals("SKIP", json("r.json").at("/results/1/status").asText());
    assertEquals("the run was interrupted", json("r.json").at("/results/1/message").asText());
  }

  @Test
  void run_interrupted_after_its_end_counts_as_complete() throws Exception {
    try (RunRecord record = record(dir.resolve("r.json"), 1)) {
      results.addAll(List.of(result(DONE), result(LEFT)));
      record.finish();

      record.interrupt();
    }

    assertEquals("", err());
    assertFalse(json("r.json").get("run_info").has("interrupted"));
    assertEquals(2, json("r.json").get("results").size());
  }

  @Test
  void interrupt_before_the_last_round_marks_the_run_as_interrupted() throws Exception {
    try (RunRecord record = record(dir.resolve("r.json"), 7)) {
      results.addAll(List.of(result(DONE), result(LEFT), result(DONE)));

      record.interrupt();
    }

    assertTrue(err().startsWith("weblocks: interrupted after 3 tests, all as expected"), this::err);
    assertTrue(json("r.json").at("/run_info/interrupted").asBoolean());
    assertEquals(3, json("r.json").get("results").size());
  }

  @Test
  void run_that_fails_in_the_middle_reports_its_results_so_far() throws Exception {
    try (RunRecord record = record(dir.resolve("r.json"), 1)) {
      results.add(result(DONE));
    }

    assertEquals("OK", json("r.json").at("/results/0/status").asText());
    assertEquals("SKIP", json("r.json").at("/results/1/status").asText());
  }

  @Test
  void run_that_stops_early_lists_the_tests_not_run() throws Exception {
    script = page -> page.complete(1);

    assertEquals(1, run("wpt", "--fail-fast", "--serial", "--wptreport", path("r.json")));

    assertEquals(
        "the run ended before this test", json("r.json").at("/results/1/message").asText());
    assertFalse(json("r.json").get("run_info").has("interrupted"));
  }
}
