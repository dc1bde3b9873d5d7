package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Schedule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Footprints of turns; an unknown operation conflicts with everything. */
class KnownFootprintsTest {

  private static final String GRANT = "web locks: grant";

  private final KnownFootprints footprints = new KnownFootprints();

  private Footprint of(String actor, String step, Set<String> woken, String... reached) {
    return footprints.of(new Schedule.Turn(1, actor, step, 0, woken, Set.of(reached)));
  }

  private Footprint of(String actor, String... reached) {
    return of(actor, GRANT, Set.of(), reached);
  }

  @Test
  void script_that_affects_only_its_agent_conflicts_with_no_other_agent() {
    Footprint one = of("window-1", "console.static log/0", "Window.call setTimeout/0");
    Footprint two = of("window-2", "AbortSignal.get aborted/0", "fulfilled", "host: steps");
    assertFalse(one.conflictsWith(two));
    assertFalse(one.conflictsWith(one));
  }

  @Test
  void steps_that_wake_the_same_actor_conflict() {
    Footprint one = of("window-1", GRANT, Set.of("lock task queue"));
    Footprint two = of("window-2", GRANT, Set.of("lock task queue"));
    Footprint three = of("window-3", GRANT, Set.of("window-1"));
    assertTrue(one.conflictsWith(two));
    assertFalse(one.conflictsWith(three));
  }

  @Test
  void lock_task_queue_conflicts_only_with_agents_that_receive_its_effects() {
    Footprint answer = of("lock task queue", "request 'a'", Set.of("window-1"));
    assertFalse(answer.conflictsWith(of("window-2", GRANT, Set.of("lock task queue"))));
    assertTrue(answer.conflictsWith(of("window-2", GRANT, Set.of("window-1"))));
  }

  @Test
  void storage_reads_do_not_conflict_but_writes_do() {
    Footprint read = of("window-1", "Storage.call getItem/0", "Storage.supports name/0");
    Footprint otherRead = of("window-2", "Storage.get length/0");
    Footprint write = of("window-3", "Storage.call getItem/0", "Storage.call setItem/0");
    assertFalse(read.conflictsWith(otherRead));
    assertTrue(read.conflictsWith(write));
    assertTrue(write.conflictsWith(read));
    assertTrue(write.conflictsWith(write));
  }

  @Test
  void message_ports_do_not_conflict_with_broadcast_channels() {
    Footprint post = of("window-1", "MessagePort.call postMessage/0");
    Footprint delivery = of("window-2", "posted message: message", Set.of());
    Footprint broadcast = of("window-3", "BroadcastChannel.call postMessage/0");
    assertTrue(post.conflictsWith(delivery));
    assertFalse(post.conflictsWith(broadcast));
    assertTrue(broadcast.conflictsWith(of("window-4", "DOM manipulation: broadcast", Set.of())));
  }

  @Test
  void unknown_step_makes_its_agent_conflict_with_everything() {
    Footprint other = of("window-2");
    assertFalse(of("window-1").conflictsWith(other));
    assertEquals(Footprint.EVERYTHING, of("window-1", "Worker.constructor/0"));
    assertEquals(Footprint.EVERYTHING, of("window-1"));
    assertTrue(of("window-1").conflictsWith(other));
    assertFalse(of("window-2").everything());
  }

  @Test
  void unknown_tasks_time_and_driver_changes_conflict_with_everything() {
    assertTrue(of("window-1", "DOM manipulation: connect", Set.of()).everything());
    assertTrue(of("clock", "advances to the next timer", Set.of(), "driver: time").everything());
    assertTrue(of("window-3", GRANT, Set.of(), "driver: attach worker-2").everything());
    assertTrue(of("window-4", GRANT, Set.of(), "driver: pause").everything());
    assertTrue(of("window-5", GRANT, Set.of(), "URL.static createObjectURL/0").everything());
    assertTrue(of("window-6", GRANT, Set.of(), "driver: lock step").everything());
    assertTrue(of("window-7", GRANT, Set.of(), "LockManager.call forceRelease/0").everything());
    assertTrue(of("service workers", "", Set.of()).everything());
  }
}
