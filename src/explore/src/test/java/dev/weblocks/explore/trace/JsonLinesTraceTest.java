package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.model.TraceEvent;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class JsonLinesTraceTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<JsonNode> lines(String text) throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  @Test
  void each_step_is_a_line_with_all_its_fields() throws Exception {
    List<JsonNode> lines = lines(TraceBed.written(TraceFormat.JSON_LINES, TraceBed.ALL_SORTS));
    List<TraceEvent> steps = TraceBed.steps(1, TraceBed.ALL_SORTS);
    assertTrue(lines.size() > 100, "only " + lines.size() + " lines");
    assertEquals(steps.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      JsonNode line = lines.get(i);
      TraceEvent step = steps.get(i);
      assertEquals("a test", line.get("recording").asText());
      assertEquals(step.id(), line.get("step").asLong());
      assertEquals(step.kind().name().toLowerCase(Locale.ROOT), line.get("kind").asText());
      assertEquals(step.actor(), line.get("actor").asText());
      assertEquals(step.time().minus(steps.getFirst().time()).toNanos(), line.get("time").asLong());
      assertEquals(step.cause(), line.path("cause").asLong());
      assertEquals(step.detail(), line.get("detail").asText());
      assertEquals(step.spec() == null, line.path("section").isMissingNode());
      assertEquals(step.lock() == null, line.path("action").isMissingNode());
      if (step.spec() != null) {
        assertEquals(step.spec().step(), line.get("algorithm_step").asText());
        assertEquals(step.spec().link(), line.get("link").asText());
      }
      if (step.lock() != null) {
        assertEquals(step.lock().requestId(), line.path("request").asLong());
        assertEquals(step.lock().name(), line.path("lock").textValue());
        assertEquals(step.lock().agent(), line.path("agent").textValue());
        assertEquals(step.lock().clientId(), line.path("client").textValue());
        assertEquals(step.lock().position(), line.path("position").textValue());
        assertFalse(line.has("log_index"));
      }
    }
  }

  @Test
  void several_recordings_are_distinguished_by_a_field() throws Exception {
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(TraceFormat.JSON_LINES, text)) {
      TraceBed.run(output.record("one"), 1, List.of("navigator.locks.request('a', () => {})"));
      TraceBed.run(output.record("two"), 1, List.of("navigator.locks.request('b', () => {})"));
    }
    for (JsonNode line : lines(text.toString())) {
      if (line.has("lock")) {
        assertEquals(
            line.get("lock").asText(), line.get("recording").asText().equals("one") ? "a" : "b");
      }
    }
  }

  @Test
  void names_with_any_characters_stay_on_their_line() throws Exception {
    String text =
        TraceBed.written(
            TraceFormat.JSON_LINES,
            List.of("navigator.locks.request('\\n\\u2028\\0\\ud800\\u{1f512}\"}', () => {})"));
    assertTrue(text.chars().allMatch(c -> c >= ' ' && c < 127 || c == '\n'), text);
    assertFalse(text.contains("\r"));
    assertTrue(
        lines(text).stream()
            .anyMatch(
                line -> line.path("lock").asText().equals("\n\u2028\0\ud800\ud83d\udd12\"}")));
  }

  @Test
  void steps_that_come_out_of_order_are_put_in_order() throws Exception {
    List<TraceEvent> steps = TraceBed.steps(1, List.of("setTimeout(() => {})"));
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(TraceFormat.JSON_LINES, text)) {
      Recording recording = output.record("mixed");
      recording.on(steps.get(1));
      recording.on(steps.get(2));
      assertEquals("", text.toString());
      recording.on(steps.get(0));
      recording.on(steps.get(4));
      assertEquals(3, text.toString().lines().count());
    }
    assertEquals(
        List.of(1L, 2L, 3L, 5L),
        lines(text.toString()).stream().map(line -> line.get("step").asLong()).toList());
  }
}
