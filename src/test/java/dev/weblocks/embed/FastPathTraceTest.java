package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.TestSize;
import dev.weblocks.fastpath.FastPath;
import dev.weblocks.fastpath.FastPaths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Speed buys no step and no checkpoint: programs leave the same trace with each fast path and
 * without it, byte for byte.
 */
class FastPathTraceTest {

  private static final int SEEDS = TestSize.of(1, 3);

  private static Engine engine;

  /** The traces of all programs and seeds with all fast paths on. */
  private static Map<String, String> expected;

  @BeforeAll
  static void run_all_with_all_fast_paths() {
    engine = UserAgent.Environment.newEngine();
    expected = tracesWith(FastPaths.ALL_ON);
  }

  @AfterAll
  static void closeEngine() {
    engine.close(true);
  }

  private static Map<String, String> tracesWith(FastPaths fastPaths) {
    Map<String, String> traces = new LinkedHashMap<>();
    UserAgent.Environment environment = new UserAgent.Environment(engine, false, fastPaths);
    try (Scenario first = new Scenario(1, environment)) {
      first.window("").run(); // what the first realm of an environment tries out is no program's
    }
    for (FastPathPrograms program : FastPathPrograms.values()) {
      for (int seed = 1; seed <= SEEDS; seed++) {
        traces.put(program + ", seed " + seed, traceOf(program, seed, environment));
      }
    }
    return traces;
  }

  private static String traceOf(
      FastPathPrograms program, long seed, UserAgent.Environment environment) {
    try (Scenario scenario = new Scenario(seed, environment)) {
      program.run(scenario);
      List<String> lines = new ArrayList<>(scenario.trace());
      scenario.steps().forEach(step -> lines.add(step.toString()));
      scenario.log().forEach(line -> lines.add("LOG " + line));
      scenario
          .errors()
          .forEach(error -> lines.add("ERROR " + error.kind() + " " + error.message()));
      return String.join("\n", lines);
    }
  }

  private static void assertSameTraces(FastPaths fastPaths) {
    Map<String, String> traces = tracesWith(fastPaths);
    expected.forEach((program, trace) ->
        assertEquals(trace, traces.get(program), () -> program + " without " + fastPaths.off()));
    assertEquals(expected.keySet(), traces.keySet());
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void traces_are_the_same_without_one_of_the_fast_paths(FastPath path) {
    assertSameTraces(FastPaths.without(path));
  }

  @Test
  void traces_are_the_same_without_any_fast_path() {
    assertSameTraces(FastPaths.allOff());
  }

  @Test
  void the_programs_get_where_they_are_meant_to_and_no_defect_is_met() {
    for (FastPathPrograms program : FastPathPrograms.values()) {
      for (int seed = 1; seed <= SEEDS; seed++) {
        String trace = expected.get(program + ", seed " + seed);
        assertTrue(
            trace
                .lines()
                .anyMatch(line -> line.startsWith("LOG ") && line.contains(program.reaches)),
            () -> program + " lacks '" + program.reaches + "':\n" + trace);
        assertTrue(
            trace.lines().noneMatch(line -> line.startsWith("ERROR DEFECT")),
            () -> program + " meets a defect:\n" + trace);
      }
    }
    String all = String.join("\n", expected.values());
    for (String step :
        List.of(
            "TASK ",
            "CHECKPOINT ",
            "RequestLock",
            "AbortRequest",
            "ReleaseLock",
            "EndClient",
            "TakeSnapshot",
            "LOCK_EFFECT lock task queue: Granted",
            "LOCK_EFFECT lock task queue: Unavailable",
            "LOCK_EFFECT lock task queue: Stolen",
            "LOCK_EFFECT lock task queue: Released",
            "LOCK_EFFECT lock task queue: SnapshotTaken",
            "has ended")) {
      assertTrue(all.contains(step), () -> "no program comes to " + step);
    }
  }

  private static final String HOLDER =
      """
      const channel = new BroadcastChannel('go');
      navigator.locks.request('hand', () => new Promise(release => {
        channel.onmessage = release;
        console.log('ready');
      }));
      """;

  private static final String TAKER =
      """
      function again(round) {
        navigator.locks.request('hand', lock => {
          console.log('%s', round);
          if (round > 0) again(round - 1);
        });
      }
      again(50);
      console.log('ready');
      """;

  /** What is said under a lock that goes from hand to hand, and the grants, in their order. */
  private static List<String> handedOver(FastPaths fastPaths) throws Exception {
    try (UserAgent.Environment environment =
            new UserAgent.Environment(UserAgent.Environment.newEngine(), false, fastPaths);
        Pool pool = new Pool(Driver.threadPool(1, fastPaths), environment)) {
      pool.window(HOLDER);
      pool.expect("ready");
      for (String taker : List.of("first", "second", "third")) {
        pool.window(TAKER.formatted(taker));
        pool.expect("ready");
      }
      pool.window("new BroadcastChannel('go').postMessage(null);");
      List<String> all = new ArrayList<>();
      for (int i = 0; i < 3 * 51; i++) {
        all.add(pool.next());
      }
      pool.trace().stream()
          .map(TraceEvent::detail)
          .filter(detail -> detail.startsWith("Granted"))
          .forEach(all::add);
      return all;
    }
  }

  @Test
  void on_one_thread_of_a_pool_a_lock_goes_round_in_the_same_order_without_fast_paths()
      throws Exception {
    List<String> handedOver = handedOver(FastPaths.ALL_ON);
    assertEquals(
        List.of("first 50", "second 50", "third 50", "first 49"), handedOver.subList(0, 4));
    assertEquals(3 * 51 + 3 * 51 + 1, handedOver.size());
    assertEquals(handedOver, handedOver(FastPaths.without(FastPath.WOKEN_LANES)));
    assertEquals(handedOver, handedOver(FastPaths.allOff()));
  }
}
