package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.harness.wpt.FakeBrowser;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.TraceListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The traces that {@code weblocks wpt} writes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WptTraceTest extends CliBed {

  @BeforeEach
  void writeTests() {
    wpt.file("area/a.any.js", "").file("area/b.any.js", "");
    script = this::traced;
  }

  /** Traces two steps in reverse order, as another thread may. */
  private void traced(FakeBrowser.Page page) {
    TraceListener trace = page.listener.trace();
    assertNotNull(trace, "nobody looks");
    String path = page.url.replaceFirst("https?://[^/]*", "");
    trace.on(step(2, path));
    trace.on(step(1, path));
    page.complete(0, FakeBrowser.Page.subtest("it works", 0, ""));
  }

  private static TraceEvent step(long id, String path) {
    return new TraceEvent(
        id,
        TraceKind.TASK,
        "window-1",
        id - 1,
        Duration.ofNanos(10 * id),
        null,
        null,
        id + " of " + path);
  }

  private Map<String, String> linesByRecording(String file) throws IOException {
    Map<String, String> byRecording = new TreeMap<>();
    for (String line : Files.readAllLines(dir.resolve(file))) {
      JsonNode step = new ObjectMapper().readTree(line);
      byRecording.merge(
          step.get("recording").asText(), step.get("detail").asText(), (a, b) -> a + ", " + b);
    }
    return byRecording;
  }

  @Test
  void each_test_is_a_separate_recording_with_ordered_steps() throws IOException {
    Path file = dir.resolve("steps.jsonl");
    assertEquals(
        0, run("wpt", "--jobs", "4", "--trace", file.toString(), "area/*.any.html"), this::err);
    assertEquals(
        Map.of(
            "/area/a.any.html", "1 of /area/a.any.html, 2 of /area/a.any.html",
            "/area/b.any.html", "1 of /area/b.any.html, 2 of /area/b.any.html"),
        linesByRecording("steps.jsonl"));
  }

  @Test
  void each_round_has_its_own_recordings() throws IOException {
    Path file = dir.resolve("steps.jsonl");
    assertEquals(
        0, run("wpt", "--repeat", "2", "--trace", file.toString(), "area/a.any.html"), this::err);
    assertEquals(
        Map.of(
            "/area/a.any.html (round 1)", "1 of /area/a.any.html, 2 of /area/a.any.html",
            "/area/a.any.html (round 2)", "1 of /area/a.any.html, 2 of /area/a.any.html"),
        linesByRecording("steps.jsonl"));
  }

  @Test
  void trace_page_contains_each_test() throws IOException {
    Path file = dir.resolve("steps.html");
    assertEquals(0, run("wpt", "--trace", file.toString(), "area/*.any.html"), this::err);
    String page = Files.readString(file);
    assertEquals(3, page.split("<script type=\"application/json\"", -1).length);
  }

  @Test
  void trace_page_states_whether_time_is_virtual_or_real() throws IOException {
    Path real = dir.resolve("real.html");
    assertEquals(0, run("wpt", "--trace", real.toString(), "area/a.any.html"), this::err);
    assertTrue(Files.readString(real).contains("\"note\":\"real time\""));
    Path virtual = dir.resolve("virtual.html");
    String trace = "--trace=" + virtual;
    assertEquals(
        0, run("wpt", "--deterministic", "--seed", "7", trace, "area/a.any.html"), this::err);
    assertTrue(Files.readString(virtual).contains("\"note\":\"seed 7, virtual time\""));
  }

  @Test
  void without_the_option_no_trace_listener_is_set() {
    script =
        page -> {
          assertTrue(page.listener.trace() == null);
          page.complete(0, FakeBrowser.Page.subtest("it works", 0, ""));
        };
    assertEquals(0, run("wpt", "area/a.any.html"), this::err);
  }

  @Test
  void trace_file_equal_to_a_report_or_test_is_refused() {
    String file = dir.resolve("out").toString();
    assertFails(
        "--trace " + file + " names the same file as --junit: use another file",
        "wpt",
        "--junit",
        file,
        "--trace",
        file,
        "area/a.any.html");
    String test = dir.resolve("wpt/area/a.any.js").toString();
    assertFails(
        "--trace "
            + test
            + " would overwrite the tests in "
            + dir.resolve("wpt")
            + ": name a file elsewhere",
        "wpt",
        "--trace",
        test,
        "area/a.any.html");
  }
}
