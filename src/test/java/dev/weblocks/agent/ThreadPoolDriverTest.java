package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadPoolDriverTest extends DriverContract {

  @Override
  Driver newDriver() {
    return new ThreadPoolDriver(2);
  }

  @Override
  boolean runUntil(CountDownLatch latch) throws InterruptedException {
    return latch.await(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  int wakingThreads() {
    return 4;
  }

  @Test
  void a_pool_without_threads_is_refused_with_the_number_and_what_to_do() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ThreadPoolDriver(0));
    assertEquals("threads is 0; use at least 1", refused.getMessage());
  }

  @Test
  void an_actor_that_is_always_busy_lets_others_have_turns() throws InterruptedException {
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      CountDownLatch otherRan = new CountDownLatch(1);
      ScriptedActor busy = new ScriptedActor("busy");
      Runnable forever =
          new Runnable() {
            @Override
            public void run() {
              if (otherRan.getCount() > 0) {
                busy.then(this);
              }
            }
          };
      one.attach(busy.then(forever), Driver.Kind.EVENT_LOOP).wake();
      one.attach(new ScriptedActor("other").then(otherRan::countDown), Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(otherRan));
    }
  }

  @Test
  void a_lane_that_is_queued_when_the_driver_closes_gets_no_turn() throws InterruptedException {
    ThreadPoolDriver one = new ThreadPoolDriver(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    one.attach(
            new ScriptedActor("first")
                .then(() -> {
                  thread.set(Thread.currentThread());
                  begun.countDown();
                  awaitQuietly(mayEnd);
                }),
            Driver.Kind.EVENT_LOOP)
        .wake();
    assertTrue(runUntil(begun));
    AtomicInteger turns = new AtomicInteger();
    ScriptedActor second = new ScriptedActor("second").then(turns::incrementAndGet);
    Driver.Lane lane = one.attach(second, Driver.Kind.EVENT_LOOP);
    lane.wake();
    one.close();
    mayEnd.countDown();
    lane.wake();
    thread.get().join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    assertFalse(thread.get().isAlive());
    assertEquals(0, turns.get());
  }

  @Test
  void a_lane_that_is_detached_in_its_own_turn_leaves_no_timer_behind()
      throws InterruptedException {
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      ScriptedActor actor = new ScriptedActor("actor");
      Driver.Lane lane = one.attach(actor, Driver.Kind.EVENT_LOOP);
      actor.onTurn(() -> {
        actor.setDeadline(one.clock().nanoTime() + TimeUnit.HOURS.toNanos(1));
        lane.detach();
      });
      lane.wake();
      CountDownLatch later = new CountDownLatch(1);
      one.attach(new ScriptedActor("later").then(later::countDown), Driver.Kind.EVENT_LOOP).wake();
      assertTrue(runUntil(later));
      assertEquals(0, one.armedTimers());
    }
  }

  @Test
  void blocking_work_runs_while_every_pool_thread_is_taken() throws InterruptedException {
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      CountDownLatch mayEnd = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      one.attach(
              new ScriptedActor("stuck")
                  .then(() -> {
                    awaitQuietly(mayEnd);
                    ended.countDown();
                  }),
              Driver.Kind.EVENT_LOOP)
          .wake();
      one.runBlocking("rescue", mayEnd::countDown);
      assertTrue(runUntil(ended));
    }
  }

  @Test
  void a_parallel_queue_runs_on_the_thread_that_wakes_it_and_an_event_loop_does_not()
      throws InterruptedException {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch loopRan = new CountDownLatch(1);
    driver
        .attach(
            new ScriptedActor("queue").then(() -> threads.add(Thread.currentThread())),
            Driver.Kind.PARALLEL_QUEUE)
        .wake();
    driver
        .attach(
            new ScriptedActor("loop")
                .then(() -> {
                  threads.add(Thread.currentThread());
                  loopRan.countDown();
                }),
            Driver.Kind.EVENT_LOOP)
        .wake();
    assertTrue(runUntil(loopRan));
    assertEquals(Thread.currentThread(), threads.get(0));
    assertNotEquals(Thread.currentThread(), threads.get(1));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
