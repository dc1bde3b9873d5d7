package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Causes of steps in a trace. */
class TraceTest {

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> told = new ArrayList<>();
  private final Trace trace =
      new Trace(
          new TraceListener() {
            @Override
            public void on(TraceEvent step) {
              told.add(
                  step.id()
                      + " after "
                      + step.cause()
                      + " at "
                      + step.time().toNanos()
                      + ": "
                      + step.actor()
                      + " "
                      + step.detail());
            }

            @Override
            public void ended(long id, Duration time) {
              told.add(id + " over at " + time.toNanos());
            }
          },
          driver.clock());
  private final EventLoop loop = newLoop("one", trace);

  private EventLoop newLoop(String name, Trace of) {
    return new EventLoop(
        name, driver, new Activity(), of, (where, failure) -> {}, EventLoop.Gate.OPEN);
  }

  private void queue(EventLoop to, String label, Runnable steps) {
    to.queueTask(TaskSource.NETWORKING, null, label, steps);
  }

  @Test
  void task_is_caused_by_the_task_that_queued_it_even_across_loops() {
    EventLoop other = newLoop("other", trace);
    queue(loop, "a", () -> queue(other, "b", () -> queue(loop, "c", () -> {})));
    driver.runUntilQuiescent(10);
    assertEquals(
        List.of(
            "1 after 0 at 0: one networking: a",
            "1 over at 0",
            "2 after 1 at 1000: other networking: b",
            "2 over at 1000",
            "3 after 2 at 2000: one networking: c",
            "3 over at 2000"),
        told);
  }

  @Test
  void task_of_a_timer_follows_from_the_task_that_started_it() {
    queue(loop, "a", () -> loop.startTimer(5_000, () -> queue(loop, "b", () -> {})));
    queue(loop, "between", () -> {});
    driver.runUntilQuiescent(10);
    assertEquals(
        List.of(
            "1 after 0 at 0: one networking: a",
            "1 over at 0",
            "2 after 0 at 1000: one networking: between",
            "2 over at 1000",
            "3 after 1 at 5000: one networking: b",
            "3 over at 5000"),
        told);
  }

  @Test
  void turn_inside_a_pause_does_not_change_the_cause_of_later_steps() {
    EventLoop other = newLoop("other", trace);
    CompletableFuture<Void> go = new CompletableFuture<>();
    queue(
        loop,
        "pauses",
        () -> {
          queue(other, "inner", () -> go.complete(null));
          driver.pause(go);
          queue(loop, "after", () -> {});
        });
    driver.runUntilQuiescent(10);
    assertEquals(
        List.of(
            "1 after 0 at 0: one networking: pauses",
            "2 after 1 at 0: other networking: inner",
            "2 over at 0",
            "1 over at 1000",
            "3 after 1 at 2000: one networking: after",
            "3 over at 2000"),
        told);
  }

  @Test
  void failed_task_ends_and_is_no_longer_the_current_cause() {
    queue(
        loop,
        "fails",
        () -> {
          throw new IllegalStateException();
        });
    driver.runUntilQuiescent(10);
    assertEquals(List.of("1 after 0 at 0: one networking: fails", "1 over at 0"), told);
    assertEquals(0, trace.current());
  }

  @Test
  void step_lasts_until_its_code_returns_or_throws() {
    trace.under(7, () -> assertEquals(7, trace.current()));
    assertThrows(
        IllegalStateException.class,
        () ->
            trace.under(
                7,
                () -> {
                  throw new IllegalStateException();
                }));
    assertEquals(0, trace.current());
  }

  @Test
  void steps_without_a_cause_are_not_wrapped() {
    Runnable steps = () -> {};
    assertSame(steps, trace.caused(steps));
  }

  @Test
  void each_thread_has_its_own_current_cause() {
    long elsewhere =
        trace.enter(3) == 0
            ? CompletableFuture.supplyAsync(trace::current, command -> start(command)).join()
            : -1;
    assertEquals(0, elsewhere);
    assertEquals(3, trace.current());
    trace.leave(0);
  }

  private static void start(Runnable command) {
    Thread.ofPlatform().start(command);
  }
}
