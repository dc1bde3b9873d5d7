package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WptReportReaderTest {

  @TempDir Path dir;

  private RunReport read(String text) throws Exception {
    return WptReportReader.read(Files.writeString(dir.resolve("r.json"), text));
  }

  private void assertMalformed(String message, String text) throws IOException {
    Path file = Files.writeString(dir.resolve("r.json"), text);
    WptReportReader.MalformedException problem =
        assertThrows(WptReportReader.MalformedException.class, () -> WptReportReader.read(file));
    assertEquals(file + message, problem.getMessage());
  }

  @Test
  void written_report_is_read_back() throws Exception {
    for (RunReport run : List.of(Runs.hostile(), Runs.empty(), Runs.interrupted())) {
      String text = new WptReport().write(run);

      RunReport again = read(text);

      assertEquals(text, new WptReport().write(again));
      assertEquals(run.interrupted(), again.interrupted());
      assertEquals(run.notRun(), again.notRun());
      assertEquals(run.unexpected(), again.unexpected());
    }
  }

  @Test
  void unknown_status_and_second_list_of_results_are_malformed() throws Exception {
    assertMalformed(
        ":1:13: results[0] has the unknown status 'GOOD'",
        "{\"results\":[{\"test\":\"/a\",\"status\":\"GOOD\"}]}");
    assertMalformed(
        ":1:13: results[0] (/a), subtests[0] has the unknown status 'pass'",
        "{\"results\":[{\"test\":\"/a\",\"status\":\"OK\",\"subtests\":[{\"name\":\"s\",\"status\":\"pass\"}]}]}");
    assertMalformed(":1:25: the report has \"results\" twice", "{\"results\":[],\"results\":[]}");
  }

  @Test
  void reports_of_other_tools_may_have_more_or_fewer_fields() throws Exception {
    RunReport report =
        read(
            """
            {"lsan_leaks": [{"frames": [1, {}]}],
             "results": [
               {"test": "x/a.html?b/c", "status": "OK", "asserts": {"count": 1}, "subtests": [
                 {"name": "one", "status": "FAIL", "expected": "FAIL",
                  "known_intermittent": ["PASS"], "new": [[]]}]},
               {"test": "/x/r.html", "status": "PASS", "screenshots": {"/x": "sha1:1"},
                "duration": 12.7},
               {"test": "/x/a.html", "subsuite": "vbs", "status": "PRECONDITION_FAILED",
                "subtests": null},
               {"test": "/x/s.html", "status": "SKIP", "message": "disabled", "subtests": []},
               {"test": "/x/half.html", "status": "", "message": null, "subtests": []}],
             "run_info": {"product": "chrome", "browser_version": "1.2", "bits": 64,
                          "debug": false, "version": null, "more": {"a": 1}},
             "time_start": 1000.5, "time_end": null}
            """);

    assertEquals(
        List.of("/x/a.html?b/c", "/x/r.html", "/x/a.html [vbs]"),
        report.tests().stream().map(RunReport.Test::key).toList());
    assertEquals("x", RunReport.directory(report.tests().get(0).id()));
    assertEquals(0, report.unexpected());
    assertEquals(12, report.tests().get(1).duration().toMillis());
    assertEquals(
        List.of(
            new NotRun("/x/s.html", "", null, "disabled"),
            new NotRun("/x/half.html", "", null, "not finished")),
        report.notRun());
    assertEquals("chrome 1.2", report.product());
    assertEquals("64", report.info().get("bits"));
    assertEquals(Instant.ofEpochMilli(1000), report.start());
    assertNull(report.end());
  }

  @Test
  void last_result_of_a_duplicate_test_counts() throws Exception {
    RunReport report =
        read(
            """
            {"results": [{"test": "/a", "status": "SKIP"}, {"test": "/a", "status": "ERROR"},
                         {"test": "/a", "status": "OK"}]}
            """);

    assertEquals(List.of("OK"), report.tests().stream().map(RunReport.Test::status).toList());
    assertEquals(List.of(), report.notRun());
  }

  @Test
  void compressed_report_is_read_whatever_its_name() throws Exception {
    Path file = dir.resolve("r.json");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(new WptReport().write(Runs.mixed()).getBytes(StandardCharsets.UTF_8));
    }

    assertEquals(2, WptReportReader.read(file).tests().size());
  }

  @Test
  void malformed_report_is_refused_in_one_line_with_position() throws IOException {
    assertMalformed(":1:1: a report must be an object", "[]");
    assertMalformed(":1:1: a report must be an object", "");
    assertMalformed(":1:2: the report has no \"results\"", "{}");
    assertMalformed(":2:12: \"results\" is not an array", "{\n\"results\": {}}");
    assertMalformed(":1:14: results[0] is not an object", "{\"results\": [1]}");
    assertMalformed(":2:1: results[0] has no \"test\"", "{\"results\": [\n{\"status\": \"OK\"}]}");
    assertMalformed(
        ":1:14: results[0] has no string as \"status\"",
        "{\"results\": [{\"test\": \"/a\", \"status\": 1}]}");
    assertMalformed(
        ":1:14: results[0] (/a), subtests[0] has no \"name\"",
        "{\"results\": [{\"test\": \"/a\", \"status\": \"OK\", \"subtests\":"
            + " [{\"status\": \"PASS\"}]}]}");
    assertMalformed(":1:16: unexpected text after the report", "{\"results\":[]} {}");
    assertMalformed(":1:16: \"time_start\" is not a number", "{\"time_start\": \"x\"}");
  }

  @Test
  void malformed_json_is_refused_in_one_line_with_position() throws IOException {
    Path file = Files.writeString(dir.resolve("r.json"), "{\"results\": [\n  {\"test\" 1}]}");
    String message =
        assertThrows(WptReportReader.MalformedException.class, () -> WptReportReader.read(file))
            .getMessage();

    assertTrue(message.startsWith(file + ":2:11: Unexpected character ('1'"), message);
    assertEquals(1, message.lines().count(), message);

    Path cut = Files.writeString(dir.resolve("r.json"), "{\"results\": [\n  {\"te");
    message =
        assertThrows(WptReportReader.MalformedException.class, () -> WptReportReader.read(cut))
            .getMessage();
    assertTrue(message.startsWith(cut + ":2:"), message);
  }

  @Test
  void unreadable_file_is_named_in_the_error() throws IOException {
    Path missing = dir.resolve("missing");
    assertEquals(
        "the file " + missing + " does not exist",
        assertThrows(IOException.class, () -> WptReportReader.read(missing)).getMessage());
    assertEquals(
        dir + " is a directory",
        assertThrows(IOException.class, () -> WptReportReader.read(dir)).getMessage());
    Path cut = Files.write(dir.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
    assertEquals(
        cut + " cannot be read: it is truncated",
        assertThrows(IOException.class, () -> WptReportReader.read(cut)).getMessage());
  }
}
