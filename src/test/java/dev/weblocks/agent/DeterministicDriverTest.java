package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeterministicDriverTest extends DriverContract {

  private static final long HOUR = 3_600_000_000_000L;

  @Override
  Driver newDriver() {
    return new DeterministicDriver(1);
  }

  @Override
  boolean runUntil(CountDownLatch latch) {
    ((DeterministicDriver) driver).runUntilQuiescent(10_000_000);
    return latch.getCount() == 0;
  }

  @Override
  int wakingThreads() {
    return 0;
  }

  /** The order in which a driver runs ten actors with ten pieces each. */
  private static String schedule(long seed) {
    StringBuilder order = new StringBuilder();
    DeterministicDriver driver = new DeterministicDriver(seed);
    for (int i = 0; i < 10; i++) {
      String name = String.valueOf(i);
      ScriptedActor actor = new ScriptedActor(name);
      for (int n = 0; n < 10; n++) {
        actor.then(() -> order.append(name));
      }
      driver.attach(actor, i % 2 == 0 ? Driver.Kind.EVENT_LOOP : Driver.Kind.PARALLEL_QUEUE);
    }
    driver.runUntilQuiescent(1_000);
    return order.toString();
  }

  @Test
  void the_same_seed_gives_the_same_schedule_and_others_differ() {
    assertEquals(100, schedule(7).length());
    assertEquals(schedule(7), schedule(7));
    assertEquals(
        20,
        IntStream.range(0, 20)
            .mapToObj(DeterministicDriverTest::schedule)
            .collect(Collectors.toSet())
            .size());
  }

  @Test
  void the_clock_jumps_to_the_next_deadline_when_nothing_else_can_run() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    ScriptedActor actor = new ScriptedActor("actor");
    actor.setDeadline(HOUR);
    actor.onTurn(() -> actor.setDeadline(Actor.NEVER));
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    assertFalse(virtual.runOne(), "nothing is due yet");
    assertEquals(1, virtual.runUntilQuiescent(10));
    assertTrue(virtual.clock().nanoTime() >= HOUR);
    assertTrue(virtual.clock().nanoTime() < HOUR + 1_000_000);
  }

  @Test
  void a_timer_comes_due_beside_an_actor_that_is_always_busy() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    AtomicInteger busyTurns = new AtomicInteger();
    boolean[] fired = new boolean[1];
    ScriptedActor busy = new ScriptedActor("busy");
    Runnable forever =
        new Runnable() {
          @Override
          public void run() {
            busyTurns.incrementAndGet();
            if (!fired[0]) {
              busy.then(this);
            }
          }
        };
    virtual.attach(busy.then(forever), Driver.Kind.EVENT_LOOP);
    ScriptedActor timed = new ScriptedActor("timed");
    timed.setDeadline(1_000_000);
    timed.onTurn(() -> {
      fired[0] = true;
      timed.setDeadline(Actor.NEVER);
    });
    virtual.attach(timed, Driver.Kind.EVENT_LOOP);
    virtual.runUntilQuiescent(100_000);
    // a turn takes a microsecond of virtual time
    assertTrue(busyTurns.get() >= 1_000 && busyTurns.get() < 1_100, "turns: " + busyTurns);
  }

  @Test
  void running_for_a_time_ends_at_its_end_and_leaves_later_timers() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    List<Long> fired = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("actor");
    actor.setDeadline(HOUR);
    actor.onTurn(() -> {
      fired.add(virtual.clock().nanoTime());
      actor.setDeadline(fired.size() < 3 ? (fired.size() + 1) * HOUR : Actor.NEVER);
    });
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    virtual.runFor(2 * HOUR + HOUR / 2);
    assertEquals(List.of(HOUR, 2 * HOUR), fired);
    assertEquals(2 * HOUR + HOUR / 2, virtual.clock().nanoTime());
    virtual.runFor(HOUR);
    assertEquals(3, fired.size());
  }

  @Test
  void the_bound_of_a_program_that_never_rests_is_named_with_what_to_do() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    ScriptedActor busy = new ScriptedActor("busy");
    Runnable forever =
        new Runnable() {
          @Override
          public void run() {
            busy.then(this);
          }
        };
    virtual.attach(busy.then(forever), Driver.Kind.EVENT_LOOP);
    IllegalStateException bound =
        assertThrows(IllegalStateException.class, () -> virtual.runUntilQuiescent(50));
    assertEquals(
        "still busy after 50 turns; raise the bound or look for a loop", bound.getMessage());
  }

  @Test
  void a_program_that_comes_to_rest_at_the_bound_is_within_it() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    ScriptedActor actor = new ScriptedActor("actor").then(() -> {}).then(() -> {});
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    assertEquals(2, virtual.runUntilQuiescent(2));
  }

  @Test
  void a_closed_driver_runs_nothing() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    AtomicInteger turns = new AtomicInteger();
    virtual.attach(new ScriptedActor("actor").then(turns::incrementAndGet), Driver.Kind.EVENT_LOOP);
    virtual.close();
    assertFalse(virtual.runOne());
    assertEquals(0, turns.get());
  }
}
