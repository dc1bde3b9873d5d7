package dev.weblocks.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Installation;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.ExplorationReport.Problem;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.model.Schedule;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.AssertionFailedError;

/** Scenes in many orders of their steps. */
class ExplorationTest {

  private static SharedEngine engine;

  @BeforeAll
  static void openEngine() {
    engine = SharedEngine.create();
  }

  @AfterAll
  static void closeEngine() {
    engine.close();
  }

  private static ExplorationReport run(Exploration exploration) throws Exception {
    return exploration.run(engine);
  }

  private static Problem problem(Exploration exploration) throws Exception {
    Problem problem = run(exploration).problem();
    assertNotNull(problem, "no finding");
    return problem;
  }

  private static ExplorationReport withoutProblem(Exploration exploration) throws Exception {
    ExplorationReport report = run(exploration);
    Problem problem = report.problem();
    assertNull(problem, () -> problem.text());
    return report;
  }

  private static Exploration oneOrder(Exploration.SetUp setUp) {
    return Exploration.of(setUp).schedules(1);
  }

  /** Sets up two agents that add 1 to a number of Java. */
  private static void additions(Scene scene, String code) {
    AtomicInteger count = new AtomicInteger();
    scene.function("read", arguments -> count.get());
    scene.function(
        "write",
        arguments -> {
          count.set(arguments[0].asInt());
          return null;
        });
    scene.agent("first").module(code);
    scene.agent("second").module(code);
    scene.atEnd(() -> assertEquals(2, count.get()));
  }

  private static final String ADD =
      "const before = read(); await null; await pause(); write(before + 1);";
  private static final String PAUSE =
      "const pause = () => new Promise(resolve => setTimeout(resolve)); ";
  private static final String LOCKED_ADD =
      PAUSE + "await navigator.locks.request('count', async () => { " + ADD + " });";

  private static void nested(Scene scene, String agent, String outer, String inner) {
    scene
        .agent(agent)
        .module(
            "await navigator.locks.request('%s', () => navigator.locks.request('%s', () => {}));"
                .formatted(outer, inner));
  }

  private static void deadlock(Scene scene) {
    nested(scene, "pay", "giro", "savings");
    nested(scene, "save", "savings", "giro");
  }

  @Test
  void lost_update_of_java_state_is_found_in_random_orders() throws Exception {
    Problem lost = problem(Exploration.of(scene -> additions(scene, PAUSE + ADD)));
    assertEquals(Finding.Kind.ASSERTION, lost.kind());
    assertInstanceOf(AssertionFailedError.class, lost.cause());
    assertTrue(lost.text().contains("a check at the end failed: "), lost.text());
    assertTrue(lost.text().contains("expected: <2> but was: <1>"), lost.text());
    assertTrue(lost.text().contains("first calls read"), lost.text());
    assertTrue(lost.timeline().contains("first"), "timeline without the names of agents");
  }

  @Test
  void locked_updates_are_proved_over_all_orders() throws Exception {
    ExplorationReport report =
        withoutProblem(
            Exploration.of(scene -> additions(scene, LOCKED_ADD)).all().schedules(100_000));
    assertTrue(report.isExhausted(), report::toString);
    assertTrue(report.schedules() > 1, report::toString);
    assertTrue(report.toString().endsWith("no finding in any order"), report::toString);
  }

  @Test
  void all_orders_contain_the_one_that_loses_an_update() throws Exception {
    assertEquals(
        Finding.Kind.ASSERTION,
        problem(Exploration.of(scene -> additions(scene, PAUSE + ADD)).all()).kind());
  }

  @Test
  void deadlock_is_found_with_the_names_of_agents() throws Exception {
    Problem deadlock = problem(Exploration.of(ExplorationTest::deadlock));
    assertEquals(Finding.Kind.DEADLOCK, deadlock.kind());
    assertTrue(deadlock.text().contains("pay waits for save"), deadlock.text());
    assertFalse(deadlock.text().contains("installation-"), deadlock.text());
  }

  @Test
  void replay_repeats_the_finding_with_the_same_steps() throws Exception {
    Problem first = problem(Exploration.of(ExplorationTest::deadlock).random(7));
    Exploration again = Exploration.of(ExplorationTest::deadlock).replay(first.replay());
    Problem second = problem(again);
    assertEquals(first.replay(), second.replay());
    assertEquals(stepsOf(first), stepsOf(second));
    assertTrue(second.text().startsWith("deadlock, replayed\n"), second.text());
    assertEquals("replay " + first.replay(), again.described());
  }

  private static String stepsOf(Problem problem) {
    return problem.text().substring(problem.text().indexOf("STEP"));
  }

  @Test
  void replay_that_does_not_fit_is_refused_with_the_reason() throws Exception {
    String replay = problem(Exploration.of(ExplorationTest::deadlock)).replay();
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> run(Exploration.of(scene -> nested(scene, "pay", "a", "b")).replay(replay)));
    assertTrue(
        refused.getMessage().startsWith("the replay string does not fit: "), refused.getMessage());
    assertEquals(
        "replay 'w1-x' is damaged; copy the whole string",
        assertThrows(
                IllegalArgumentException.class,
                () -> Exploration.of(ExplorationTest::deadlock).replay("w1-x"))
            .getMessage());
  }

  @Test
  void check_throws_the_finding_with_its_replay_string() {
    ExplorationError error =
        assertThrows(
            ExplorationError.class,
            () -> {
              Exploration exploration = Exploration.of(scene -> additions(scene, PAUSE + ADD));
              exploration.check(run(exploration), ", some way");
            });
    assertTrue(
        error.getMessage().matches("(?s)assertion in order \\d+ of random orders, seed 1\n.*"),
        error.getMessage());
    assertTrue(
        error.getMessage().matches("(?s).*\nreplay: w1-[^ ]+, some way"), error.getMessage());
    assertInstanceOf(AssertionFailedError.class, error.getCause());
  }

  @Test
  void check_of_all_orders_fails_if_some_were_not_run() throws Exception {
    Exploration exploration =
        Exploration.of(scene -> additions(scene, LOCKED_ADD)).all().schedules(2);
    ExplorationReport report = withoutProblem(exploration);
    assertEquals(
        "not all orders were run: the exploration has ended after 2; raise schedules, or limit"
            + " preemptions",
        assertThrows(ExplorationError.class, () -> exploration.check(report, "")).getMessage());
  }

  @Test
  void options_of_contexts_make_all_steps_dependent() throws Exception {
    Exploration.SetUp independent =
        scene -> {
          scene.agent("a").script("setTimeout(() => { var x = 1; })");
          scene.agent("b").script("setTimeout(() => { var x = 2; })");
        };
    long few = withoutProblem(Exploration.of(independent).all()).schedules();
    long more =
        withoutProblem(
                Exploration.of(
                        scene -> {
                          scene.contexts(options -> options.allowHostAccess(HostAccess.ALL));
                          independent.run(scene);
                        })
                    .all())
            .schedules();
    assertEquals(1, few);
    assertTrue(more > few, more + " orders");
  }

  @Test
  void calls_of_java_functions_are_dependent() throws Exception {
    List<String> seen = new ArrayList<>();
    withoutProblem(
        Exploration.of(
                scene -> {
                  StringBuilder order = new StringBuilder();
                  scene.function("note", arguments -> order.append(arguments[0].asString()));
                  scene.agent("a").script("note('a')");
                  scene.agent("b").script("note('b')");
                  scene.atEnd(() -> seen.add(order.toString()));
                })
            .all());
    assertEquals(Set.of("ab", "ba"), new HashSet<>(seen));
    assertEquals(2, seen.size());
  }

  @Test
  void uncaught_errors_and_rejections_are_findings_with_their_place() throws Exception {
    Problem thrown =
        problem(oneOrder(scene -> scene.agent("a").script("\nthrow new RangeError('far')")));
    assertEquals(Finding.Kind.ASSERTION, thrown.kind());
    assertTrue(thrown.text().contains("[a] Uncaught RangeError: far"), thrown.text());
    assertTrue(thrown.text().contains("a.js:2"), thrown.text());
    for (String code :
        List.of(
            "Promise.reject(new RangeError('far'))",
            "setTimeout(() => { throw new RangeError('far') })",
            "navigator.locks.request('x', async () => { throw new RangeError('far') })")) {
      Problem late = problem(oneOrder(scene -> scene.agent("a").script(code)));
      assertEquals(Finding.Kind.ASSERTION, late.kind(), code);
      assertTrue(late.text().contains("RangeError: far"), late.text());
      assertTrue(late.text().contains("[a] "), late.text());
    }
    Problem module =
        problem(
            oneOrder(scene -> scene.agent("a").module("await 1;\nthrow new RangeError('far')")));
    assertTrue(module.text().contains("RangeError: far"), module.text());
    Problem syntax = problem(oneOrder(scene -> scene.agent("a").script("let 1")));
    assertTrue(syntax.text().contains("SyntaxError"), syntax.text());
  }

  @Test
  void exception_of_a_java_function_is_the_cause() throws Exception {
    IllegalStateException failure = new IllegalStateException("overdrawn");
    Problem problem =
        problem(
            oneOrder(scene -> {
              scene.function(
                  "pay",
                  arguments -> {
                    throw failure;
                  });
              scene.agent("a").script("pay(1)");
            }));
    assertSame(failure, problem.cause());
    assertTrue(problem.text().contains("overdrawn"), problem.text());
    withoutProblem(
        oneOrder(scene -> {
          scene.function(
              "pay",
              arguments -> {
                throw failure;
              });
          scene.agent("a").script("try { pay(1) } catch (expected) {}");
        }));
  }

  @Test
  void run_without_end_is_a_livelock() throws Exception {
    Problem endless =
        problem(
            Exploration.of(scene -> scene.agent("a").script("setInterval(() => {}, 10)"))
                .maxSteps(100));
    assertEquals(Finding.Kind.LIVELOCK, endless.kind());
    assertTrue(endless.text().contains("not idle after 100 steps"), endless.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true) {}",
        "(async () => { while (true) await null })()",
        "setTimeout(() => { for (;;) try { while (true) {} } finally { continue } })"
      })
  void step_without_end_is_stopped(String code) throws Exception {
    ExplorationError stuck =
        assertThrows(
            ExplorationError.class,
            () ->
                run(
                    oneOrder(scene -> scene.agent("loop").script(code))
                        .stepLimit(Duration.ofSeconds(2))));
    assertEquals(
        "a step of loop has not ended within 2.0 s; look for an endless loop in its script, or"
            + " raise the limit",
        stuck.getMessage());
    assertNoThreadIsLeft();
  }

  private static void assertNoThreadIsLeft() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("weblocks-explore")) {
        thread.join(5_000);
        assertFalse(thread.isAlive(), thread.getName());
      }
    }
  }

  @Test
  void interrupt_ends_the_exploration() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<ExplorationReport> result = new CompletableFuture<>();
    Thread test =
        Thread.ofPlatform()
            .start(() -> {
              try {
                result.complete(
                    run(
                        Exploration.of(scene -> {
                          scene.function(
                              "begin",
                              arguments -> {
                                begun.countDown();
                                return null;
                              });
                          scene.agent("a").script("begin(); while (true) {}");
                        })));
              } catch (Exception failure) {
                result.completeExceptionally(failure);
                begun.countDown(); // if it has failed before the script began
              }
            });
    begun.await();
    test.interrupt();
    assertInstanceOf(
        InterruptedException.class, assertThrows(ExecutionException.class, result::get).getCause());
    test.join();
    assertNoThreadIsLeft();
  }

  @Test
  void script_cannot_disturb_the_exploration() throws Exception {
    String hostile =
        """
        for (const name of ['Date', 'Promise', 'Reflect', 'Proxy', 'Math', 'Array', 'console']) {
          try { globalThis[name] = null } catch {}
        }
        Object.prototype.then = () => { throw null };
        Object.freeze(Object.prototype);
        """;
    String[] ends = {
      "throw null",
      "throw {get message() { throw 1 }, toString() { while (false); throw 2 }}",
      "(function deep() { deep() })()",
      "throw new Proxy({}, {get() { throw 3 }, getPrototypeOf() { throw 4 }})"
    };
    for (String end : ends) {
      Problem problem =
          problem(oneOrder(scene -> scene.agent("a").script(hostile).script(end).script("0")));
      assertEquals(Finding.Kind.ASSERTION, problem.kind(), problem.text());
    }
  }

  @Test
  void java_objects_are_opaque_to_script() throws Exception {
    withoutProblem(
        oneOrder(scene -> {
          scene.function("list", arguments -> new ArrayList<>(List.of(1)));
          scene
              .agent("a")
              .script(
                  """
                  const list = list0 => [typeof list0.add, typeof list0.getClass, list0.length];
                  const seen = String(list(globalThis.list()));
                  if (seen !== 'undefined,undefined,') throw new Error(seen);
                  if (typeof Java === 'object' && Java.type) {
                    try { Java.type('java.lang.System') } catch { Java.done = true }
                    if (!Java.done) throw new Error('has Java classes');
                  }
                  """);
        }));
  }

  @Test
  void values_of_one_agent_cannot_reach_another() throws Exception {
    Problem problem =
        problem(
            Exploration.of(scene -> {
              Object[] kept = new Object[1];
              scene.function("keep", arguments -> kept[0] = arguments[0]);
              scene.function("kept", arguments -> kept[0]);
              scene.agent("a").script("keep({})");
              scene.agent("b").script("if (kept()) throw new Error('shared')");
            }));
    assertFalse(problem.text().contains("Error: shared"), problem.text());
  }

  @Test
  void time_and_random_values_are_the_same_in_each_run() throws Exception {
    Set<String> seen = new HashSet<>();
    withoutProblem(
        Exploration.of(
                scene -> {
                  StringBuilder values = new StringBuilder();
                  scene.function("note", arguments -> values.append(arguments[0].asString()));
                  scene
                      .agent("a")
                      .module(
                          """
                          await new Promise(resolve => setTimeout(resolve, 1500));
                          note([Math.random(), Date.now(), new Date().toISOString(), Date(),
                              new Date(0).getTimezoneOffset(), new Date(5).getTime(),
                              new (class extends Date {})().getTime(), crypto.randomUUID(),
                              new Date() instanceof Date, performance.now()].join());
                          """);
                  scene.atEnd(() -> seen.add(values.toString()));
                })
            .schedules(5));
    assertEquals(1, seen.size(), seen::toString);
    String value = seen.iterator().next();
    assertTrue(value.contains(",1758672001500,2025-09-24T00:00:01.500Z,Wed Sep 24 2025 "), value);
    assertTrue(value.contains(",0,5,1758672001500,"), value);
    assertTrue(value.contains(",true,1500"), value);
  }

  @Test
  void current_time_is_in_whole_milliseconds_also_in_formats() throws Exception {
    List<String> seen = new ArrayList<>();
    withoutProblem(
        oneOrder(scene -> {
          scene.function("note", arguments -> seen.add(arguments[0].asString()));
          scene
              .agent("a")
              .module(
                  """
                  for (let i = 0; i < 10_100; i++) performance.now(); // polling it advances time
                  const format = new Intl.DateTimeFormat('en-US',
                      {dateStyle: 'short', timeStyle: 'medium'});
                  note([performance.now() % 1 !== 0, Date.now() % 1, format.format(),
                      format.format(0), format.formatToParts()[0].value].join('|'));
                  """);
        }));
    assertEquals(List.of("true|0|9/24/25, 12:00:00\u202fAM|1/1/70, 12:00:00\u202fAM|9"), seen);
  }

  @Test
  void files_and_resources_are_scripts_or_modules_by_their_names(@TempDir Path folder)
      throws Exception {
    Files.writeString(folder.resolve("other.mjs"), "export const text = 'imported';");
    Path module =
        Files.writeString(
            folder.resolve("main.mjs"), "import {text} from './other.mjs'; await 0; note(text);");
    Path classic = Files.writeString(folder.resolve("classic.js"), "var made = 'classic';");
    List<String> notes = new ArrayList<>();
    withoutProblem(
        oneOrder(scene -> {
          scene.function("note", arguments -> notes.add(arguments[0].asString()));
          scene.agent("module").file(module);
          scene.agent("resource").resource(module.toUri().toURL());
          scene.agent("classic").file(classic).script("note(made)");
        }));
    notes.sort(null);
    assertEquals(List.of("classic", "imported", "imported"), notes);
    UncheckedIOException missing =
        assertThrows(
            UncheckedIOException.class,
            () -> run(oneOrder(scene -> scene.agent("a").file(folder.resolve("none.mjs")))));
    assertTrue(missing.getMessage().contains("none.mjs cannot be read"), missing.getMessage());
    NullPointerException none =
        assertThrows(
            NullPointerException.class,
            () ->
                run(oneOrder(scene -> scene.agent("a").resource(getClass().getResource("none")))));
    assertTrue(none.getMessage().contains("resource"), none.getMessage());
  }

  @Test
  void exception_of_the_set_up_reaches_the_caller() {
    Exception failure = new Exception("no database");
    assertSame(
        failure,
        assertThrows(
            Exception.class,
            () ->
                run(
                    Exploration.of(scene -> {
                      throw failure;
                    }))));
    assertEquals(
        "the scene has no agent; add one with scene.agent(name)",
        assertThrows(IllegalArgumentException.class, () -> run(Exploration.of(scene -> {})))
            .getMessage());
    assertEquals(
        "there is an agent 'a' already; use another name",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    run(
                        Exploration.of(scene -> {
                          scene.agent("a");
                          scene.agent("a");
                        })))
            .getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "window-1",
        "installation-2",
        "shared-worker-3",
        "java-4",
        Schedule.CLOCK,
        "lock task queue",
        "service worker queue",
        "remote locks",
        "lock watchdog"
      })
  void name_of_another_actor_is_refused(String name) {
    assertEquals(
        "the name '" + name + "' of an agent is empty or reserved; use another, such as tab",
        assertThrows(
                IllegalArgumentException.class,
                () -> run(Exploration.of(scene -> scene.agent(name))))
            .getMessage());
    try (Context context = Context.create("js");
        UserAgent userAgent = UserAgent.newBuilder().environment(engine.environment()).build()) {
      Installation.Builder builder = userAgent.installInto(context);
      assertThrows(IllegalArgumentException.class, () -> builder.name(name));
    }
  }

  @Test
  void orders_are_described_with_their_limits() {
    Exploration exploration = Exploration.of(ExplorationTest::deadlock);
    assertEquals("all orders", exploration.all().described());
    assertEquals("all orders with at most 1 preemption", exploration.all(1).described());
    assertEquals("all orders with at most 2 preemptions", exploration.all(2).described());
  }

  @Test
  void limits_out_of_range_are_refused() {
    Exploration exploration = Exploration.of(ExplorationTest::deadlock);
    assertEquals(
        "schedules is 0; it must be at least 1",
        assertThrows(IllegalArgumentException.class, () -> exploration.schedules(0)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> exploration.maxSteps(-1));
    assertThrows(IllegalArgumentException.class, () -> exploration.priorities(1, 0));
    assertThrows(IllegalArgumentException.class, () -> exploration.stepLimit(Duration.ZERO));
  }
}
