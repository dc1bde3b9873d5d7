package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.explore.trace.Timeline.Arrow;
import dev.weblocks.explore.trace.Timeline.ArrowType;
import dev.weblocks.explore.trace.Timeline.Life;
import dev.weblocks.explore.trace.Timeline.Outcome;
import dev.weblocks.explore.trace.Timeline.Turn;
import dev.weblocks.explore.trace.Timeline.Waiting;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** Timelines of recordings of the early draft. */
class EarlyDraftTimelineTest {

  private static final Set<Variant> EARLY_DRAFT = Set.of(Variant.EARLY_DRAFT);

  private static final Timeline SEEN = TraceBed.timeline(EARLY_DRAFT, TraceBed.EARLY_DRAFT);

  private static String names(Timeline timeline, Life life) {
    return timeline.allResources().get(life.resource).name();
  }

  /** Returns the only request for these names. */
  private static Life life(Timeline timeline, String names) {
    List<Life> found =
        timeline.lives.stream().filter(life -> names(timeline, life).equals(names)).toList();
    assertEquals(1, found.size(), names);
    return found.getFirst();
  }

  private static Life life(String names) {
    return life(SEEN, names);
  }

  private static List<Arrow> arrows(ArrowType type) {
    return SEEN.arrows.stream().filter(arrow -> arrow.type() == type).toList();
  }

  private static Arrow grant(Life from, Life to) {
    return new Arrow(ArrowType.GRANT, from.over, to.granted, from.number, to.number);
  }

  @Test
  void each_request_has_one_life_cycle_with_all_its_names() {
    assertEquals(
        List.of("a", "b", "a, b", "a, c", "c", "a, c, d", "a, d"),
        SEEN.lives.stream().map(life -> names(SEEN, life)).toList());
    Life both = life("a, b");
    assertEquals(List.of("a", "b"), SEEN.allResources().get(both.resource).names());
    assertTrue(both.asked < both.queued && both.queued < both.granted && both.granted < both.over);
    assertTrue(both.waited);
    assertFalse(life("a").waited, "nobody was in its way");
    assertEquals(Outcome.RELEASED, life("a").outcome);
    long held = SEEN.nanos(life("b").over) - SEEN.nanos(life("b").granted);
    assertTrue(held >= 9_000_000 && held < 10_000_000, "held for " + held);
    Life missed = life("a, c, d");
    assertEquals(Outcome.MISSED, missed.outcome);
    assertEquals(Timeline.NONE, missed.queued);
  }

  @Test
  void arrow_of_a_grant_comes_from_the_step_that_unblocked_it() {
    assertEquals(
        Set.of(
            grant(life("b"), life("a, b")),
            grant(life("a, c"), life("c")),
            grant(life("a, b"), life("a, d"))),
        Set.copyOf(arrows(ArrowType.GRANT)));
  }

  @Test
  void arrow_of_an_abort_comes_from_the_task_that_aborts() {
    Life aborted = life("a, c");
    assertEquals(Outcome.ABORTED, aborted.outcome);
    assertEquals(1, arrows(ArrowType.ABORT).size());
    Arrow abort = arrows(ArrowType.ABORT).getFirst();
    assertEquals(aborted.over, abort.to());
    assertEquals(aborted.number, abort.target());
    assertEquals("timer: setTimeout()", SEEN.events.get(abort.from()).detail());
    assertEquals(List.of("web locks: abort"), tasksOf(aborted));
  }

  @Test
  void arrow_of_a_forced_release_comes_from_the_task_that_forces_it() {
    Life lost = life("a, b");
    assertEquals(Outcome.FORCE_RELEASED, lost.outcome);
    assertEquals(1, arrows(ArrowType.FORCE).size());
    Arrow force = arrows(ArrowType.FORCE).getFirst();
    assertEquals(lost.over, force.to());
    assertEquals(lost.number, force.target());
    assertEquals(Timeline.NONE, force.source());
    TraceEvent task = SEEN.events.get(force.from());
    assertEquals("window-2 timer: setTimeout()", task.actor() + " " + task.detail());
    assertEquals(List.of("web locks: grant", "web locks: forced release"), tasksOf(lost));
  }

  private static List<String> tasksOf(Life life) {
    return life.steps.stream()
        .map(step -> SEEN.events.get(step))
        .filter(step -> step.kind() == TraceKind.TASK)
        .map(TraceEvent::detail)
        .toList();
  }

  @Test
  void turns_of_parallel_steps_have_an_end() {
    for (Turn turn : SEEN.turns) {
      assertTrue(turn.over(), turn::toString);
    }
  }

  @Test
  void request_behind_another_request_waits_for_the_same_holder() {
    Timeline waiting =
        TraceBed.timeline(
            EARLY_DRAFT,
            List.of(
                "navigator.locks.acquire('a', () => new Promise(() => {}))",
                "setTimeout(() => navigator.locks.acquire(['a', 'b'], () => {}), 20)",
                "setTimeout(() => navigator.locks.acquire('b', () => {}), 40)"));
    Life holder = life(waiting, "a");
    assertTrue(holder.isHeldAtEnd());
    assertEquals(
        List.of(
            new Waiting(life(waiting, "a, b").number, holder.number),
            new Waiting(life(waiting, "b").number, holder.number)),
        waiting.waits);
    assertEquals(List.of(), waiting.cycles);
  }

  @Test
  void cycle_is_found_if_a_client_waits_behind_its_own_waiter() {
    Timeline stuck =
        TraceBed.timeline(
            EARLY_DRAFT,
            List.of(
                "navigator.locks.acquire('a', () => new Promise(r => setTimeout(r, 40)).then("
                    + "() => navigator.locks.acquire('b', () => {})))",
                "setTimeout(() => navigator.locks.acquire(['a', 'b'], () => {}), 20)"));
    assertEquals(
        List.of(List.of(new Waiting(life(stuck, "b").number, life(stuck, "a").number))),
        stuck.cycles);
  }

  @Test
  void shared_request_does_not_wait_for_a_shared_lock() {
    Timeline waiting =
        TraceBed.timeline(
            EARLY_DRAFT,
            List.of(
                "navigator.locks.acquire('a', {mode: 'shared'}, () => new Promise(() => {}));"
                    + "navigator.locks.acquire('b', () => new Promise(() => {}));"
                    + "navigator.locks.acquire(['a', 'b'], {mode: 'shared'}, () => {})"));
    assertEquals(
        List.of(new Waiting(life(waiting, "a, b").number, life(waiting, "b").number)),
        waiting.waits);
  }

  @Test
  void perfetto_has_slices_for_locks_and_flows_for_forced_releases() throws Exception {
    JsonNode events =
        new ObjectMapper()
            .readTree(TraceBed.written(TraceFormat.PERFETTO, EARLY_DRAFT, TraceBed.EARLY_DRAFT))
            .get("traceEvents");
    Set<String> slices = new TreeSet<>();
    Set<String> flows = new TreeSet<>();
    Set<String> ends = new TreeSet<>();
    for (JsonNode event : events) {
      switch (event.get("ph").asText()) {
        case "b" -> slices.add(event.get("name").asText());
        case "e" -> ends.add(event.get("args").get("end").asText());
        case "s" -> flows.add(event.get("name").asText());
        default -> {}
      }
    }
    assertTrue(slices.contains("waits for 'a', 'b'"), slices::toString);
    assertTrue(slices.contains("holds 'a', 'b'"), slices::toString);
    assertEquals(Set.of("abort", "force", "grant"), flows);
    assertEquals(Set.of("aborted", "force released", "granted", "released"), ends);
  }

  @Test
  void page_has_bars_arrows_and_steps_of_the_early_draft() throws Exception {
    String page = TraceBed.written(TraceFormat.HTML, EARLY_DRAFT, TraceBed.EARLY_DRAFT);
    JsonNode recording =
        new ObjectMapper().readTree(Jsoup.parse(page).select("script.recording").first().data());
    assertEquals(7, recording.get("requests").size());
    JsonNode both = recording.get("requests").get(2);
    JsonNode lock = recording.get("locks").get(both.get("lock").asInt());
    assertEquals("a, b", lock.get("name").asText());
    assertEquals(2, lock.get("names").asInt());
    assertFalse(recording.get("locks").get(0).has("names"));
    assertEquals("force_released", both.get("outcome").asText());
    Set<String> types = new TreeSet<>();
    recording.get("arrows").forEach(arrow -> types.add(arrow.get("type").asText()));
    assertEquals(Set.of("abort", "force", "grant"), types);
    Set<String> sections = new TreeSet<>();
    recording.get("specs").forEach(spec -> sections.add(spec.get("section").asText()));
    assertEquals(Set.of("early draft"), sections);
  }

  @Test
  void json_lines_have_all_names_of_a_request() throws Exception {
    String lines = TraceBed.written(TraceFormat.JSON_LINES, EARLY_DRAFT, TraceBed.EARLY_DRAFT);
    int several = 0;
    for (String line : lines.lines().toList()) {
      JsonNode step = new ObjectMapper().readTree(line);
      if (step.has("locks")) {
        several++;
        assertFalse(step.has("lock"), line);
        assertTrue(step.get("locks").size() > 1, line);
      }
    }
    assertTrue(several > 10, "only " + several + " lines with several names");
    assertTrue(lines.contains("\"locks\":[\"b\",\"a\"]"), "as they were given");
  }
}
