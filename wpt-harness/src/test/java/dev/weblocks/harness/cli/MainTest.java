package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.harness.wpt.FakeBrowser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainTest extends CliBed {

  @BeforeEach
  void writeTests() {
    wpt.file("area/a.any.js", "").file("area/page.html", "<link rel=match href=page-ref.html>");
  }

  @Test
  void names_and_variants_of_tests_cannot_control_the_terminal() {
    String hostile = "\u001b]0;title\u0007";
    wpt.file("hostile/a\u001b[31m.any.js", "")
        .file("hostile/b\nAll as expected.any.js", "// META: variant=?" + hostile);
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it fails", 1, "no"));
    terminal = true;
    variables.put("NO_COLOR", "1");

    assertEquals(0, run("wpt", "--list", "hostile/"));
    assertEquals(1, run("wpt", "-v", "hostile/"));

    String all = (out() + err()).replace("\r\u001b[K", "");
    assertFalse(all.contains("\u001b") || all.contains("\u0007"), all);
    assertTrue(all.lines().noneMatch(line -> line.startsWith("All as expected")), all);
    assertTrue(all.contains("U+001b]0;title"), all);
  }

  @Test
  void run_with_only_expected_results_gives_exit_code_0() {
    assertEquals(0, run("wpt"), this::err);

    String[] lines = out().split("\n", 0);
    assertEquals("Tests: 2 (OK 2)", lines[0]);
    assertEquals("Subtests: 2 (PASS 2)", lines[1]);
    assertEquals("Not supported: 1 (reftest 1)", lines[2]);
    assertTrue(lines[3].startsWith("All as expected in "), lines[3]);
    assertEquals(4, lines.length);
    assertEquals("weblocks: no hashes in wpt-subset: the tests are not verified\n", err());
  }

  @Test
  void unexpected_result_gives_exit_code_1_and_is_listed_with_its_message() {
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it fails", 1, "two\\nlines"));

    assertEquals(1, run("wpt", "/area/a.any.html"));

    String beginning =
        """
        unexpected /area/a.any.html  OK, 1 deviation

        Unexpected results:
          /area/a.any.html
            FAIL (expected PASS) it fails
              two
              lines

        Tests: 1 (OK 1)
        Subtests: 1 (FAIL 1)
        1 unexpected in\
        """;
    assertTrue(out().startsWith(beginning), this::out);
  }

  @Test
  void only_first_line_of_messages_is_printed_but_reports_have_all_lines() throws IOException {
    script = page -> page.listener.loadFailed(new IOException("bad (u:1:2)\n  let x y\n        ^"));
    Path file = dir.resolve("report.json");

    assertEquals(1, run("wpt", "/area/a.any.html", "--wptreport", file.toString()));

    String listed =
        """
            ERROR (expected OK) the test itself
              the page did not load: IOException: bad (u:1:2)

        Tests: 1 (ERROR 1)
        """;
    assertTrue(out().contains(listed), this::out);
    JsonNode report = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
    assertEquals(
        "the page did not load: IOException: bad (u:1:2)\n  let x y\n        ^",
        report.get("results").get(0).get("message").asText());
  }

  @Test
  void browser_that_does_not_stop_does_not_prevent_results() {
    CountDownLatch never = new CountDownLatch(1);
    stopLimit = Duration.ZERO;
    end =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };

    assertEquals(0, run("wpt"), this::err);

    assertTrue(out().contains("All as expected in "), this::out);
    assertTrue(
        err().endsWith("weblocks: the browser has not stopped within 0 s; continuing without it\n"),
        this::err);
    never.countDown();
  }

  @Test
  void browser_that_fails_while_closing_gives_exit_code_2() {
    end =
        () -> {
          throw new IllegalStateException("stuck");
        };

    assertEquals(2, run("wpt"));
    assertTrue(err().contains("the browser failed while closing: "), this::err);
  }

  @Test
  void expected_failure_gives_exit_code_0_and_unexpected_pass_gives_1() throws IOException {
    Path file = dir.resolve("wpt-subset/expectations/area/a.any.js.json");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        {"/area/a.any.html":
          {"subtests": {"it works":
            {"status": "FAIL", "reason": "it will, one day", "link": "README.md"}}}}
        """);

    assertEquals(1, run("wpt", "area/a.any.html"));
    assertTrue(out().contains("PASS (expected FAIL) it works"), this::out);
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it works", 1, ""));
    assertEquals(0, run("wpt", "area/a.any.html"));
  }

  @Test
  void malformed_expectations_give_exit_code_2() throws IOException {
    Path file = dir.resolve("wpt-subset/expectations/x.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{\"/t\": {\"status\": \"ERROR\"}}");

    assertFails(
        file
            + ":1:8: the reason is missing: use 'because' with a name of reasons.json, or 'reason'"
            + " and 'link'",
        "wpt");
  }

  @Test
  void list_names_all_tests_and_marks_unsupported_ones() {
    assertEquals(0, run("wpt", "--list", "area"));

    assertEquals(
        """
        /area/a.any.html
        /area/a.any.worker.html
        /area/page.html\tnot supported: reftests need rendering
        """,
        out());
  }

  @Test
  void list_shows_skipped_tests_with_reasons_despite_stale_expectations() throws IOException {
    expectations(
        "area/a.any.js.json",
        """
        {"/area/a.any.worker.html": {"status": "SKIP", "reason": "why", "link": "README.md#x"},
         "/area/old.html": {"status": "ERROR", "reason": "r", "link": "README.md"}}
        """);

    assertEquals(0, run("wpt", "--list", "area/a.any.js"), this::err);

    assertEquals("/area/a.any.html\n/area/a.any.worker.html\tskipped: why (README.md#x)\n", out());
  }

  @Test
  void flaky_result_is_a_deviation_only_until_it_is_expected() throws IOException {
    AtomicInteger round = new AtomicInteger();
    script =
        page ->
            page.complete(0, FakeBrowser.Page.subtest("it works", round.getAndIncrement() % 2, ""));
    Path file = dir.resolve("wpt-subset/expectations/area/a.any.js.json");
    assertEquals(1, run("wpt", "--update-expectations", "--repeat", "3", "/area/a.any.html"));
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"because\": \"\"", "\"reason\": \"r\", \"link\": \"README.md\""));

    assertEquals(0, run("wpt", "--repeat", "4", "/area/a.any.html"), this::out);
  }

  @Test
  void path_without_a_test_gives_exit_code_2_and_similar_names() {
    assertFails(
        "unknown test 'area/b.any.js'; similar names: /area/a.any.js", "wpt", "area/b.any.js");
  }

  @Test
  void selection_of_only_unsupported_tests_gives_exit_code_2() {
    assertFails("no test to run. Not supported: 1 (reftest 1)", "wpt", "area/page.html");
  }

  @Test
  void missing_wpt_directory_gives_exit_code_2_and_a_hint() {
    properties.remove("weblocks.wpt.dir");
    assertFails(
        "the web-platform-tests are missing: run scripts/fetch-wpt, or name a directory with"
            + " --wpt",
        "wpt");
  }

  @Test
  void directory_without_tests_gives_exit_code_2() {
    assertFails(
        "'"
            + dir.resolve("none")
            + "' holds no web-platform-tests (no resources/testharness.js): name the root of a checkout",
        "wpt",
        "--wpt",
        dir.resolve("none").toString());
  }

  @Test
  void damaged_files_give_exit_code_2_unless_verification_is_disabled() throws IOException {
    Path hashes = dir.resolve("wpt-subset/hashes.sha256");
    Files.createDirectories(hashes.getParent());
    Files.writeString(hashes, "0".repeat(64) + "  area/a.any.js\n");

    assertFails(
        "1 file of '"
            + dir.resolve("wpt")
            + "' are not those of the pinned revision (differs: area/a.any.js): run"
            + " scripts/fetch-wpt, or take them as they are with --no-verify",
        "wpt");
    assertEquals(0, run("wpt", "--no-verify"));
  }

  @Test
  void unwritable_report_is_detected_before_tests_run() {
    script =
        page -> {
          throw new AssertionError("a test ran");
        };

    assertFails(
        "--wptreport "
            + dir.resolve("no/report.json")
            + " cannot be written: the directory "
            + dir.resolve("no")
            + " does not exist",
        "wpt",
        "--wptreport",
        dir.resolve("no/report.json").toString());
  }

  @Test
  void the_report_is_written_whatever_the_results_are() throws IOException {
    script = page -> page.complete(1);
    Path file = dir.resolve("report.json");

    assertEquals(1, run("wpt", "--wptreport", file.toString(), "--jobs", "3"));

    JsonNode report = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
    assertEquals(3, report.get("results").size());
    assertEquals("ERROR", report.get("results").get(0).get("status").asText());
    assertEquals("weblocks", report.get("run_info").get("product").asText());
    assertFalse(report.get("run_info").has("revision"));
  }

  @Test
  void wrong_usage_prints_one_line_and_exits_with_2() {
    assertFails("unknown option --foo (weblocks wpt --help)", "wpt", "--foo");
  }

  @Test
  void jobs_must_be_positive() {
    assertFails(
        "--jobs is 0: a number from 1 to 1000 is needed (weblocks wpt --help)",
        "wpt",
        "--jobs",
        "0");
  }

  @Test
  void missing_command_gives_exit_code_2() {
    assertFails("no command is given (weblocks --help)");
  }

  @Test
  void unknown_command_gives_exit_code_2() {
    assertEquals(2, run("wtp"));
    assertEquals(1, err().lines().count(), this::err);
  }

  @Test
  void internal_error_prints_one_line_and_exits_with_2() {
    properties.put("weblocks.wpt.dir", "\0");

    assertEquals(2, run("wpt"));
    assertEquals(1, err().lines().count(), this::err);
    assertTrue(err().startsWith("weblocks: internal error: "), this::err);
  }

  @Test
  void help_and_version_print_to_standard_output_with_exit_code_0() {
    assertEquals(0, run("--help"));
    assertTrue(out().matches("(?s).*\n  wpt +Run web-platform-tests.*"), this::out);
    assertTrue(out().matches("(?s).*\n  stress +Run a stress test of the library.*"), this::out);
    assertTrue(out().matches("(?s).*\n  explore +Run scripts repeatedly.*"), this::out);
    assertTrue(out().matches("(?s).*\n  differ +Run generated programs.*"), this::out);
    assertTrue(out().matches("(?s).*\n  variants +List the variants.*"), this::out);
    assertEquals(0, run("variants", "--help"));
    assertTrue(out().matches("(?s).*\n  compare +Run scripts under several.*"), this::out);
    assertEquals(0, run("help", "variants", "compare"));
    assertTrue(out().contains("Exit status: 0 nothing differs"), this::out);
    assertEquals(0, run("stress", "--help"));
    assertTrue(out().matches("(?s).*\n  kill +Kill agents.*"), this::out);
    assertEquals(0, run("stress", "kill", "--help"));
    assertTrue(out().contains("Exit status: 0 no problem"), this::out);
    assertEquals(0, run("wpt", "--help"));
    assertTrue(out().contains("Exit status: 0 all as expected"), this::out);
    assertEquals(0, run("--version"));
    assertTrue(out().contains("weblocks "), this::out);
    assertEquals("", err());
  }

  @Test
  void help_of_wpt_names_the_timeout_multiplier_and_environment_variables() {
    assertEquals(0, run("help", "wpt"));
    String help = out();
    assertTrue(help.startsWith("Usage: weblocks wpt [OPTIONS] [TEST-PATH...]\n"), help);
    assertTrue(help.contains("\n      --timeout-multiplier=X\n"), help);
    for (String part : new String[] {"Examples:", "NO_COLOR", "WPT_DIR", "WEBLOCKS_JVM", "130"}) {
      assertTrue(help.contains(part), help);
    }
    forget();
    assertEquals(0, run("wpt", "--help"));
    assertEquals(help, out());
  }

  @Test
  void invalid_stress_options_give_exit_code_2_and_the_reason() {
    assertFails("no command is given (weblocks stress --help)", "stress");
    err.reset();
    assertFails(
        "--agents is 0: a number from 1 to 10000000 is needed (weblocks stress kill --help)",
        "stress",
        "kill",
        "--agents",
        "0");
    err.reset();
    assertFails(
        "--threads is -1: a number from 1 to 1000 is needed (weblocks stress kill --help)",
        "stress",
        "kill",
        "--threads",
        "-1");
  }

  @Test
  void terminal_output_has_a_progress_line_and_colours() {
    terminal = true;
    variables.put("COLUMNS", "6");

    assertEquals(0, run("wpt", "area/a.any.html"));

    assertTrue(err().contains("\r\u001b[K[0/1,\r\u001b[K[1/1,\r\u001b[K"), this::err);
    assertTrue(out().contains("\u001b[32mAll as expected\u001b[0m"), this::out);
  }

  @Test
  void variable_no_color_disables_colours() {
    terminal = true;
    variables.put("NO_COLOR", "1");

    assertEquals(0, run("wpt"));

    assertFalse(out().contains("\u001b"), this::out);
  }

  private Path expectations(String path, String text) throws IOException {
    Path file = dir.resolve("wpt-subset/expectations").resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void updated_expectations_fail_until_reasons_are_added() throws IOException {
    script = page -> page.complete(0, FakeBrowser.Page.subtest("it fails", 1, ""));
    Path file = dir.resolve("wpt-subset/expectations/area/a.any.js.json");

    assertEquals(1, run("wpt", "--update-expectations", "area/a.any.js"));
    assertTrue(
        out().endsWith("\nChanged " + file + ": +1 -0\n" + file + ": 1 entry needs a reason\n"),
        this::out);
    out.reset();
    assertFails(
        file
            + ":4:50: the reason is empty: use 'because' with a name of reasons.json, or"
            + " 'reason' and 'link'",
        "wpt",
        "area/a.any.js");

    Files.writeString(file, Files.readString(file).replace("\"\"", "\"known\""));
    Path reasons =
        expectations(
            "reasons.json",
            """
            {"known": {"reason": "r", "link": "README.md"}}
            """);
    assertEquals(0, run("wpt", "area/a.any.js"), this::out);
    out.reset();
    assertEquals(0, run("wpt", "--update-expectations", "area/a.any.js"));
    assertTrue(out().endsWith("\nNo expectation changed\n"), this::out);

    script = page -> page.complete(0, FakeBrowser.Page.subtest("it fails", 0, ""));
    assertEquals(1, run("wpt", "--update-expectations", "area/a.any.js"));
    assertTrue(
        out()
            .endsWith(
                "\nChanged "
                    + file
                    + ": +0 -1\n"
                    + reasons
                    + ": unused: known; delete the entries\n"),
        this::out);
    assertFalse(Files.exists(file));
  }

  @Test
  void results_that_differ_between_rounds_are_updated_to_flaky() throws IOException {
    AtomicInteger round = new AtomicInteger();
    script =
        page -> page.complete(0, FakeBrowser.Page.subtest("it works", round.getAndIncrement(), ""));
    Path file = dir.resolve("wpt-subset/expectations/area/a.any.js.json");

    assertEquals(1, run("wpt", "--update-expectations", "--repeat", "2", "/area/a.any.html"));

    assertEquals(
        """
        {
          "/area/a.any.html": {
            "subtests": {
              "it works": { "status": "FLAKY", "statuses": ["PASS", "FAIL"], "because": "" }
            }
          }
        }
        """,
        Files.readString(file));
  }

  @Test
  void stale_expectations_give_exit_code_2_unless_verification_is_disabled() throws IOException {
    Path file =
        expectations(
            "area/a.any.js.json",
            """
            {"/area/old.html": {"status": "ERROR", "reason": "r", "link": "README.md"}}
            """);

    assertFails(
        file
            + ":1:2: '/area/old.html' is stale: /area/a.any.js does not have this test, only"
            + " /area/a.any.html, /area/a.any.worker.html",
        "wpt");
    assertEquals(0, run("wpt", "--no-verify"), this::err);
  }

  @Test
  void expectations_of_a_missing_file_are_stale_unless_its_absence_is_recorded()
      throws IOException {
    String text =
        """
        {"*": {"status": "ERROR", "reason": "r", "link": "README.md"}}
        """;
    Path file = expectations("area/gone.any.js.json", text);
    Files.writeString(dir.resolve("wpt-subset/hashes.sha256"), "");
    assertFails(
        file + " is stale: '/area/gone.any.js' has no test; delete it", "wpt", "area/a.any.js");

    Files.writeString(
        dir.resolve("wpt-subset/hashes.sha256"), "0".repeat(64) + "  area/gone.any.js\n");
    Files.createDirectories(dir.resolve("wpt/.weblocks"));
    Files.writeString(dir.resolve("wpt/.weblocks/gaps"), "missing: area/gone.any.js\n");
    assertEquals(0, run("wpt", "area/a.any.js"), this::err);
  }

  @Test
  void a_skipped_test_is_not_run_and_is_reported_with_its_reason() throws IOException {
    expectations(
        "area/a.any.js.json",
        """
        {"/area/a.any.worker.html": {"status": "SKIP", "reason": "why", "link": "README.md#x"}}
        """);

    assertEquals(0, run("wpt"), this::err);

    assertTrue(
        out()
            .startsWith(
                """
                Tests: 1 (OK 1)
                Subtests: 1 (PASS 1)
                Not supported: 1 (reftest 1), Skipped: 1
                  skipped /area/a.any.worker.html: why (README.md#x)
                All as expected in\
                """),
        this::out);
    out.reset();
    assertFails("no test to run. Skipped: 1", "wpt", "area/a.any.worker.html");
  }
}
