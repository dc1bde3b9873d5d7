package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.ForeignStep;
import dev.weblocks.model.Schedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

  /** Returns the order in which a driver runs ten actors with ten pieces each. */
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
  void same_seed_gives_the_same_schedule_and_different_seeds_differ() {
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
  void run_for_a_time_ends_although_the_work_does_not() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    AtomicInteger turns = new AtomicInteger();
    ScriptedActor actor = new ScriptedActor("actor");
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            if (turns.incrementAndGet() < 10_000) {
              actor.then(this);
            }
          }
        };
    actor.then(again);
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    virtual.runFor(1_000_000);
    assertEquals(1_001, turns.get(), "turns of a microsecond each");
    assertTrue(virtual.clock().nanoTime() >= 1_000_000);
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
  void timer_comes_due_while_another_actor_is_always_busy() {
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
  void run_for_stops_after_its_duration_and_fires_no_later_timers() {
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
  void program_that_never_becomes_idle_fails_with_the_bound_and_a_hint() {
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
        "still busy after 50 turns; raise the limit, or look for an endless loop",
        bound.getMessage());
  }

  @Test
  void program_that_becomes_idle_exactly_at_the_bound_is_accepted() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    ScriptedActor actor = new ScriptedActor("actor").then(() -> {}).then(() -> {});
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    assertEquals(2, virtual.runUntilQuiescent(2));
  }

  @Test
  void reading_the_clock_in_script_advances_time_as_much_as_a_turn() {
    Clock clock = driver.clock();
    assertEquals(0, clock.nanoTime());
    assertEquals(1_000, clock.nanoTimeForScript());
    assertEquals(2_000, clock.nanoTimeForScript());
    assertEquals(2_000, clock.nanoTime());
    Clock still = new DeterministicDriver(ready -> 0, 0, 5, null).clock();
    assertEquals(0, still.nanoTimeForScript());
    for (int i = 0; i < 11_000; i++) {
      long unused = still.nanoTimeForScript(); // so that a script that busy-waits makes progress
    }
    assertTrue(still.nanoTime() > 0);
    assertEquals(5, still.epochMillisAtZero());
  }

  @Test
  void implicit_clock_reads_advance_time_only_after_the_first_ten_thousand() {
    for (long turnNanos : new long[] {0, 1_000}) {
      DeterministicDriver virtual = new DeterministicDriver(ready -> 0, turnNanos, 0, null);
      Clock clock = virtual.clock();
      for (int i = 0; i < 10_000; i++) {
        clock.timeIsSeen();
      }
      assertEquals(0, clock.nanoTime());
      clock.timeIsSeen();
      clock.timeIsSeen();
      assertEquals(200_000, clock.nanoTime());
      new Alarm(virtual, HOUR, "timer", () -> {});
      virtual.runUntilQuiescent(1);
      long later = clock.nanoTime();
      clock.timeIsSeen();
      assertEquals(later, clock.nanoTime());
    }
  }

  @Test
  void polling_the_clock_advances_time_even_if_turns_take_no_time() {
    DeterministicDriver still = new DeterministicDriver(ready -> 0, 0, 0, null);
    ScriptedActor polling = new ScriptedActor("polling");
    Runnable look =
        new Runnable() {
          @Override
          public void run() {
            if (still.clock().nanoTimeForScript() < 1_000_000) {
              polling.then(this);
            }
          }
        };
    still.attach(polling.then(look), Driver.Kind.EVENT_LOOP);
    assertEquals(10_010, still.runUntilQuiescent(20_000));
    assertEquals(1_000_000, still.clock().nanoTime());
  }

  @Test
  void step_runs_no_timer_that_is_due_after_its_time_limit() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    List<String> ran = new ArrayList<>();
    new Alarm(virtual, HOUR, "early", () -> ran.add("early"));
    new Alarm(virtual, 2 * HOUR, "late", () -> ran.add("late"));
    Alarm never = new Alarm(virtual, HOUR, "never", () -> ran.add("never"));
    never.cancel();
    never.cancel();
    assertFalse(virtual.step(HOUR - 1));
    assertTrue(virtual.step(HOUR));
    assertFalse(virtual.step(2 * HOUR - 1));
    assertTrue(virtual.step());
    assertFalse(virtual.step());
    assertEquals(List.of("early", "late"), ran);
  }

  @Test
  void time_stands_still_at_the_end_of_the_clock() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    List<String> ran = new ArrayList<>();
    new Alarm(virtual, Actor.NEVER - 1, "last", () -> ran.add("last"));
    virtual.runUntilQuiescent(10);
    assertEquals(Actor.NEVER - 1, virtual.clock().nanoTime());
    new Alarm(virtual, 0, "now", () -> ran.add("now"));
    new Alarm(virtual, 1, "beyond", () -> ran.add("beyond"));
    virtual.runUntilQuiescent(10);
    virtual.runFor(HOUR);
    assertEquals(List.of("last", "now"), ran);
  }

  @Test
  void step_runs_nothing_if_the_schedule_advanced_time_beyond_its_limit() {
    Told told = new Told(true, "clock", "busy", "late");
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    List<String> ran = new ArrayList<>();
    scheduled.attach(new ScriptedActor("busy").then(() -> ran.add("busy")), Driver.Kind.EVENT_LOOP);
    new Alarm(scheduled, HOUR, "late", () -> ran.add("late"));
    assertFalse(scheduled.step(HOUR - 1));
    assertEquals(List.of(), ran);
    assertFalse(scheduled.step(HOUR - 1));
    assertTrue(scheduled.step(HOUR));
    assertTrue(scheduled.step(HOUR));
    assertEquals(List.of("busy", "late"), ran);
    assertEquals(
        List.of("choose of [busy, clock]", "1 clock", "choose of [busy, late]", "2 busy", "3 late"),
        told.log);
  }

  // ---- failures --------------------------------------------------------------------------------

  @Test
  void turn_that_throws_advances_time_and_is_not_rerun() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    virtual.runBlocking(
        "broken",
        () -> {
          throw new IllegalArgumentException("broken");
        });
    assertThrows(IllegalArgumentException.class, virtual::runOne);
    assertEquals(1_000, virtual.clock().nanoTime());
    assertFalse(virtual.runOne());
  }

  @Test
  void close_runs_all_blocking_work_even_if_some_fails() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    List<String> ran = new ArrayList<>();
    for (String name : List.of("first", "second")) {
      virtual.runBlocking(
          name,
          () -> {
            ran.add(name);
            throw new IllegalArgumentException(name);
          });
    }
    IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, virtual::close);
    assertEquals("first", failure.getMessage());
    assertEquals("second", failure.getSuppressed()[0].getMessage());
    assertEquals(List.of("first", "second"), ran);
  }

  // ---- other threads ---------------------------------------------------------------------------

  private static void elsewhere(Runnable action) throws InterruptedException {
    Thread other = Thread.ofPlatform().name("elsewhere").start(action);
    other.join();
  }

  @Test
  void steps_caused_by_another_thread_are_reported_with_its_stack() throws InterruptedException {
    List<ForeignStep> steps = Collections.synchronizedList(new ArrayList<>());
    DeterministicDriver told = new DeterministicDriver(1, 0, steps::add);
    ScriptedActor actor = new ScriptedActor("actor");
    Driver.Lane lane = told.attach(actor, Driver.Kind.EVENT_LOOP);
    elsewhere(lane::wake); // allowed on any thread before the first run
    assertFalse(told.runOne());
    lane.wake();
    assertEquals(List.of(), steps);
    elsewhere(() -> {
      actor.then(() -> {});
      lane.wake();
      told.attach(new ScriptedActor("other"), Driver.Kind.PARALLEL_QUEUE).detach();
      told.runBlocking("once", () -> {});
    });
    assertEquals(
        List.of(
            "actor was given work", "other was added", "other was removed", "once was submitted"),
        steps.stream().map(step -> step.text().split(" by ")[0]).toList());
    for (ForeignStep step : steps) {
      assertEquals("elsewhere", step.thread());
      assertTrue(
          step.place().stream()
              .anyMatch(frame -> frame.getClassName().contains("DeterministicDriverTest")),
          () -> step.place().toString());
    }
    assertEquals(2, told.runUntilQuiescent(10));
    told.close();
  }

  @Test
  void step_by_another_thread_fails_only_the_next_run_without_a_listener()
      throws InterruptedException {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    AtomicInteger turns = new AtomicInteger();
    ScriptedActor actor = new ScriptedActor("actor").then(turns::incrementAndGet);
    Driver.Lane lane = virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    virtual.runUntilQuiescent(10);
    elsewhere(() -> {
      actor.then(turns::incrementAndGet);
      lane.wake();
    });
    IllegalStateException told =
        assertThrows(IllegalStateException.class, () -> virtual.runUntilQuiescent(10));
    assertTrue(
        told.getMessage()
            .startsWith("actor was given work by thread elsewhere, outside of the schedule"),
        told.getMessage());
    assertEquals(1, turns.get());
    virtual.runUntilQuiescent(10);
    assertEquals(2, turns.get());
  }

  @Test
  void second_thread_must_take_over_the_driver_before_running_it() throws InterruptedException {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    virtual.runOne();
    List<String> said = new ArrayList<>();
    elsewhere(() -> {
      try {
        virtual.runOne();
      } catch (IllegalStateException refused) {
        said.add(refused.getMessage());
      }
      virtual.takeOver();
      virtual.runOne();
      said.add("ran");
    });
    assertEquals(2, said.size(), said.toString());
    assertTrue(said.getFirst().startsWith("this driver belongs to thread "), said.toString());
    assertFalse(virtual.runOne(), "the other thread has ended, and has it no more");
  }

  @Test
  void driver_cannot_be_taken_over_during_a_turn() {
    DeterministicDriver virtual = (DeterministicDriver) driver;
    List<String> said = new ArrayList<>();
    ScriptedActor actor =
        new ScriptedActor("actor")
            .then(() -> {
              try {
                elsewhere(() -> {
                  try {
                    virtual.takeOver();
                  } catch (IllegalStateException refused) {
                    said.add(refused.getMessage());
                  }
                });
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    virtual.attach(actor, Driver.Kind.EVENT_LOOP);
    virtual.runUntilQuiescent(10);
    assertEquals(1, said.size());
    assertTrue(said.getFirst().contains("is running this driver"), said.toString());
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

  // ---- schedules -------------------------------------------------------------------------------

  /** A schedule that chooses by name and records all calls. */
  private static final class Told implements Schedule {
    private final List<String> log = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final String[] names;
    private final boolean choosesTime;
    private int at;

    Told(boolean choosesTime, String... names) {
      this.choosesTime = choosesTime;
      this.names = names;
    }

    @Override
    public int choose(List<Actor> ready) {
      List<String> all = ready.stream().map(Actor::name).toList();
      log.add("choose of " + all);
      int index = at < names.length ? all.indexOf(names[at++]) : 0;
      assertTrue(index >= 0, () -> names[at - 1] + " is not among " + all);
      return index;
    }

    @Override
    public boolean choosesTime() {
      return choosesTime;
    }

    @Override
    public boolean observesTurns() {
      return true;
    }

    @Override
    public void turnBegins(long number, Actor actor, List<Actor> ready) {
      log.add(number + " " + actor.name());
    }

    @Override
    public void turnEnded(Turn turn) {
      turns.add(turn);
    }
  }

  @Test
  void schedule_chooses_among_ready_actors_and_receives_all_turns() {
    Told told = new Told(false, "b", "a");
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    scheduled.attach(new ScriptedActor("a").then(() -> {}).then(() -> {}), Driver.Kind.EVENT_LOOP);
    scheduled.attach(new ScriptedActor("b").then(() -> {}).then(() -> {}), Driver.Kind.EVENT_LOOP);
    scheduled.runUntilQuiescent(10);
    assertEquals(
        List.of(
            "choose of [a, b]", "1 b", "choose of [a, b]", "2 a", "choose of [a, b]", "3 a", "4 b"),
        told.log);
  }

  @Test
  void turn_records_which_actors_it_wakes_and_how_it_reaches_shared_state() {
    Told told = new Told(false);
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    ScriptedActor second = new ScriptedActor("second");
    Driver.Lane lane = scheduled.attach(second, Driver.Kind.PARALLEL_QUEUE);
    TurnLog log = scheduled.turnLog();
    long[] cause = new long[1];
    scheduled.attach(
        new ScriptedActor("first")
            .then(() -> {
              log.reaches("somewhere");
              cause[0] = log.current();
              second.then(() -> log.takes(cause[0]));
              lane.wake();
            }),
        Driver.Kind.EVENT_LOOP);
    scheduled.runUntilQuiescent(10);
    assertEquals(
        List.of(
            new Schedule.Turn(1, "first", "", 0, Set.of("second"), Set.of("somewhere")),
            new Schedule.Turn(2, "second", "", 1, Set.of(), Set.of())),
        told.turns);
    assertEquals(0, log.current(), "outside of turns");
  }

  @Test
  void turn_records_in_order_how_it_reaches_shared_state() {
    Told told = new Told(false);
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    List<String> ways = IntStream.range(0, 20).mapToObj(i -> "way " + 7 * i % 20).toList();
    TurnLog log = scheduled.turnLog();
    scheduled.attach(
        new ScriptedActor("actor").then(() -> ways.forEach(log::reaches)), Driver.Kind.EVENT_LOOP);
    scheduled.runUntilQuiescent(10);
    assertEquals(ways, List.copyOf(told.turns.getFirst().reached()));
  }

  @Test
  void time_advances_when_the_schedule_chooses_or_no_work_is_left() {
    for (boolean choosesTime : new boolean[] {true, false}) {
      Told told =
          new Told(choosesTime, choosesTime ? new String[] {"clock", "late"} : new String[0]);
      DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
      scheduled.attach(new ScriptedActor("busy").then(() -> {}), Driver.Kind.EVENT_LOOP);
      ScriptedActor late = new ScriptedActor("late");
      late.setDeadline(HOUR);
      late.onTurn(() -> late.setDeadline(Actor.NEVER));
      scheduled.attach(late, Driver.Kind.EVENT_LOOP);
      scheduled.runUntilQuiescent(10);
      assertEquals(
          choosesTime
              ? List.of(
                  "choose of [busy, clock]",
                  "1 clock",
                  "choose of [busy, late]",
                  "2 late",
                  "3 busy")
              : List.of("1 busy", "2 clock", "3 late"),
          told.log);
      assertEquals(HOUR, scheduled.clock().nanoTime());
    }
  }

  @Test
  void turn_records_that_its_clock_reads_advanced_time() {
    Told told = new Told(false);
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    scheduled.attach(
        new ScriptedActor("looks").then(() -> scheduled.clock().nanoTimeForScript()),
        Driver.Kind.EVENT_LOOP);
    scheduled.attach(
        new ScriptedActor("waits")
            .then(() -> {
              while (scheduled.clock().nanoTimeForScript() == 0) {
                // polls the clock
              }
            }),
        Driver.Kind.EVENT_LOOP);
    scheduled.runUntilQuiescent(10);
    assertEquals(
        List.of(
            new Schedule.Turn(1, "looks", "", 0, Set.of(), Set.of()),
            new Schedule.Turn(2, "waits", "", 0, Set.of(), Set.of("driver: time"))),
        told.turns);
  }

  @Test
  void turns_inside_a_pause_record_the_pause() {
    Told told = new Told(false, "outer");
    DeterministicDriver scheduled = new DeterministicDriver(told, 0, 0, null);
    CompletableFuture<Void> until = new CompletableFuture<>();
    scheduled.attach(
        new ScriptedActor("outer").then(() -> scheduled.pause(until)), Driver.Kind.EVENT_LOOP);
    scheduled.attach(
        new ScriptedActor("inner").then(() -> until.complete(null)), Driver.Kind.EVENT_LOOP);
    scheduled.runUntilQuiescent(10);
    assertEquals(
        List.of(
            new Schedule.Turn(2, "inner", "", 0, Set.of(), Set.of("driver: pause")),
            new Schedule.Turn(1, "outer", "", 0, Set.of(), Set.of("driver: pause"))),
        told.turns);
  }

  @Test
  void schedule_choice_out_of_range_throws() {
    DeterministicDriver scheduled = new DeterministicDriver(ready -> 2, 0, 0, null);
    scheduled.attach(new ScriptedActor("a").then(() -> {}), Driver.Kind.EVENT_LOOP);
    scheduled.attach(new ScriptedActor("b").then(() -> {}), Driver.Kind.EVENT_LOOP);
    assertThrows(IndexOutOfBoundsException.class, scheduled::runOne);
  }

  @Test
  void without_a_listener_there_is_no_turn_log() {
    assertNull(new DeterministicDriver(1).turnLog());
  }
}
