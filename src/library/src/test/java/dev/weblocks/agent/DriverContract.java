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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract between every driver and its attached actors. */
abstract class DriverContract {

  /** A timeout that only a hang reaches. */
  static final long LIMIT_SECONDS = 60;

  private static final long MILLI = 1_000_000;

  Driver driver;

  abstract Driver newDriver();

  /** Lets the driver run until the latch is open; returns false if the timeout is reached first. */
  abstract boolean runUntil(CountDownLatch latch) throws InterruptedException;

  /** Returns how many threads may attach, wake and detach at once; 0 for the test thread alone. */
  abstract int wakingThreads();

  @BeforeEach
  void open() {
    driver = newDriver();
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private void assertOpens(CountDownLatch latch) throws InterruptedException {
    assertTrue(runUntil(latch), "still closed, at " + latch.getCount());
  }

  /** Runs a turn of a new actor; all work that was ready before has run by then. */
  private void runAnother() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    driver.attach(new ScriptedActor("another").then(ran::countDown), Driver.Kind.EVENT_LOOP).wake();
    assertOpens(ran);
  }

  private void stress(Driver.Kind kind) throws InterruptedException {
    int actorCount = 8;
    int threads = Math.max(1, wakingThreads());
    int wakesPerThread = 4_000;
    CountDownLatch all = new CountDownLatch(actorCount * threads * wakesPerThread);
    List<CountingActor> actors = new ArrayList<>();
    List<Driver.Lane> lanes = new ArrayList<>();
    for (int i = 0; i < actorCount; i++) {
      CountingActor actor = new CountingActor("actor-" + i, all);
      actors.add(actor);
      lanes.add(driver.attach(actor, kind));
    }
    Runnable waking =
        () -> {
          for (int n = 0; n < wakesPerThread; n++) {
            for (int i = 0; i < actorCount; i++) {
              actors.get(i).addWork();
              lanes.get(i).wake();
            }
          }
        };
    if (wakingThreads() == 0) {
      waking.run();
      assertOpens(all);
    } else {
      List<Thread> wakers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        wakers.add(Thread.ofPlatform().daemon().start(waking));
      }
      assertOpens(all);
      for (Thread waker : wakers) {
        waker.join();
      }
    }
    for (CountingActor actor : actors) {
      assertFalse(actor.overlapped(), actor.name() + " had two turns at once");
      assertEquals((long) threads * wakesPerThread, actor.done(), actor.name());
    }
  }

  @Test
  void event_loop_loses_no_wake_up_and_never_overlaps_turns() throws InterruptedException {
    stress(Driver.Kind.EVENT_LOOP);
  }

  @Test
  void parallel_queue_loses_no_wake_up_and_never_overlaps_turns() throws InterruptedException {
    stress(Driver.Kind.PARALLEL_QUEUE);
  }

  @Test
  void one_wake_up_runs_all_queued_work() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(1_000);
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane lane = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    for (int i = 0; i < 1_000; i++) {
      actor.then(all::countDown);
    }
    lane.wake();
    assertOpens(all);
  }

  @Test
  void work_of_one_actor_runs_in_order() throws InterruptedException {
    int count = 500;
    CountDownLatch all = new CountDownLatch(count);
    List<Integer> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane lane = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    for (int i = 0; i < count; i++) {
      int number = i;
      actor.then(() -> {
        order.add(number);
        all.countDown();
      });
      lane.wake();
    }
    assertOpens(all);
    for (int i = 0; i < count; i++) {
      assertEquals(i, order.get(i));
    }
  }

  @Test
  void a_wake_up_by_the_actors_own_turn_is_not_lost() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(300);
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane[] lane = new Driver.Lane[1];
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            done.countDown();
            if (done.getCount() > 0) {
              actor.then(this);
              lane[0].wake();
            }
          }
        };
    lane[0] = driver.attach(actor.then(again), Driver.Kind.EVENT_LOOP);
    lane[0].wake();
    assertOpens(done);
  }

  @Test
  void turn_for_a_deadline_does_not_run_early() throws InterruptedException {
    CountDownLatch due = new CountDownLatch(3);
    List<Long> early = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("actor");
    long[] deadline = {driver.clock().nanoTime() + 3 * MILLI};
    actor.setDeadline(deadline[0]);
    actor.onTurn(() -> {
      long now = driver.clock().nanoTime();
      if (now < deadline[0]) {
        early.add(deadline[0] - now);
        return;
      }
      due.countDown();
      deadline[0] = due.getCount() > 0 ? now + 3 * MILLI : Actor.NEVER;
      actor.setDeadline(deadline[0]);
    });
    Driver.Lane lane = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    lane.wake();
    assertOpens(due);
    // the turn of the first wake-up may be early; no other turn may
    assertTrue(early.size() <= 1, "early by " + early);
  }

  @Test
  void earlier_deadline_replaces_a_later_one() throws InterruptedException {
    CountDownLatch due = new CountDownLatch(1);
    long hour = 3_600_000 * MILLI;
    ScriptedActor actor = new ScriptedActor("actor");
    long far = driver.clock().nanoTime() + hour;
    actor.setDeadline(far);
    actor.onTurn(() -> {
      if (driver.clock().nanoTime() >= far) { // true in virtual time only
        actor.setDeadline(Actor.NEVER);
      }
    });
    Driver.Lane lane = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    CountDownLatch first = new CountDownLatch(1);
    actor.then(first::countDown);
    lane.wake();
    assertOpens(first);
    long near = driver.clock().nanoTime() + MILLI;
    actor.then(() -> {
      actor.setDeadline(near);
      actor.onTurn(() -> {
        if (driver.clock().nanoTime() >= near) {
          actor.setDeadline(Actor.NEVER);
          due.countDown();
        }
      });
    });
    lane.wake();
    assertOpens(due);
  }

  @Test
  void a_detached_actor_gets_no_further_turn() throws InterruptedException {
    AtomicInteger turns = new AtomicInteger();
    CountDownLatch first = new CountDownLatch(1);
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane[] lane = new Driver.Lane[1];
    lane[0] = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.onTurn(turns::incrementAndGet);
    actor.then(() -> {
      lane[0].detach();
      lane[0].wake();
      first.countDown();
    });
    actor.then(turns::incrementAndGet);
    lane[0].wake();
    assertOpens(first);
    lane[0].wake();
    runAnother();
    runAnother();
    assertEquals(1, turns.get());
  }

  @Test
  void a_detached_parallel_queue_gets_no_further_turn() throws InterruptedException {
    AtomicInteger turns = new AtomicInteger();
    ScriptedActor actor = new ScriptedActor("queue").then(turns::incrementAndGet);
    Driver.Lane lane = driver.attach(actor, Driver.Kind.PARALLEL_QUEUE);
    lane.detach();
    lane.wake();
    runAnother();
    assertEquals(0, turns.get());
  }

  @Test
  void detach_is_idempotent() throws InterruptedException {
    Driver.Lane lane = driver.attach(new ScriptedActor("actor"), Driver.Kind.EVENT_LOOP);
    lane.detach();
    lane.detach();
    runAnother();
  }

  @Test
  void blocking_work_runs_once() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      driver.runBlocking(
          "work " + i,
          () -> {
            runs.incrementAndGet();
            all.countDown();
          });
    }
    assertOpens(all);
    runAnother();
    assertEquals(20, runs.get());
  }

  @Test
  void blocking_work_submitted_before_close_still_runs_once() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch ran = new CountDownLatch(1);
    driver.runBlocking(
        "work",
        () -> {
          runs.incrementAndGet();
          ran.countDown();
        });
    driver.close();
    assertTrue(ran.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(1, runs.get());
  }

  @Test
  void exception_in_a_turn_does_not_prevent_later_turns() throws Exception {
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch later = new CountDownLatch(2);
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane lane = driver.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.then(() -> {
      Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> told.complete(thrown));
      reached.countDown();
      throw new IllegalArgumentException("from a turn");
    });
    actor.then(later::countDown);
    lane.wake();
    try {
      assertOpens(reached);
      runAnother();
    } catch (IllegalArgumentException toTheDrivingThread) {
      told.complete(toTheDrivingThread);
    }
    actor.then(later::countDown);
    lane.wake();
    assertOpens(later);
    // on a pool, the thread's handler may run after the later turns
    assertEquals("from a turn", told.get(LIMIT_SECONDS, TimeUnit.SECONDS).getMessage());
  }
}
