package dev.weblocks.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.wpt.expect.Expectations;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WptReportTest {

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

    JsonNode report =
        JsonMapper.builder()
            .build()
            .readTree(
                WptReport.write(
                    List.of(result),
                    Expectations.none(),
                    Instant.ofEpochMilli(1000),
                    Instant.ofEpochMilli(2500),
                    Map.of("revision", "abc")));

    assertEquals(
        JsonMapper.builder()
            .build()
            .readTree(
                """
                {"run_info": {"product": "weblocks", "revision": "abc"},
                 "time_start": 1000, "time_end": 2500,
                 "results": [{"test": "/d/a.any.html?v", "subsuite": "", "status": "ERROR",
                   "message": "bad U+dc00", "expected": "OK", "duration": 321, "subtests": [
                     {"name": "one \ud83d\ude00", "status": "PASS", "message": null},
                     {"name": "two U+d800x", "status": "FAIL", "message": "why",
                      "expected": "PASS"}]}],
                 "subsuites": {}}
                """),
        report);
  }

  @Test
  void what_is_fine_besides_the_usual_is_known_to_be_intermittent_and_what_nobody_looks_at_not()
      throws Exception {
    WptTest test =
        new WptTest("/d/a.html", "/d/a.html", TestKind.PAGE, TestTimeout.NORMAL, "u", null);
    TestResult result =
        new TestResult(
            test,
            HarnessStatus.TIMEOUT,
            null,
            List.of(
                new SubtestResult("skipped", SubtestStatus.FAIL, null),
                new SubtestResult("flaky", SubtestStatus.PASS, null)),
            Duration.ZERO);
    ExpectedStatuses expected =
        new ExpectedStatuses() {
          @Override
          public List<HarnessStatus> expected(WptTest test) {
            return List.of(HarnessStatus.OK, HarnessStatus.TIMEOUT);
          }

          @Override
          public List<SubtestStatus> expected(WptTest test, String subtest) {
            return subtest.equals("skipped")
                ? List.of()
                : List.of(SubtestStatus.PASS, SubtestStatus.FAIL);
          }
        };

    JsonNode report =
        JsonMapper.builder()
            .build()
            .readTree(
                WptReport.write(List.of(result), expected, Instant.EPOCH, Instant.EPOCH, Map.of()));

    assertEquals(
        JsonMapper.builder()
            .build()
            .readTree(
                """
                [{"test": "/d/a.html", "subsuite": "", "status": "TIMEOUT", "message": null,
                  "expected": "OK", "known_intermittent": ["TIMEOUT"], "duration": 0, "subtests": [
                    {"name": "skipped", "status": "FAIL", "message": null},
                    {"name": "flaky", "status": "PASS", "message": null,
                     "known_intermittent": ["FAIL"]}]}]
                """),
        report.get("results"));
  }

  @Test
  void saving_replaces_the_file_and_leaves_nothing_beside_it(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("report.json"), "old");

    WptReport.save(file, "new");

    assertEquals("new", Files.readString(file));
    try (Stream<Path> files = Files.list(dir)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void saving_through_a_link_writes_its_target_there_or_not(@TempDir Path dir) throws IOException {
    Files.createDirectory(dir.resolve("target"));
    Path file = dir.resolve("target/report.json");
    Path link = Files.createSymbolicLink(dir.resolve("one"), Path.of("target/report.json"));
    Path linkToLink = Files.createSymbolicLink(dir.resolve("two"), link);

    WptReport.requireWritable(link);
    WptReport.save(link, "first");
    assertEquals("first", Files.readString(file));
    WptReport.save(linkToLink, "second");

    assertEquals("second", Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.isSymbolicLink(linkToLink));
  }

  @Test
  void links_in_a_circle_are_an_error(@TempDir Path dir) throws IOException {
    Path one = Files.createSymbolicLink(dir.resolve("one"), Path.of("two"));
    Files.createSymbolicLink(dir.resolve("two"), Path.of("one"));

    assertThrows(FileSystemLoopException.class, () -> WptReport.requireWritable(one));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void a_new_report_has_the_mode_of_any_new_file_and_an_old_one_keeps_its_own(@TempDir Path dir)
      throws IOException {
    Path any = Files.createFile(dir.resolve("any"));
    Path file = dir.resolve("report.json");

    WptReport.save(file, "new");
    assertEquals(Files.getPosixFilePermissions(any), Files.getPosixFilePermissions(file));
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-rw----");
    Files.setPosixFilePermissions(file, own);
    WptReport.save(file, "newer");

    assertEquals(own, Files.getPosixFilePermissions(file));
    assertEquals("newer", Files.readString(file));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void a_device_is_written_to_and_stays_one(@TempDir Path dir) throws IOException {
    Path link = Files.createSymbolicLink(dir.resolve("null"), Path.of("/dev/null"));

    WptReport.requireWritable(link);
    WptReport.save(link, "nowhere");

    assertTrue(Files.readAttributes(link, BasicFileAttributes.class).isOther());
    assertTrue(Files.isSymbolicLink(link));
  }

  @Test
  void a_place_that_cannot_be_written_is_known_beforehand(@TempDir Path dir) throws IOException {
    WptReport.requireWritable(dir.resolve("report.json"));
    assertFalse(Files.exists(dir.resolve("report.json")));

    assertThrows(IOException.class, () -> WptReport.requireWritable(dir));
    IOException missing =
        assertThrows(
            IOException.class, () -> WptReport.requireWritable(dir.resolve("no/report.json")));
    assertTrue(String.valueOf(missing.getMessage()).startsWith("there is no directory "));
  }
}
