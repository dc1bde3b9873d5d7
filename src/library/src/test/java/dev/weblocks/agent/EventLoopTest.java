package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class EventLoopTest {

  private static final long MILLI = 1_000_000;

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> log = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final EventLoop loop =
      new EventLoop(
          "loop-1",
          driver,
          new Activity(),
          new Trace(
              step -> trace.add(step.kind() + " " + step.actor() + " " + step.detail()),
              driver.clock()),
          (where, failure) -> failures.add(where + ": " + failure.getMessage()),
          EventLoop.Gate.OPEN);

  private void queue(TaskSource source, String label) {
    loop.queueTask(source, null, label, () -> log.add(label));
  }

  private void onLoop(Runnable steps) {
    loop.queueTask(TaskSource.DOM_MANIPULATION, null, "steps", steps);
    driver.runOne();
  }

  @Test
  void tasks_of_one_source_run_in_order_of_arrival() {
    for (int i = 0; i < 100; i++) {
      queue(TaskSource.NETWORKING, "task " + i);
    }
    driver.runUntilQuiescent(1_000);
    for (int i = 0; i < 100; i++) {
      assertEquals("task " + i, log.get(i));
    }
  }

  @Test
  void tasks_of_different_sources_run_in_order_of_arrival() {
    queue(TaskSource.WEB_LOCKS, "1 locks");
    queue(TaskSource.TIMER, "2 timer");
    queue(TaskSource.DOM_MANIPULATION, "3 dom");
    queue(TaskSource.WEB_LOCKS, "4 locks");
    queue(TaskSource.POSTED_MESSAGE, "5 message");
    queue(TaskSource.NETWORKING, "6 networking");
    queue(TaskSource.TIMER, "7 timer");
    driver.runUntilQuiescent(100);
    assertEquals(
        List.of("1 locks", "2 timer", "3 dom", "4 locks", "5 message", "6 networking", "7 timer"),
        log);
  }

  @Test
  void each_turn_runs_one_task_and_the_trace_names_source_and_label() {
    queue(TaskSource.WEB_LOCKS, "a");
    queue(TaskSource.WEB_LOCKS, "b");
    assertTrue(loop.runTurn());
    assertEquals(List.of("a"), log);
    assertTrue(loop.hasWork());
    assertTrue(loop.runTurn());
    assertFalse(loop.hasWork());
    assertFalse(loop.runTurn());
    assertEquals(List.of("TASK loop-1 web locks: a", "TASK loop-1 web locks: b"), trace);
  }

  @Test
  void tasks_from_many_threads_all_arrive() throws InterruptedException {
    int perThread = 5_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      TaskSource source = TaskSource.values()[i];
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < perThread; n++) {
                  queue(source, source + " " + n);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    driver.runUntilQuiescent(100_000);
    assertEquals(4 * perThread, log.size());
    for (int i = 0; i < 4; i++) {
      String source = TaskSource.values()[i].name() + " ";
      List<String> ofSource = log.stream().filter(line -> line.startsWith(source)).toList();
      assertEquals(perThread, ofSource.size());
      for (int n = 0; n < perThread; n++) {
        assertEquals(source + n, ofSource.get(n));
      }
    }
  }

  @Test
  void close_drops_queued_tasks_and_later_tasks_are_ignored() {
    queue(TaskSource.TIMER, "before");
    loop.close();
    assertFalse(loop.hasWork());
    queue(TaskSource.TIMER, "after");
    assertFalse(loop.hasWork());
    assertFalse(loop.runTurn());
    assertEquals(0, driver.runUntilQuiescent(10));
    assertEquals(List.of(), log);
  }

  @Test
  void close_after_this_turn_completes_the_task_and_runs_no_other() {
    onLoop(() -> {
      queue(TaskSource.TIMER, "queued before");
      loop.startTimer(0, () -> log.add("timer"));
      loop.closeAfterThisTurn(() -> log.add("closed"));
      queue(TaskSource.TIMER, "queued after");
      log.add("end of task");
    });
    assertEquals(List.of("end of task", "closed"), log);
    assertFalse(loop.hasWork());
    assertEquals(Actor.NEVER, loop.nextDeadline());
  }

  @Test
  void timers_fire_by_deadline_and_then_in_the_order_of_their_start() {
    onLoop(() -> {
      loop.startTimer(5 * MILLI, () -> log.add("5 a"));
      loop.startTimer(MILLI, () -> log.add("1"));
      loop.startTimer(5 * MILLI, () -> log.add("5 b"));
      loop.startTimer(0, () -> log.add("0"));
      loop.startTimer(5 * MILLI, () -> log.add("5 c"));
    });
    driver.runUntilQuiescent(100);
    assertEquals(List.of("0", "1", "5 a", "5 b", "5 c"), log);
  }

  @Test
  void a_timer_does_not_fire_before_its_deadline() {
    long[] times = new long[2];
    onLoop(() -> {
      times[0] = driver.clock().nanoTime();
      loop.startTimer(7 * MILLI, () -> times[1] = driver.clock().nanoTime());
    });
    driver.runFor(6 * MILLI);
    assertEquals(0, times[1]);
    driver.runUntilQuiescent(100);
    assertTrue(times[1] - times[0] >= 7 * MILLI);
    assertTrue(times[1] - times[0] < 8 * MILLI);
  }

  @Test
  void a_cancelled_timer_does_not_fire_and_leaves_no_deadline() {
    onLoop(() -> {
      EventLoop.Timer timer = loop.startTimer(MILLI, () -> log.add("cancelled"));
      loop.cancelTimer(timer);
      loop.cancelTimer(timer);
    });
    assertEquals(Actor.NEVER, loop.nextDeadline());
    driver.runUntilQuiescent(100);
    assertEquals(List.of(), log);
  }

  @Test
  void a_timer_can_cancel_another_that_is_due_at_the_same_time() {
    onLoop(() -> {
      EventLoop.Timer[] second = new EventLoop.Timer[1];
      loop.startTimer(MILLI, () -> loop.cancelTimer(second[0]));
      second[0] = loop.startTimer(MILLI, () -> log.add("second"));
      loop.startTimer(MILLI, () -> log.add("third"));
    });
    driver.runUntilQuiescent(100);
    assertEquals(List.of("third"), log);
  }

  @Test
  void cancelling_a_timer_that_has_fired_does_nothing() {
    onLoop(() -> {
      EventLoop.Timer first = loop.startTimer(MILLI, () -> log.add("first"));
      loop.startTimer(2 * MILLI, () -> loop.cancelTimer(first));
      loop.startTimer(3 * MILLI, () -> log.add("last"));
    });
    driver.runUntilQuiescent(100);
    assertEquals(List.of("first", "last"), log);
  }

  @Test
  void task_that_throws_is_reported_and_the_loop_continues() {
    loop.queueTask(
        TaskSource.TIMER,
        null,
        "broken task",
        () -> {
          throw new IllegalArgumentException("mine");
        });
    loop.queueTask(
        TaskSource.TIMER,
        null,
        "worse task",
        () -> {
          throw new StackOverflowError("deep");
        });
    queue(TaskSource.TIMER, "next");
    driver.runUntilQuiescent(10);
    assertEquals(List.of("broken task: mine", "worse task: deep"), failures);
    assertEquals(List.of("next"), log);
  }

  @Test
  void timer_that_throws_is_reported_and_the_loop_continues() {
    onLoop(() -> {
      loop.startTimer(
          MILLI,
          () -> {
            throw new IllegalArgumentException("mine");
          });
      loop.startTimer(MILLI, () -> log.add("next"));
    });
    driver.runUntilQuiescent(10);
    assertEquals(List.of("timer: mine"), failures);
    assertEquals(List.of("next"), log);
  }

  @Test
  void only_the_thread_of_the_turn_is_on_the_loop() {
    assertFalse(loop.isOnLoop());
    onLoop(() -> {
      log.add("inside " + loop.isOnLoop());
      log.add(
          "elsewhere "
              + CompletableFuture.supplyAsync(loop::isOnLoop, Thread::startVirtualThread).join());
    });
    assertEquals(List.of("inside true", "elsewhere false"), log);
    assertFalse(loop.isOnLoop());
  }

  @Test
  void error_on_a_wrong_thread_names_thread_and_loop_with_a_hint() {
    IllegalStateException wrong = assertThrows(IllegalStateException.class, loop::assertOnLoop);
    assertEquals(
        "thread "
            + Thread.currentThread().getName()
            + " is not on the event loop of loop-1; queue a task instead",
        wrong.getMessage());
    assertThrows(IllegalStateException.class, () -> loop.startTimer(0, () -> {}));
    List<Throwable> fromAnotherThread = new ArrayList<>();
    onLoop(() -> {
      EventLoop.Timer timer = loop.startTimer(0, () -> {});
      CompletionException thrown =
          assertThrows(
              CompletionException.class,
              () ->
                  CompletableFuture.runAsync(
                          () -> loop.cancelTimer(timer), Thread::startVirtualThread)
                      .join());
      fromAnotherThread.add(thrown.getCause());
    });
    assertEquals(List.of(), failures);
    assertEquals(IllegalStateException.class, fromAnotherThread.get(0).getClass());
  }
}
