package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.explore.trace.Timeline.Arrow;
import dev.weblocks.explore.trace.Timeline.ArrowType;
import dev.weblocks.explore.trace.Timeline.Lane;
import dev.weblocks.explore.trace.Timeline.LaneType;
import dev.weblocks.explore.trace.Timeline.Life;
import dev.weblocks.explore.trace.Timeline.Outcome;
import dev.weblocks.explore.trace.Timeline.Turn;
import dev.weblocks.explore.trace.Timeline.Waiting;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Timelines of recordings. */
class TimelineTest {

  private static List<Life> lives(Timeline timeline, String name) {
    return timeline.lives.stream()
        .filter(life -> timeline.allResources().get(life.resource).name().equals(name))
        .toList();
  }

  private static String actor(Timeline timeline, int lane) {
    return timeline.allLanes().get(lane).actor;
  }

  @Test
  void request_lasts_from_its_arrival_to_its_end() {
    Timeline timeline =
        TraceBed.timeline(
            List.of("navigator.locks.request('a', () => new Promise(r => setTimeout(r, 5)))"));
    Life life = timeline.lives.getFirst();
    assertEquals(1, timeline.lives.size());
    assertEquals("window-1", actor(timeline, life.lane));
    assertTrue(life.asked < life.queued && life.queued < life.granted && life.granted < life.over);
    assertEquals(Outcome.RELEASED, life.outcome);
    assertFalse(life.waited, "nobody was in its way");
    long held = timeline.nanos(life.over) - timeline.nanos(life.granted);
    assertTrue(held >= 5_000_000 && held < 6_000_000, "held for " + held);
    assertEquals(List.of(), timeline.arrows);
    List<String> tasks =
        life.steps.stream()
            .map(step -> timeline.events.get(step))
            .filter(step -> step.kind() == TraceKind.TASK)
            .map(TraceEvent::detail)
            .toList();
    assertEquals(List.of("web locks: grant", "web locks: released"), tasks);
  }

  @Test
  void grants_steals_and_aborts_are_arrows_between_turns() {
    Timeline timeline = TraceBed.timeline(TraceBed.ALL_SORTS);
    Life victim = lives(timeline, "x").getFirst();
    Life thief = lives(timeline, "x").getLast();
    assertEquals(Outcome.STOLEN, victim.outcome);
    assertEquals(
        List.of(new Arrow(ArrowType.STEAL, thief.asked, victim.over, thief.number, victim.number)),
        timeline.arrows.stream().filter(arrow -> arrow.type() == ArrowType.STEAL).toList());

    Life aborted =
        lives(timeline, "s").stream()
            .filter(life -> life.outcome == Outcome.ABORTED)
            .findFirst()
            .orElseThrow();
    Arrow abort =
        timeline.arrows.stream()
            .filter(arrow -> arrow.type() == ArrowType.ABORT)
            .findFirst()
            .orElseThrow();
    assertEquals(aborted.over, abort.to());
    assertEquals("timer: setTimeout()", timeline.events.get(abort.from()).detail());

    Life behind = lives(timeline, "s").get(2);
    assertTrue(behind.waited);
    assertTrue(
        timeline.arrows.contains(
            new Arrow(
                ArrowType.GRANT, aborted.over, behind.granted, aborted.number, behind.number)));

    Life missed = lives(timeline, "s").getLast();
    assertEquals(Outcome.MISSED, missed.outcome);
    assertEquals(Timeline.NONE, missed.queued);
  }

  @Test
  void lanes_record_their_parent_and_end() {
    Timeline timeline = TraceBed.timeline(TraceBed.ALL_SORTS);
    Lane worker =
        timeline.allLanes().stream()
            .filter(lane -> lane.actor.startsWith("worker"))
            .findFirst()
            .orElseThrow();
    assertEquals("window-2", actor(timeline, worker.parent));
    assertTrue(worker.begun >= 0 && worker.ended > worker.begun);
    assertTrue(worker.url.startsWith("blob:"), worker.url);
    Lane queue =
        timeline.allLanes().stream()
            .filter(lane -> lane.type == LaneType.QUEUE)
            .findFirst()
            .orElseThrow();
    assertEquals("lock task queue", queue.actor);
    Life ended = lives(timeline, "w").getFirst();
    assertTrue(ended.clientEnded);
    assertEquals(Outcome.RELEASED, ended.outcome);
  }

  @Test
  void turns_of_a_lane_do_not_overlap() {
    Timeline timeline = TraceBed.timeline(TraceBed.ALL_SORTS);
    assertTrue(timeline.turns.size() > 30);
    for (Lane lane : timeline.allLanes()) {
      Turn before = null;
      for (Turn turn : timeline.turns) {
        if (turn.lane() == lane.number) {
          assertTrue(
              turn.over() && turn.first() <= turn.last() && turn.begin() <= turn.end(),
              turn::toString);
          if (before != null) {
            String both = before + " " + turn;
            assertTrue(before.last() < turn.first() && before.end() <= turn.begin(), both);
          }
          before = turn;
        }
      }
    }
  }

  @Test
  void turn_without_an_end_lasts_until_the_recording_ends() {
    List<TraceEvent> steps = TraceBed.steps(1, List.of("setTimeout(() => {})"));
    Timeline timeline = new Timeline(new Recorded("", "", Names.PLAIN, steps, Map.of()));
    Turn turn = timeline.turns.getFirst();
    assertFalse(turn.over());
    assertEquals(steps.size() - 1, turn.last());
    assertEquals(timeline.lastNanos(), turn.end());
  }

  @Test
  void waits_at_the_end_and_each_cycle_are_listed_once() {
    Timeline timeline = TraceBed.timeline(TraceBed.DEADLOCK);
    assertEquals(2, timeline.waits.size());
    List<List<Waiting>> cycles = timeline.cycles;
    assertEquals(1, cycles.size());
    List<Waiting> cycle = cycles.getFirst();
    assertEquals(2, cycle.size());
    for (int i = 0; i < 2; i++) {
      Life holder = timeline.lives.get(cycle.get(i).holder());
      Life next = timeline.lives.get(cycle.get(1 - i).waiter());
      assertEquals(holder.lane, next.lane, "who holds it waits for the next");
      assertTrue(holder.isHeldAtEnd() && next.waitsAtEnd());
      assertNull(holder.outcome);
    }
  }

  @Test
  void wait_for_a_client_that_itself_waits_for_nothing_is_no_cycle() {
    Timeline timeline =
        TraceBed.timeline(
            List.of(
                "navigator.locks.request('a', () => new Promise(() => {}));"
                    + "navigator.locks.request('b', () => {})",
                "setTimeout(() => navigator.locks.request('a', () => {}), 5)"));
    assertEquals(1, timeline.waits.size());
    assertEquals(List.of(), timeline.cycles);
  }

  @Test
  void client_that_waits_for_itself_is_a_cycle() {
    Timeline timeline =
        TraceBed.timeline(
            List.of("navigator.locks.request('a', () => navigator.locks.request('a', () => {}))"));
    assertEquals(1, timeline.cycles.size());
    assertEquals(1, timeline.cycles.getFirst().size());
  }

  @Test
  void empty_recording_has_an_empty_timeline() {
    Timeline timeline = new Timeline(new Recorded("", "", Names.PLAIN, List.of(), Map.of()));
    assertEquals(List.of(), timeline.allLanes());
    assertEquals(0, timeline.lastNanos());
  }
}
