package dev.weblocks.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationWriterTest {

  private static final String ID = "/dir/a.any.html";

  private final MiniatureWpt files = new MiniatureWpt();
  private final Path directory = files.root().resolve("expectations");
  private final Path file = directory.resolve("dir/a.any.js.json");

  private static TestResult result(String id, HarnessStatus status, SubtestResult... subtests) {
    TestKind kind = id.contains("crash") ? TestKind.CRASHTEST : TestKind.ANY_WINDOW;
    WptTest test =
        new WptTest(id, "/dir/a.any.js", kind, TestTimeout.NORMAL, "http://h" + id, null);
    return new TestResult(test, status, null, List.of(subtests), Duration.ZERO);
  }

  private static SubtestResult subtest(String name, SubtestStatus status) {
    return new SubtestResult(name, status, null);
  }

  private void before(String... lines) {
    files.file("expectations/dir/a.any.js.json", lines);
  }

  @Test
  void what_passes_is_not_written_and_what_does_not_awaits_a_reason() throws Exception {
    ExpectationWriter.Outcome outcome =
        ExpectationWriter.write(
            directory,
            List.of(
                result("/dir/a.crash.html", HarnessStatus.PASS),
                result("/dir/fine.html", HarnessStatus.OK, subtest("x", SubtestStatus.PASS)),
                result(
                    ID,
                    HarnessStatus.TIMEOUT,
                    subtest("good", SubtestStatus.PASS),
                    subtest("bad \ud800 \ud83d\ude00", SubtestStatus.FAIL))));

    assertEquals(List.of(file), outcome.files());
    assertEquals(List.of(ID, ID + ": bad \ud800 \ud83d\ude00"), outcome.withoutReason());
    assertEquals(
        """
        {
          "/dir/a.any.html": {
            "status": "TIMEOUT",
            "reason": "",
            "subtests": {
              "bad \\ud800 \ud83d\ude00": {
                "status": "FAIL",
                "reason": ""
              }
            }
          }
        }
        """,
        Files.readString(file));
    Expectations.MalformedException failure =
        assertThrows(Expectations.MalformedException.class, () -> Expectations.load(directory));
    assertEquals(file + ": '" + ID + "' has no reason", failure.getMessage());
    assertEquals(
        List.of(),
        Expectations.loadDrafts(directory)
            .compare(
                result(
                    ID,
                    HarnessStatus.TIMEOUT,
                    subtest("bad \ud800 \ud83d\ude00", SubtestStatus.FAIL))));
  }

  @Test
  void reasons_and_places_stay_and_what_passes_now_goes() throws Exception {
    before(
        "{\"" + ID + "\": {\"status\": \"ERROR\", \"reason\": \"whole\", \"subtests\": {",
        "\"two\": {\"status\": \"FAIL\", \"reason\": \"second\"},",
        "\"gone\": {\"status\": \"FAIL\", \"reason\": \"was there\"},",
        "\"one\": {\"status\": \"FAIL\", \"reason\": \"first\"}}},",
        "\"/dir/other\": {\"status\": \"CRASH\", \"reason\": \"not run now\"}}");

    ExpectationWriter.Outcome outcome =
        ExpectationWriter.write(
            directory,
            List.of(
                result(
                    ID,
                    HarnessStatus.OK,
                    subtest("new", SubtestStatus.NOTRUN),
                    subtest("one", SubtestStatus.TIMEOUT),
                    subtest("two", SubtestStatus.FAIL),
                    subtest("gone", SubtestStatus.PASS))));

    assertEquals(List.of(ID + ": new"), outcome.withoutReason());
    assertEquals(
        """
        {
          "/dir/a.any.html": {
            "subtests": {
              "two": {
                "status": "FAIL",
                "reason": "second"
              },
              "one": {
                "status": "TIMEOUT",
                "reason": "first"
              },
              "new": {
                "status": "NOTRUN",
                "reason": ""
              }
            }
          },
          "/dir/other": {
            "status": "CRASH",
            "reason": "not run now"
          }
        }
        """,
        Files.readString(file));
  }

  @Test
  void a_file_without_anything_left_is_removed_and_one_that_is_right_is_left_alone()
      throws Exception {
    before("{\"" + ID + "\": {\"status\": \"ERROR\", \"reason\": \"known\"}}");
    List<TestResult> failing = List.of(result(ID, HarnessStatus.ERROR));
    assertEquals(List.of(file), ExpectationWriter.write(directory, failing).files());
    assertEquals(
        new ExpectationWriter.Outcome(List.of(), List.of()),
        ExpectationWriter.write(directory, failing));

    ExpectationWriter.Outcome outcome =
        ExpectationWriter.write(directory, List.of(result(ID, HarnessStatus.OK)));

    assertEquals(List.of(file), outcome.files());
    assertFalse(Files.exists(file));
    assertEquals(
        new ExpectationWriter.Outcome(List.of(), List.of()),
        ExpectationWriter.write(directory, List.of(result(ID, HarnessStatus.OK))));
  }

  @Test
  void a_file_that_makes_no_sense_is_not_replaced() {
    before("nonsense");

    assertThrows(
        Expectations.MalformedException.class,
        () -> ExpectationWriter.write(directory, List.of(result(ID, HarnessStatus.ERROR))));
  }
}
