package dev.weblocks.harness.wpt.expect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.MiniatureWpt;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestTimeout;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.ExpectationWriter.Change;
import dev.weblocks.harness.wpt.expect.ExpectationWriter.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpectationWriterTest {

  private static final String WINDOW = "/dir/a.any.html";
  private static final String WORKER = "/dir/a.any.worker.html";
  private static final String SHARED = "/dir/a.any.sharedworker.html";

  private final MiniatureWpt files =
      new MiniatureWpt()
          .file(
              "expectations/reasons.json",
              """
              {"one": {"reason": "first", "link": "A.md"},
               "two": {"reason": "second", "link": "A.md"}}
              """);
  private final Path directory = files.root().resolve("expectations");
  private final Path file = directory.resolve("dir/a.any.js.json");
  private List<String> ids = List.of(WINDOW);

  private static WptTest test(String id) {
    TestKind kind = id.contains("crash") ? TestKind.CRASHTEST : TestKind.ANY_WINDOW;
    return new WptTest(
        id,
        "/dir/a.any.js",
        kind,
        TestTimeout.NORMAL,
        "http://h" + id,
        id.contains("shadow") ? "not supported" : null);
  }

  private static TestResult result(String id, HarnessStatus status, SubtestResult... subtests) {
    return new TestResult(test(id), status, null, List.of(subtests), Duration.ZERO);
  }

  private static SubtestResult subtest(String name, SubtestStatus status) {
    return new SubtestResult(name, status, null);
  }

  private static SubtestResult failing(String name) {
    return subtest(name, SubtestStatus.FAIL);
  }

  private void before(String text) {
    files.file("expectations/dir/a.any.js.json", text);
  }

  private Outcome write(TestResult... results) throws Exception {
    return ExpectationWriter.write(
        directory,
        List.of(results),
        source -> ids.stream().map(ExpectationWriterTest::test).toList());
  }

  private void assertFile(String text) throws IOException {
    assertEquals(text, Files.readString(file));
  }

  @Test
  void only_failures_are_written_and_their_reasons_are_empty() throws Exception {
    ids = List.of("/dir/a.crash.html", "/dir/fine.html", WINDOW);

    Outcome outcome =
        write(
            result("/dir/a.crash.html", HarnessStatus.PASS),
            result("/dir/fine.html", HarnessStatus.OK, subtest("x", SubtestStatus.PASS)),
            result(
                WINDOW,
                HarnessStatus.TIMEOUT,
                subtest("good", SubtestStatus.PASS),
                failing("bad \"\\ \n\u0000 \ud800 \ud83d\ude00")));

    assertEquals(List.of(new Change(file, 2, 0)), outcome.changes());
    assertEquals(Map.of(file, 2), outcome.open());
    assertEquals(List.of("one", "two"), outcome.unusedReasons());
    assertFile(
        """
        {
          "/dir/a.any.html": {
            "status": "TIMEOUT", "because": "",
            "subtests": {
              "bad \\"\\\\ \\n\\u0000 \\uD800 \ud83d\ude00": { "status": "FAIL", "because": "" }
            }
          }
        }
        """);
    Expectations.MalformedException failure =
        assertThrows(Expectations.MalformedException.class, () -> Expectations.load(directory));
    assertEquals(
        file
            + ":3:37: the reason is empty: use 'because' with a name of reasons.json, or"
            + " 'reason' and 'link'",
        failure.getMessage());
    assertEquals(
        List.of(),
        Expectations.loadDrafts(directory)
            .compare(
                result(
                    WINDOW,
                    HarnessStatus.TIMEOUT,
                    failing("bad \"\\ \n\u0000 \ud800 \ud83d\ude00"))));
  }

  @Test
  void reasons_and_order_are_kept_and_passing_entries_are_removed() throws Exception {
    ids = List.of(WINDOW, "/dir/other.html", "/dir/shadow.html");
    before(
        """
        {"/dir/a.any.html": {"status": "ERROR", "because": "one", "subtests": {
          "two": {"status": "FAIL", "because": "two"},
          "passes": {"status": "FAIL", "because": "one"},
          "is gone": {"status": "FAIL", "because": "one"},
          "skipped": {"status": "SKIP", "because": "one"},
          "changed": {"status": "FAIL", "because": "one"},
          "one": {"status": "TIMEOUT", "reason": "its own", "link": "https://example.org/"}}},
         "/dir/other.html": {"status": "CRASH", "because": "two"},
         "/dir/shadow.html": {"status": "CRASH", "because": "two"},
         "/dir/stale.html": {"status": "CRASH", "because": "two"}}
        """);

    Outcome outcome =
        write(
            result(
                WINDOW,
                HarnessStatus.OK,
                subtest("new", SubtestStatus.NOTRUN),
                subtest("one", SubtestStatus.TIMEOUT),
                failing("two"),
                subtest("changed", SubtestStatus.TIMEOUT),
                subtest("skipped", SubtestStatus.PASS),
                subtest("passes", SubtestStatus.PASS)));

    assertEquals(List.of(new Change(file, 2, 5)), outcome.changes());
    assertEquals(Map.of(file, 2), outcome.open());
    assertEquals(List.of(), outcome.unusedReasons());
    assertFile(
        """
        {
          "/dir/a.any.html": {
            "subtests": {
              "two": { "status": "FAIL", "because": "two" },
              "skipped": { "status": "SKIP", "because": "one" },
              "changed": { "status": "TIMEOUT", "because": "" },
              "one": { "status": "TIMEOUT", "reason": "its own", "link": "https://example.org/" },
              "new": { "status": "NOTRUN", "because": "" }
            }
          },
          "/dir/other.html": { "status": "CRASH", "because": "two" },
          "/dir/shadow.html": { "status": "CRASH", "because": "two" }
        }
        """);
  }

  @Test
  void empty_file_is_removed_and_correct_file_is_unchanged() throws Exception {
    String odd = "{\"" + WINDOW + "\":\n{\"because\": \"one\", \"status\": \"ERROR\"}}";
    before(odd);

    assertEquals(List.of(), write(result(WINDOW, HarnessStatus.ERROR)).changes());
    assertFile(odd);

    assertEquals(
        List.of(new Change(file, 0, 1)), write(result(WINDOW, HarnessStatus.OK)).changes());
    assertFalse(Files.exists(file));
    assertEquals(List.of(), write(result(WINDOW, HarnessStatus.OK)).changes());
  }

  @Test
  void differing_results_of_a_test_become_flaky() throws Exception {
    before(
        """
        {"/dir/a.any.html": {"subtests": {
          "known": {"status": "FLAKY", "statuses": ["FAIL", "PASS"], "because": "one"},
          "worse": {"status": "FLAKY", "statuses": ["FAIL", "PASS"], "because": "one"},
          "once": {"status": "FAIL", "because": "two"}}}}
        """);

    write(
        result(
            WINDOW,
            HarnessStatus.TIMEOUT,
            subtest("known", SubtestStatus.PASS),
            subtest("worse", SubtestStatus.NOTRUN),
            failing("once"),
            failing("new")),
        result(
            WINDOW,
            HarnessStatus.OK,
            subtest("known", SubtestStatus.PASS),
            subtest("worse", SubtestStatus.PASS),
            subtest("once", SubtestStatus.PASS)));

    assertFile(
        """
        {
          "/dir/a.any.html": {
            "status": "FLAKY", "statuses": ["OK", "TIMEOUT"], "because": "",
            "subtests": {
              "known": { "status": "FLAKY", "statuses": ["FAIL", "PASS"], "because": "one" },
              "worse": { "status": "FLAKY", "statuses": ["PASS", "FAIL", "NOTRUN"], "because": "" },
              "once": { "status": "FLAKY", "statuses": ["PASS", "FAIL"], "because": "" },
              "new": { "status": "FAIL", "because": "" }
            }
          }
        }
        """);
  }

  @Test
  void entries_common_to_all_tests_of_a_file_are_written_once() throws Exception {
    ids = List.of(WINDOW, SHARED, WORKER, "/dir/a.any.shadowrealm.html");
    before(
        """
        {"/dir/a.any.worker.html": {"subtests": {"x": {"status": "FAIL", "because": "one"}}},
         "/dir/a.any.html": {"subtests": {"x": {"status": "FAIL", "because": "one"}}}}
        """);

    // The shared worker's reason is still missing, so its entry differs.
    write(result(SHARED, HarnessStatus.OK, failing("x")));
    assertFile(
        """
        {
          "/dir/a.any.worker.html": {
            "subtests": {
              "x": { "status": "FAIL", "because": "one" }
            }
          },
          "/dir/a.any.html": {
            "subtests": {
              "x": { "status": "FAIL", "because": "one" }
            }
          },
          "/dir/a.any.sharedworker.html": {
            "subtests": {
              "x": { "status": "FAIL", "because": "" }
            }
          }
        }
        """);
    Files.writeString(file, Files.readString(file).replace("\"\"", "\"one\""));

    Outcome outcome = write(result(WORKER, HarnessStatus.OK, failing("x")));

    assertEquals(List.of(new Change(file, 1, 3)), outcome.changes());
    assertFile(
        """
        {
          "*": {
            "subtests": {
              "x": { "status": "FAIL", "because": "one" }
            }
          }
        }
        """);
  }

  @Test
  void star_entry_is_kept_for_tests_that_still_match_it() throws Exception {
    ids = List.of(WINDOW, SHARED, WORKER);
    before("{\"*\": {\"status\": \"ERROR\", \"because\": \"one\"}}");

    write(result(WORKER, HarnessStatus.OK), result(SHARED, HarnessStatus.CRASH));
    assertFile(
        """
        {
          "*": { "status": "ERROR", "because": "one" },
          "/dir/a.any.sharedworker.html": { "status": "CRASH", "because": "" },
          "/dir/a.any.worker.html": {}
        }
        """);
    assertEquals(
        List.of(), Expectations.loadDrafts(directory).compare(result(WORKER, HarnessStatus.OK)));

    assertEquals(
        List.of(new Change(file, 1, 1)),
        write(
                result(SHARED, HarnessStatus.OK),
                result(WORKER, HarnessStatus.OK),
                result(WINDOW, HarnessStatus.ERROR))
            .changes());
    assertFile(
        """
        {
          "*": { "status": "ERROR", "because": "one" },
          "/dir/a.any.sharedworker.html": {},
          "/dir/a.any.worker.html": {}
        }
        """);

    write(result(WINDOW, HarnessStatus.TIMEOUT));
    assertFile(
        """
        {
          "/dir/a.any.html": { "status": "TIMEOUT", "because": "" }
        }
        """);
  }

  @Test
  void star_entry_is_updated_from_the_tests_it_covers() throws Exception {
    ids = List.of(WINDOW, SHARED, WORKER);
    before(
        """
        {"/dir/a.any.worker.html": {"status": "ERROR", "because": "two"},
         "*": {"subtests": {
           "x": {"status": "FAIL", "because": "one"}, "y": {"status": "FAIL", "because": "two"}}}}
        """);

    write(
        result(WINDOW, HarnessStatus.OK, failing("x"), subtest("y", SubtestStatus.PASS)),
        result(SHARED, HarnessStatus.OK, failing("x"), subtest("y", SubtestStatus.PASS)));

    assertFile(
        """
        {
          "/dir/a.any.worker.html": { "status": "ERROR", "because": "two" },
          "*": {
            "subtests": {
              "x": { "status": "FAIL", "because": "one" }
            }
          }
        }
        """);
  }

  @Test
  void leftover_of_a_killed_update_is_ignored_and_then_removed() throws Exception {
    String old = "{ \"/dir/a.any.html\": { \"status\": \"TIMEOUT\", \"because\": \"one\" } }\n";
    before(old);
    Path part = file.resolveSibling(".a.any.js.json.0.part");
    Files.writeString(part, "{ \"/dir/a.any.html\": { \"sta");

    assertEquals(
        List.of(HarnessStatus.TIMEOUT), Expectations.loadDrafts(directory).expected(test(WINDOW)));
    write(result(WINDOW, HarnessStatus.ERROR));

    assertFile(
        """
        {
          "/dir/a.any.html": { "status": "ERROR", "because": "" }
        }
        """);
    assertFalse(Files.exists(part));

    Files.writeString(part, "{ \"/dir/a.any.html\": { \"sta");
    write(result(WINDOW, HarnessStatus.ERROR));
    assertFalse(Files.exists(part), "beside a file that does not change");
  }

  @Test
  void invalid_file_is_not_replaced() throws Exception {
    before("nonsense");

    assertThrows(
        Expectations.MalformedException.class, () -> write(result(WINDOW, HarnessStatus.ERROR)));
    assertFile("nonsense");
  }

  @Test
  void hostile_subtest_names_match_their_written_expectations() throws Exception {
    List<SubtestResult> hostile = new ArrayList<>();
    for (String name :
        List.of("", "*", "subtests", "__proto__", "\u2028\u007f\u0085", "\udfff\ud800", "/dir/a")) {
      hostile.add(failing(name));
    }
    TestResult result =
        new TestResult(test(WINDOW), HarnessStatus.OK, null, hostile, Duration.ZERO);
    write(result);

    assertEquals(List.of(), Expectations.loadDrafts(directory).compare(result));
    try (Stream<Path> beside = Files.list(file.getParent())) {
      assertEquals(List.of(file), beside.toList());
    }
    assertTrue(Files.readString(file).contains("\\uDFFF\\uD800"), () -> "lone surrogates escaped");
  }
}
