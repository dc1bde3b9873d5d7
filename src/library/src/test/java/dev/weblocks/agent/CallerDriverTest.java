package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerDriverTest extends DriverContract {

  /** A clock that only the test advances. */
  private static final class ManualClock implements Clock {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanoTime() {
      return now.get();
    }

    @Override
    public double epochMillisAtZero() {
      return 0;
    }
  }

  private final ManualClock clock = new ManualClock();

  @Override
  Driver newDriver() {
    return new CallerDriver(clock, null);
  }

  @Override
  boolean runUntil(CountDownLatch latch) {
    CallerDriver caller = (CallerDriver) driver;
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (latch.getCount() > 0) {
      if (caller.runUntilIdle() == 0 && latch.getCount() > 0) {
        long next = caller.nextDeadline();
        if (next != Actor.NEVER) {
          clock.now.accumulateAndGet(next, Math::max);
        }
      }
      if (System.nanoTime() > limit) {
        return false;
      }
    }
    return true;
  }

  @Test
  void pause_does_not_spin_when_the_paused_actors_timer_is_overdue() throws Exception {
    CallerDriver caller = new CallerDriver(clock, null);
    CompletableFuture<Void> until = new CompletableFuture<>();
    ScriptedActor actor = new ScriptedActor("pauses");
    actor.setDeadline(0);
    actor.then(() -> {
      try {
        caller.pause(until);
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    });
    caller.attach(actor, Driver.Kind.EVENT_LOOP).wake();
    Thread runner = Thread.ofPlatform().daemon().start(caller::runOne);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (runner.getState() != Thread.State.WAITING) {
      assertTrue(System.nanoTime() < limit, "it never rests");
      Thread.onSpinWait();
    }
    until.complete(null);
    assertTrue(runner.join(java.time.Duration.ofSeconds(LIMIT_SECONDS)));
    caller.close();
  }

  @Override
  int wakingThreads() {
    return 4;
  }

  @Test
  void nothing_runs_before_the_embedder_runs_the_driver() {
    AtomicInteger turns = new AtomicInteger();
    CallerDriver caller = (CallerDriver) driver;
    Driver.Lane lane =
        caller.attach(
            new ScriptedActor("actor")
                .then(turns::incrementAndGet)
                .then(turns::incrementAndGet)
                .then(turns::incrementAndGet),
            Driver.Kind.EVENT_LOOP);
    lane.wake();
    assertEquals(0, turns.get());
    assertTrue(caller.runOne());
    assertEquals(1, turns.get());
    assertEquals(2, caller.runUntilIdle());
    assertFalse(caller.runOne());
  }

  @Test
  void busy_actors_run_in_round_robin_order() {
    CallerDriver caller = (CallerDriver) driver;
    List<String> order = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      ScriptedActor actor = new ScriptedActor(name);
      for (int i = 0; i < 3; i++) {
        actor.then(() -> order.add(name));
      }
      caller.attach(actor, Driver.Kind.EVENT_LOOP).wake();
    }
    caller.runUntilIdle();
    assertEquals(List.of("a", "b", "c", "a", "b", "c", "a", "b", "c"), order);
  }

  @Test
  void next_deadline_is_the_earliest_of_all_actors_or_never() {
    CallerDriver caller = (CallerDriver) driver;
    ScriptedActor late = new ScriptedActor("late");
    ScriptedActor soon = new ScriptedActor("soon");
    caller.attach(late, Driver.Kind.EVENT_LOOP);
    caller.attach(soon, Driver.Kind.EVENT_LOOP);
    assertEquals(Actor.NEVER, caller.nextDeadline());
    late.setDeadline(70);
    soon.setDeadline(7);
    assertEquals(7, caller.nextDeadline());
  }

  @Test
  void an_earlier_deadline_set_in_a_turn_is_announced() {
    AtomicInteger announcements = new AtomicInteger();
    CallerDriver caller = new CallerDriver(clock, announcements::incrementAndGet);
    ScriptedActor actor = new ScriptedActor("actor");
    caller.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.then(() -> actor.setDeadline(7));
    assertTrue(caller.runOne());
    assertEquals(1, announcements.get());
  }

  @Test
  void deadline_of_a_running_actor_is_announced_when_its_turn_ends() {
    AtomicInteger announcements = new AtomicInteger();
    CallerDriver caller = new CallerDriver(clock, announcements::incrementAndGet);
    ScriptedActor actor = new ScriptedActor("actor");
    actor.setDeadline(7);
    caller.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.then(() ->
        assertEquals(Actor.NEVER, CompletableFuture.supplyAsync(caller::nextDeadline).join()));
    assertTrue(caller.runOne());
    assertEquals(1, announcements.get());
    assertEquals(7, caller.nextDeadline());
  }

  @Test
  void a_closed_driver_runs_nothing() {
    AtomicInteger turns = new AtomicInteger();
    CallerDriver caller = (CallerDriver) driver;
    Driver.Lane lane =
        caller.attach(
            new ScriptedActor("actor").then(turns::incrementAndGet), Driver.Kind.EVENT_LOOP);
    lane.wake();
    caller.close();
    lane.wake();
    assertFalse(caller.runOne());
    assertEquals(0, turns.get());
  }

  @Test
  void turns_of_an_actor_never_overlap_when_many_threads_run_the_driver()
      throws InterruptedException {
    CallerDriver caller = (CallerDriver) driver;
    int perActor = 3_000;
    CountDownLatch all = new CountDownLatch(3 * perActor);
    List<CountingActor> actors = new ArrayList<>();
    List<Driver.Lane> lanes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CountingActor actor = new CountingActor("actor-" + i, all);
      actors.add(actor);
      lanes.add(caller.attach(actor, Driver.Kind.EVENT_LOOP));
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                while (all.getCount() > 0) {
                  caller.runOne();
                }
              }));
    }
    for (int n = 0; n < perActor; n++) {
      for (int i = 0; i < 3; i++) {
        actors.get(i).addWork();
        lanes.get(i).wake();
      }
    }
    assertTrue(all.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    for (Thread thread : threads) {
      thread.join();
    }
    for (CountingActor actor : actors) {
      assertFalse(actor.overlapped());
      assertEquals(perActor, actor.done());
    }
  }

  @Test
  void work_is_announced_again_if_another_thread_found_the_actor_busy()
      throws InterruptedException {
    AtomicInteger announcements = new AtomicInteger();
    CallerDriver caller = new CallerDriver(clock, announcements::incrementAndGet);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger second = new AtomicInteger();
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane lane = caller.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.then(() -> {
      begun.countDown();
      try {
        mayEnd.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    });
    lane.wake();
    Thread first = Thread.ofPlatform().daemon().start(caller::runOne);
    assertTrue(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    actor.then(second::incrementAndGet);
    lane.wake();
    assertEquals(2, announcements.get());
    assertFalse(caller.runOne(), "the only actor is busy");
    mayEnd.countDown();
    first.join();
    assertEquals(3, announcements.get());
    assertTrue(caller.runOne());
    assertEquals(1, second.get());
  }
}
