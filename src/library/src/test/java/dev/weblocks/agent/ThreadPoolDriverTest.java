package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
  void pool_without_threads_is_refused_with_the_number_and_a_hint() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ThreadPoolDriver(0));
    assertEquals("threads is 0; use at least 1", refused.getMessage());
  }

  @Test
  void actor_that_is_always_busy_does_not_starve_other_actors() throws InterruptedException {
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
  void busy_lane_stays_on_its_thread_while_no_other_waits() throws InterruptedException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch left = new CountDownLatch(10_000);
    try (ThreadPoolDriver four = new ThreadPoolDriver(4)) {
      ScriptedActor busy = new ScriptedActor("busy");
      Driver.Lane lane = four.attach(busy, Driver.Kind.EVENT_LOOP);
      Runnable turn =
          new Runnable() {
            @Override
            public void run() {
              threads.add(Thread.currentThread());
              left.countDown();
              if (left.getCount() > 0) {
                busy.then(this);
                lane.wake();
              }
            }
          };
      busy.then(turn);
      lane.wake();
      assertTrue(runUntil(left));
    }
    assertEquals(1, threads.size());
  }

  @Test
  void woken_lane_runs_while_the_waking_turn_blocks_on_it() throws InterruptedException {
    CountDownLatch wokenRan = new CountDownLatch(1);
    CountDownLatch waiterSawIt = new CountDownLatch(1);
    try (ThreadPoolDriver two = new ThreadPoolDriver(2)) {
      Driver.Lane woken =
          two.attach(new ScriptedActor("woken").then(wokenRan::countDown), Driver.Kind.EVENT_LOOP);
      two.attach(
              new ScriptedActor("waker")
                  .then(() -> {
                    woken.wake();
                    awaitQuietly(wokenRan);
                    waiterSawIt.countDown();
                  }),
              Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(waiterSawIt));
    }
  }

  @Test
  void woken_lane_runs_while_the_waking_turn_pauses_for_it() throws InterruptedException {
    CompletableFuture<Void> wokenRan = new CompletableFuture<>();
    CountDownLatch over = new CountDownLatch(1);
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      Driver.Lane woken =
          one.attach(
              new ScriptedActor("woken").then(() -> wokenRan.complete(null)),
              Driver.Kind.EVENT_LOOP);
      one.attach(
              new ScriptedActor("waker")
                  .then(() -> {
                    woken.wake();
                    try {
                      one.pause(wokenRan);
                      over.countDown();
                    } catch (InterruptedException interrupted) {
                      Thread.currentThread().interrupt();
                    }
                  }),
              Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(over));
    }
  }

  @Test
  void all_lanes_woken_by_one_turn_run() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(20);
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      List<Driver.Lane> woken = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        woken.add(
            one.attach(
                new ScriptedActor("woken " + i).then(ran::countDown), Driver.Kind.EVENT_LOOP));
      }
      one.attach(
              new ScriptedActor("waker").then(() -> woken.forEach(Driver.Lane::wake)),
              Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(ran));
    }
  }

  @Test
  void lanes_that_always_wake_each_other_do_not_starve_other_lanes() throws InterruptedException {
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      CountDownLatch otherRan = new CountDownLatch(1);
      ScriptedActor ping = new ScriptedActor("ping");
      ScriptedActor pong = new ScriptedActor("pong");
      Driver.Lane pingLane = one.attach(ping, Driver.Kind.EVENT_LOOP);
      Driver.Lane pongLane = one.attach(pong, Driver.Kind.EVENT_LOOP);
      AtomicReference<Runnable> toPong = new AtomicReference<>();
      Runnable toPing =
          () -> {
            if (otherRan.getCount() > 0) {
              ping.then(toPong.get());
              pingLane.wake();
            }
          };
      toPong.set(() -> {
        pong.then(toPing);
        pongLane.wake();
      });
      ping.then(toPong.get());
      pingLane.wake();
      one.attach(new ScriptedActor("other").then(otherRan::countDown), Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(otherRan));
    }
  }

  @Test
  void lane_woken_by_a_failing_turn_still_runs() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      Driver.Lane woken =
          one.attach(new ScriptedActor("woken").then(ran::countDown), Driver.Kind.EVENT_LOOP);
      one.attach(
              new ScriptedActor("waker")
                  .then(() -> {
                    Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
                    woken.wake();
                    throw new IllegalStateException("this turn fails");
                  }),
              Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(ran));
    }
  }

  @Test
  void lane_woken_by_the_exception_handler_of_a_dying_thread_runs() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    try (ThreadPoolDriver one = new ThreadPoolDriver(1)) {
      Driver.Lane woken =
          one.attach(new ScriptedActor("woken").then(ran::countDown), Driver.Kind.EVENT_LOOP);
      one.attach(
              new ScriptedActor("failing")
                  .then(() -> {
                    Thread.currentThread()
                        .setUncaughtExceptionHandler((thread, failure) -> woken.wake());
                    throw new IllegalStateException("this turn fails");
                  }),
              Driver.Kind.EVENT_LOOP)
          .wake();
      assertTrue(runUntil(ran));
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
  void lane_that_is_detached_in_its_own_turn_leaves_no_timer() throws InterruptedException {
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
  void blocking_work_runs_while_every_pool_thread_is_busy() throws InterruptedException {
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
  void only_a_parallel_queue_runs_on_the_thread_that_wakes_it() throws InterruptedException {
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

  /** Returns a clock that throws the error once, as any allocation may. */
  private static Clock failingOnce(AtomicReference<Error> failure) {
    return new Clock() {
      private final Clock system = new SystemClock();

      @Override
      public long nanoTime() {
        Error due = failure.getAndSet(null);
        if (due != null) {
          throw due;
        }
        return system.nanoTime();
      }

      @Override
      public double epochMillisAtZero() {
        return system.epochMillisAtZero();
      }
    };
  }

  @Test
  void an_actor_whose_timer_cannot_be_set_is_lost() throws InterruptedException {
    AtomicReference<Error> failure = new AtomicReference<>();
    OutOfMemoryError exhausted = new OutOfMemoryError("of a test");
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    try (ThreadPoolDriver one = new ThreadPoolDriver(1, failingOnce(failure))) {
      ScriptedActor actor = new ScriptedActor("actor").onLost(told::complete);
      Driver.Lane lane = one.attach(actor, Driver.Kind.EVENT_LOOP);
      actor.setDeadline(one.clock().nanoTime());
      actor.onTurn(() -> failure.compareAndSet(null, exhausted));
      lane.wake();
      assertSame(exhausted, told.join());
    }
  }
}
