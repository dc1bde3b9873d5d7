package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceEvent;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Traces in the Trace Event Format. */
class PerfettoTraceTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private record Slice(BigDecimal begin, BigDecimal end) {
    boolean contains(BigDecimal time) {
      return begin.compareTo(time) <= 0 && time.compareTo(end) <= 0;
    }
  }

  private static List<JsonNode> events(String text) throws Exception {
    JsonNode root = JSON.readTree(text);
    List<JsonNode> events = new ArrayList<>();
    root.get("traceEvents").forEach(events::add);
    return events;
  }

  private static List<JsonNode> of(List<JsonNode> events, String phase) {
    return events.stream().filter(event -> event.get("ph").asText().equals(phase)).toList();
  }

  private static String thread(JsonNode event) {
    return event.get("pid") + "/" + event.get("tid");
  }

  /** Asserts the rules of the format for the events that are used here. */
  private static void assertValid(List<JsonNode> events) {
    Map<String, List<Slice>> slices = new HashMap<>();
    Map<String, String> open = new HashMap<>();
    Map<String, List<JsonNode>> flows = new HashMap<>();
    Set<String> named = new HashSet<>();
    for (JsonNode event : events) {
      String shown = event.toString();
      assertTrue(event.get("name").isTextual(), shown);
      assertTrue(event.get("pid").isInt() && event.get("pid").asInt() > 0, shown);
      assertTrue(event.get("tid").isInt() && event.get("tid").asInt() > 0, shown);
      String phase = event.get("ph").asText();
      if (!phase.equals("M")) {
        assertTrue(event.get("ts").isNumber(), shown);
        assertTrue(event.get("ts").decimalValue().signum() >= 0, shown);
        assertTrue(event.get("cat").isTextual(), shown);
      }
      switch (phase) {
        case "M" -> {
          assertTrue(event.get("args").isObject(), shown);
          if (event.get("name").asText().equals("process_name")) {
            assertTrue(named.add(event.get("pid").toString()), "named twice: " + shown);
          }
        }
        case "X" -> {
          BigDecimal begin = event.get("ts").decimalValue();
          BigDecimal length = event.get("dur").decimalValue();
          assertTrue(length.signum() >= 0, shown);
          slices
              .computeIfAbsent(thread(event), any -> new ArrayList<>())
              .add(new Slice(begin, begin.add(length)));
        }
        case "i" -> assertTrue(Set.of("t", "p", "g").contains(event.get("s").asText()), shown);
        case "b" -> {
          String before = open.put(idOf(event), event.get("name").asText());
          assertEquals(null, before, "begins inside another one: " + shown);
        }
        case "e" -> assertEquals(event.get("name").asText(), open.remove(idOf(event)), shown);
        case "s", "t", "f" ->
            flows.computeIfAbsent(idOf(event), any -> new ArrayList<>()).add(event);
        default -> throw new AssertionError("no such phase is written: " + shown);
      }
      if (!phase.equals("M")) {
        assertTrue(named.contains(event.get("pid").toString()), "of no process: " + shown);
      }
    }
    assertEquals(Map.of(), open, "without an end");
    slices.forEach((thread, all) -> {
      for (int i = 1; i < all.size(); i++) {
        assertTrue(
            all.get(i - 1).end().compareTo(all.get(i).begin()) <= 0,
            thread + ": " + all.get(i) + " begins before " + all.get(i - 1) + " is over");
      }
    });
    flows.forEach((id, way) -> {
      assertTrue(way.size() >= 2, () -> "an end is missing: " + way);
      assertEquals("s", way.getFirst().get("ph").asText());
      assertEquals("f", way.getLast().get("ph").asText());
      assertEquals("e", way.getLast().get("bp").asText());
      for (JsonNode end : way) {
        BigDecimal time = end.get("ts").decimalValue();
        assertTrue(
            slices.getOrDefault(thread(end), List.of()).stream()
                .anyMatch(slice -> slice.contains(time)),
            () -> "ends in no slice: " + end);
        assertEquals(way.getFirst().get("name"), end.get("name"));
      }
      for (JsonNode between : way.subList(1, way.size() - 1)) {
        assertEquals("t", between.get("ph").asText());
      }
    });
  }

  private static String idOf(JsonNode event) {
    return event.get("cat").asText() + " " + event.get("id").asText();
  }

  private static void assertInOrder(List<JsonNode> events) {
    BigDecimal last = BigDecimal.ZERO;
    for (JsonNode event : events) {
      if (event.has("ts")) {
        BigDecimal time = event.get("ts").decimalValue();
        assertTrue(last.compareTo(time) <= 0, event::toString);
        last = time;
      }
    }
  }

  @Test
  void trace_is_valid_and_in_order() throws Exception {
    List<JsonNode> events = events(TraceBed.written(TraceFormat.PERFETTO, TraceBed.ALL_SORTS));
    assertValid(events);
    assertInOrder(events);
  }

  @Test
  void held_locks_and_waiting_requests_have_slices() throws Exception {
    List<JsonNode> events = events(TraceBed.written(TraceFormat.PERFETTO, TraceBed.ALL_SORTS));
    List<TraceEvent> steps = TraceBed.steps(1, TraceBed.ALL_SORTS);
    long grants =
        steps.stream()
            .filter(step -> step.lock() != null && step.lock().action() == LockAction.GRANTED)
            .count();
    List<JsonNode> begun = of(events, "b");
    assertEquals(
        grants,
        begun.stream().filter(event -> event.get("name").asText().startsWith("holds ")).count());
    assertTrue(
        begun.stream().anyMatch(event -> event.get("name").asText().equals("waits for 's'")));
    Set<String> ends = new TreeSet<>();
    of(events, "e").forEach(event -> ends.add(event.get("args").get("end").asText()));
    assertEquals(Set.of("aborted", "granted", "released", "stolen"), ends);
  }

  @Test
  void arrows_lead_from_turn_to_turn_for_grants_steals_and_aborts() throws Exception {
    List<JsonNode> events = events(TraceBed.written(TraceFormat.PERFETTO, TraceBed.ALL_SORTS));
    Set<String> names = new TreeSet<>();
    of(events, "s").forEach(event -> names.add(event.get("name").asText()));
    assertEquals(Set.of("abort", "grant", "steal"), names);
    assertEquals(of(events, "s").size(), of(events, "f").size());
  }

  @Test
  void agents_and_queues_are_processes_with_names() throws Exception {
    List<JsonNode> events = events(TraceBed.written(TraceFormat.PERFETTO, TraceBed.ALL_SORTS));
    Set<String> names = new TreeSet<>();
    for (JsonNode event : of(events, "M")) {
      if (event.get("name").asText().equals("process_name")) {
        names.add(event.get("args").get("name").asText());
      }
    }
    assertTrue(
        names.containsAll(Set.of("lock task queue", "window-1", "window-2", "worker-3")),
        names::toString);
  }

  @Test
  void several_recordings_have_separate_processes() throws Exception {
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(TraceFormat.PERFETTO, text)) {
      TraceBed.run(output.record("one"), 1, TraceBed.ALL_SORTS);
      TraceBed.run(output.record("two"), 2, TraceBed.DEADLOCK);
    }
    List<JsonNode> events = events(text.toString());
    assertValid(events);
    Map<String, String> labels = new HashMap<>();
    for (JsonNode event : of(events, "M")) {
      if (event.get("name").asText().equals("process_labels")) {
        String label = event.get("args").get("labels").asText();
        assertEquals(null, labels.put(event.get("pid").toString(), label));
      }
    }
    assertEquals(Set.of("one", "two"), new HashSet<>(labels.values()));
  }

  @Test
  void open_slices_end_with_the_trace_and_are_marked() throws Exception {
    List<JsonNode> events = events(TraceBed.written(TraceFormat.PERFETTO, TraceBed.DEADLOCK));
    assertValid(events);
    List<String> ends =
        of(events, "e").stream().map(event -> event.get("args").get("end").asText()).toList();
    assertEquals(2, ends.stream().filter("still held"::equals).count());
    assertEquals(2, ends.stream().filter("still waiting"::equals).count());
  }

  @Test
  void unprintable_characters_in_names_are_made_visible() throws Exception {
    String text =
        TraceBed.written(
            TraceFormat.PERFETTO,
            List.of("navigator.locks.request('\\u202e\\0\\ud800<\\/script>', () => {})"));
    assertTrue(text.chars().allMatch(c -> c >= ' ' && c < 127 || c == '\n'), text);
    List<JsonNode> events = events(text);
    assertValid(events);
    assertNotNull(
        of(events, "b").stream()
            .filter(
                event -> event.get("name").asText().equals("holds 'U+202eU+0000U+d800</script>'"))
            .findFirst()
            .orElse(null));
  }
}
