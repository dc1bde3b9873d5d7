package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/**
 * A schedule of the embedder makes all choices of the deterministic driver and receives the
 * resulting turns.
 */
class ScheduleTest {

  private final List<String> log = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private Set<Variant> variants = Set.of();

  private void run(Schedule schedule, String... scripts) {
    Map<String, String> pages = new HashMap<>();
    for (int i = 0; i < scripts.length; i++) {
      pages.put("https://one.test/" + i, "<script>" + scripts[i] + "</script>");
    }
    try (DeterministicDriver driver = Driver.deterministic(schedule);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .random(new SplittableRandom(1))
                .variants(variants)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(), "text/html", pages.getOrDefault(request.url(), ""))))
                .consoleListener(message -> log.add(message.text()))
                .errorListener(error -> log.add(error.message()))
                .lockListener(new Checks(violations))
                .build()) {
      for (int i = 0; i < scripts.length; i++) {
        userAgent.open("https://one.test/" + i);
      }
      driver.runUntilIdle(10_000);
    }
  }

  private record Checks(List<String> violations) implements LockListener, LockInvariantListener {
    @Override
    public void violated(String violation) {
      violations.add(violation);
    }
  }

  private static final String WANTS_LOCK = "navigator.locks.request('l', () => console.log('%s'))";

  @Test
  void schedule_decides_which_window_gets_the_lock_first() {
    for (int page = 0; page < 2; page++) {
      String first = "window-" + (page + 1);
      String itsPage = "response to GET https://one.test/" + page;
      log.clear();
      run(
          ready -> {
            List<String> names = ready.stream().map(Schedule.Actor::name).toList();
            return Math.max(0, Math.max(names.indexOf(first), names.indexOf(itsPage)));
          },
          WANTS_LOCK.formatted("window-1"),
          WANTS_LOCK.formatted("window-2"));
      assertEquals(2, log.size(), log::toString);
      assertEquals(first, log.getFirst());
      assertEquals(List.of(), violations);
    }
  }

  @Test
  void the_same_choices_lead_to_the_same_turns() {
    List<String> before = null;
    for (int i = 0; i < 3; i++) {
      Watching watching = new Watching(7);
      run(watching, WANTS_LOCK.formatted("a"), WANTS_LOCK.formatted("b"));
      if (before != null) {
        assertEquals(before, watching.turns);
      }
      before = watching.turns;
    }
  }

  /** A random schedule that records all calls. */
  private static final class Watching implements Schedule {
    private final SplittableRandom random;
    private final List<String> turns = new ArrayList<>();
    private final List<Turn> ended = new ArrayList<>();

    Watching(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public int choose(List<Actor> ready) {
      turns.add("choose of " + ready);
      return random.nextInt(ready.size());
    }

    @Override
    public boolean observesTurns() {
      return true;
    }

    @Override
    public void turnBegins(long number, Actor actor, List<Actor> ready) {
      turns.add(number + " " + actor);
    }

    @Override
    public void turnEnded(Turn turn) {
      ended.add(turn);
    }
  }

  @Test
  void turn_records_its_cause_and_how_it_reaches_shared_state() {
    Watching watching = new Watching(1);
    run(watching, "localStorage.setItem('a', 1); " + WANTS_LOCK.formatted("granted"));
    Schedule.Turn script =
        watching.ended.stream()
            .filter(turn -> turn.reached().contains("Storage.call setItem/0"))
            .findFirst()
            .orElseThrow();
    assertEquals("window-1", script.actor());
    assertTrue(script.reached().contains("LockManager.call request/0"), script::toString);
    assertTrue(script.woken().contains("lock task queue"), script::toString);
    Schedule.Turn lockStep =
        watching.ended.stream()
            .filter(turn -> turn.step().equals("request 'l'"))
            .findFirst()
            .orElseThrow();
    assertEquals("lock task queue", lockStep.actor());
    assertEquals(script.number(), lockStep.cause());
    assertTrue(lockStep.woken().contains("window-1"), lockStep::toString);
    Schedule.Turn grant =
        watching.ended.stream()
            .filter(turn -> turn.step().equals("web locks: grant"))
            .findFirst()
            .orElseThrow();
    assertEquals(lockStep.number(), grant.cause());
  }

  @Test
  void inline_lock_steps_do_not_change_causes_of_later_steps() {
    variants = Set.of(Variant.CALLBACK_INSIDE_REQUEST);
    Watching watching = new Watching(1);
    run(
        watching,
        """
        navigator.locks.query();
        navigator.locks.request('l', () => new Promise(resolve => setTimeout(resolve, 10)));
        setTimeout(() => navigator.locks.query(), 5);
        """);
    List<Schedule.Turn> lockSteps =
        watching.ended.stream().filter(turn -> turn.actor().equals("lock task queue")).toList();
    assertEquals(List.of("query", "release"), lockSteps.stream().map(Schedule.Turn::step).toList());
    List<Schedule.Turn> causes =
        lockSteps.stream().map(step -> watching.ended.get((int) step.cause() - 1)).toList();
    for (Schedule.Turn cause : causes) {
      assertEquals("window-1", cause.actor());
      assertTrue(cause.woken().contains("lock task queue"), cause::toString);
      assertFalse(cause.reached().contains("driver: lock step"), cause::toString);
    }
    assertTrue(causes.getFirst().reached().contains("LockManager.call query/0"), causes::toString);
    assertTrue(causes.getFirst().number() < causes.getLast().number(), causes::toString);
  }

  @Test
  void script_has_the_same_environment_under_a_schedule_as_under_a_seed() {
    run(
        ready -> 0,
        """
        console.log(new Date().toISOString(), performance.now(), new Date().getTimezoneOffset(),
            navigator.language, typeof Atomics.waitAsync);
        """);
    assertEquals(List.of(DeterministicDriver.START_TIME + " 0 0 en-US undefined"), withoutMillis());
  }

  /** Returns the log with instants in the format of Java. */
  private List<String> withoutMillis() {
    return log.stream().map(line -> line.replace(".000Z", "Z")).toList();
  }

  @Test
  void script_that_polls_the_clock_from_tasks_makes_progress() {
    run(
        ready -> 0,
        """
        const begin = performance.now();
        const {port1, port2} = new MessageChannel();
        let tasks = 0;
        port1.onmessage = () => {
          tasks++;
          for (let i = 0; i < 100; i++) {
            if (performance.now() - begin >= 1) {
              console.log(tasks > 50 ? 'many tasks' : 'few tasks');
              port1.close();
              return;
            }
          }
          port2.postMessage(0);
        };
        port2.postMessage(0);
        """);
    assertEquals(List.of("many tasks"), log);
  }

  @Test
  void timers_wait_for_other_work_unless_the_schedule_advances_time() {
    String timer = "setTimeout(() => console.log('timer'), 1000)";
    String work = "fetch('/other').then(() => console.log('work'))";
    run(ready -> 0, timer, work);
    assertEquals(List.of("work", "timer"), log);
    log.clear();
    run(
        new Schedule() {
          @Override
          public int choose(List<Actor> ready) {
            List<String> names = ready.stream().map(Actor::name).toList();
            // window-1 while it has work, then the clock
            int own = names.indexOf("window-1");
            return own >= 0 ? own : Math.max(0, names.indexOf(CLOCK));
          }

          @Override
          public boolean choosesTime() {
            return true;
          }
        },
        timer,
        work);
    assertEquals(List.of("timer", "work"), log);
  }

  @Test
  void turns_of_an_installation_are_described() {
    List<String> steps = new ArrayList<>();
    Schedule schedule =
        new Schedule() {
          @Override
          public int choose(List<Actor> ready) {
            return 0;
          }

          @Override
          public boolean observesTurns() {
            return true;
          }

          @Override
          public void turnBegins(long number, Actor actor, List<Actor> ready) {
            steps.add(actor.name() + ": " + actor.nextStep());
          }
        };
    try (Context context = Context.create("js");
        DeterministicDriver driver = Driver.deterministic(schedule);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build()) {
      CallerDrivenInstallation installation = userAgent.installInto(context).install();
      installation.execute(() -> context.eval("js", "setTimeout(() => {}, 1)"));
      driver.runUntilIdle(1_000);
      installation.close();
      driver.runUntilIdle(1_000);
    }
    assertEquals("installation-1: DOM manipulation: host", steps.getFirst());
    assertTrue(steps.contains("installation-1: timer"), steps::toString);
  }
}
