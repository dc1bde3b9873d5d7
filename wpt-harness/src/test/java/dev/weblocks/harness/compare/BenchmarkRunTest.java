package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.weblocks.harness.compare.Score.Failed;
import dev.weblocks.harness.compare.Score.Measured;
import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BenchmarkRunTest {

  private static final Workload SEQUENTIAL = Made.workload("sequential");
  private static final BenchmarkRun.Settings SETTINGS =
      new BenchmarkRun.Settings(
          2,
          false,
          Duration.ZERO,
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          1,
          Duration.ofSeconds(30));

  /** The events in order. */
  private final List<String> log = new ArrayList<>();

  private long now;

  /** The milliseconds that a round takes. */
  @FunctionalInterface
  private interface Cost {
    double millis(String workload, int size) throws EngineFailure;
  }

  /** An engine with simulated times. */
  private final class FakeEngine implements Engine {
    private final String name;
    private final Cost cost;
    private boolean starts = true;
    private boolean runs = true;

    FakeEngine(String name, Cost cost) {
      this.name = name;
      this.cost = cost;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Session start() throws EngineFailure {
      if (!starts) {
        throw new EngineFailure("does not start: no reason");
      }
      log.add(name + " starts");
      return new FakeSession(this);
    }

    @Override
    public boolean canRun(Workload workload) {
      return runs;
    }

    @Override
    public List<Double> locksPerSecond(String use, int seconds) {
      log.add(name + " " + use);
      return IntStream.rangeClosed(1, seconds).mapToObj(second -> 100.0 * second).toList();
    }

    @Override
    public double firstLock(Duration bound) throws EngineFailure {
      log.add(name + " first lock");
      return cost.millis("first-lock", 1);
    }
  }

  private final class FakeSession implements Session {
    private final FakeEngine engine;
    private long agents;

    FakeSession(FakeEngine engine) {
      this.engine = engine;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public JsonNode call(String workload, String call, int size, Duration bound)
        throws EngineFailure {
      log.add(engine.name + " " + call + (size == 0 ? "" : " " + size));
      if (call.equals("done")) {
        return NullNode.getInstance();
      }
      agents = size;
      double millis = engine.cost.millis(workload, size);
      if (millis > bound.toMillis()) {
        throw EngineFailure.late("no answer within " + bound.toSeconds() + " s");
      }
      now += (long) (millis * 1e6);
      return JsonMapper.builder()
          .build()
          .createObjectNode()
          .put("operations", size)
          .put("ms", millis);
    }

    @Override
    public void collect(Duration bound) {
      log.add(engine.name + " collects");
    }

    @Override
    public long residentBytes() {
      return 1_000_000 + 5000 * agents;
    }

    @Override
    public void close() {
      log.add(engine.name + " ends");
    }
  }

  private final List<String> done = new ArrayList<>();
  private Runnable onWork = () -> {};

  private final BenchmarkRun.Listener listener =
      new BenchmarkRun.Listener() {
        @Override
        public void starting(String engine) {}

        @Override
        public void working(Workload workload, String engine, String what) {
          log.add(engine + ": " + what);
          onWork.run();
        }

        @Override
        public void done(Results.Row row) {
          done.add(row.workload().name());
        }
      };

  private BenchmarkRun benchmarkRun(BenchmarkRun.Settings settings) {
    return new BenchmarkRun(settings, () -> now, listener);
  }

  private Results run(List<Workload> workloads, Engine... engines) throws InterruptedException {
    return benchmarkRun(SETTINGS).run(new Engines(List.of(engines), List.of()), workloads);
  }

  private static Score score(Results results, String engine) {
    return results.rows().getFirst().scores().get(engine);
  }

  @Test
  void slow_engine_runs_only_the_minimum_number_of_rounds() throws InterruptedException {
    Results results =
        benchmarkRun(
                new BenchmarkRun.Settings(
                    7,
                    false,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(10),
                    3,
                    Duration.ofSeconds(8)))
            .run(
                new Engines(
                    List.of(
                        new FakeEngine("slow", (workload, size) -> 5000),
                        new FakeEngine("quick", (workload, size) -> 5)),
                    List.of()),
                List.of(SEQUENTIAL));
    assertEquals(3, ((Measured) score(results, "slow")).figures().rounds());
    assertEquals(7, ((Measured) score(results, "quick")).figures().rounds());
  }

  @Test
  void engines_take_turns_after_all_have_warmed_up() throws InterruptedException {
    Results results =
        run(
            List.of(SEQUENTIAL),
            new FakeEngine("node", (workload, size) -> size / 100.0),
            new FakeEngine("deno", (workload, size) -> size / 50.0));

    assertEquals(
        List.of(
            "node: round 1 of 2",
            "node round 50000",
            "deno: round 1 of 2",
            "deno round 50000",
            "node: round 2 of 2",
            "node round 50000",
            "deno: round 2 of 2",
            "deno round 50000",
            "node done",
            "deno done",
            "node ends",
            "deno ends"),
        log.subList(log.indexOf("node: round 1 of 2"), log.size()));
    assertTrue(log.indexOf("deno: warms up") < log.indexOf("node: round 1 of 2"));
    assertEquals(
        new Measured(new Figures(100_000, 100_000, 100_000, 2), 50_000, 50_000, true, ""),
        score(results, "node"));
    assertEquals(List.of("sequential"), done);
    assertTrue(results.complete());
  }

  @Test
  void use_gives_the_rate_of_its_last_second() throws InterruptedException {
    FakeEngine chromium = new FakeEngine("chromium", (workload, size) -> 1);
    chromium.runs = false;
    Results results =
        run(
            List.of(Made.workload("run-file-cold"), Made.workload("run-file-warm")),
            new FakeEngine("node", (workload, size) -> 1),
            chromium);

    assertEquals(Set.of("node"), results.rows().getFirst().scores().keySet());
    assertEquals(new Figures(100, 100, 100, 1), figures(results, 0));
    assertEquals(new Figures(6000, 6000, 6000, 1), figures(results, 1));
    assertTrue(log.contains("node run-file"));
  }

  private static Figures figures(Results results, int row) {
    return ((Measured) results.rows().get(row).scores().get("node")).figures();
  }

  @Test
  void engine_that_is_not_warm_has_no_ratio_in_a_quick_run() throws InterruptedException {
    double[] millis = {400};
    Engines engines =
        new Engines(
            List.of(
                new FakeEngine("weblocks", (workload, size) -> millis[0] *= 0.9),
                new FakeEngine("node", (workload, size) -> 5)),
            List.of());
    Results results =
        benchmarkRun(BenchmarkRun.Settings.quick(2)).run(engines, List.of(SEQUENTIAL));

    assertFalse(((Measured) score(results, "weblocks")).warm());
    assertTrue(((Measured) score(results, "node")).warm());
    String text = ResultText.of(results);
    assertTrue(text.contains("not warm\n"), text);
    assertTrue(text.contains("sequential, weblocks: not warm yet\n"), text);
  }

  @Test
  void engine_warms_up_until_it_is_no_longer_getting_faster() throws InterruptedException {
    int[] rounds = {0};
    run(
        List.of(SEQUENTIAL),
        new FakeEngine("node", (workload, size) -> Math.max(10, 100 - 15 * rounds[0]++)));

    List<String> warmUp = log.subList(0, log.indexOf("node: round 1 of 2"));
    // 285 ms from 85 down to 10 ms a round, then 100 of 385 ms without improvement
    assertEquals(16, warmUp.stream().filter("node round 50000"::equals).count(), warmUp::toString);
  }

  @Test
  void warm_up_ends_after_the_minimum_time_without_improvement() throws InterruptedException {
    Results results =
        benchmarkRun(
                new BenchmarkRun.Settings(
                    2,
                    false,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(9),
                    Duration.ofSeconds(10),
                    1,
                    Duration.ofSeconds(30)))
            .run(
                new Engines(
                    List.of(new FakeEngine("node", (workload, size) -> size < 50_000 ? 1 : 100)),
                    List.of()),
                List.of(SEQUENTIAL));

    List<String> warmUp = log.subList(0, log.indexOf("node: round 1 of 2"));
    // the first one, and 3 s without improvement
    assertEquals(31, warmUp.stream().filter("node round 50000"::equals).count(), warmUp::toString);
    assertEquals(50_000, ((Measured) score(results, "node")).size());
  }

  @Test
  void engine_slow_only_while_cold_gets_full_rounds() throws InterruptedException {
    double[] each = {10};
    Results results =
        run(
            List.of(SEQUENTIAL),
            new FakeEngine(
                "node",
                (workload, size) -> {
                  each[0] = Math.max(0.001, each[0] * 0.3);
                  return size * each[0];
                }));

    assertEquals(50_000, ((Measured) score(results, "node")).size());
  }

  @Test
  void warm_up_time_is_bounded() throws InterruptedException {
    double[] millis = {1000};
    run(
        List.of(SEQUENTIAL),
        new FakeEngine("node", (workload, size) -> millis[0] = millis[0] * 0.9));

    List<String> warmUp = log.subList(0, log.indexOf("node: round 1 of 2"));
    assertEquals(2, warmUp.stream().filter("node round 50000"::equals).count(), warmUp::toString);
  }

  @Test
  void engine_with_superlinear_time_gets_smaller_rounds() throws InterruptedException {
    Results results =
        run(
            List.of(SEQUENTIAL),
            new FakeEngine("node", (workload, size) -> size / 1000.0 * size / 100.0),
            new FakeEngine("deno", (workload, size) -> 1));

    Measured node = (Measured) score(results, "node");
    assertEquals(5000, node.size());
    assertEquals(50_000, node.wanted());
    assertEquals(50_000, ((Measured) score(results, "deno")).size());
  }

  @Test
  void an_engine_that_is_slow_from_the_start_gets_much_smaller_rounds()
      throws InterruptedException {
    Results results =
        run(List.of(SEQUENTIAL), new FakeEngine("node", (workload, size) -> size * 100.0));

    assertEquals(50, ((Measured) score(results, "node")).size());
  }

  @Test
  void failing_engine_has_no_figure_for_the_workload_and_is_restarted()
      throws InterruptedException {
    Results results =
        run(
            List.of(SEQUENTIAL, Made.workload("steal")),
            new FakeEngine(
                "node",
                (workload, size) -> {
                  if (workload.equals("sequential")) {
                    throw new EngineFailure("Error: no");
                  }
                  return 10;
                }),
            new FakeEngine("deno", (workload, size) -> 10));

    assertEquals(new Failed("Error: no"), score(results, "node"));
    assertTrue(score(results, "deno") instanceof Measured);
    assertTrue(results.rows().get(1).scores().get("node") instanceof Measured);
    assertEquals(2, log.stream().filter("node starts"::equals).count());
    assertEquals(1, log.stream().filter("deno starts"::equals).count());
    assertEquals(2, log.stream().filter("node ends"::equals).count());
  }

  @Test
  void engine_that_hangs_in_a_round_is_restarted_once() throws InterruptedException {
    // hangs from its first measured round on, until it has a new process
    Results results =
        run(
            List.of(SEQUENTIAL),
            new FakeEngine(
                "node",
                (workload, size) ->
                    log.contains("node: round 1 of 2") && count("node starts") == 1 ? 1e9 : 100));

    Measured node = (Measured) score(results, "node");
    assertEquals(2, node.figures().rounds());
    assertTrue(node.note().startsWith("restarted after: no answer within "), node::note);
    assertEquals(2, count("node starts"));
    int anew = log.lastIndexOf("node starts");
    List<String> after = log.subList(anew, log.size());
    assertTrue(after.indexOf("node round 5000") >= 0, after::toString); // it warms up again
    assertTrue(anew < log.indexOf("node: round 2 of 2"));
  }

  @Test
  void workload_fails_for_an_engine_that_hangs_twice() throws InterruptedException {
    Results results =
        run(
            List.of(SEQUENTIAL),
            new FakeEngine(
                "node",
                (workload, size) ->
                    log.contains("node: round 2 of 2")
                            || log.contains("node: round 1 of 2") && count("node starts") == 1
                        ? 1e9
                        : 100));

    Failed node = (Failed) score(results, "node");
    assertTrue(node.reason().startsWith("no answer within "), node::reason);
  }

  private long count(String entry) {
    return log.stream().filter(entry::equals).count();
  }

  @Test
  void an_engine_that_does_not_start_is_left_out() throws InterruptedException {
    FakeEngine broken = new FakeEngine("node", (workload, size) -> 1);
    broken.starts = false;

    Results results =
        run(List.of(SEQUENTIAL), broken, new FakeEngine("deno", (workload, size) -> 1));

    assertEquals(
        List.of(new Engines.LeftOut("node", "does not start: no reason")), results.leftOut());
    assertEquals(List.of("deno"), List.copyOf(results.versions().keySet()));
    assertFalse(results.rows().getFirst().scores().containsKey("node"));
  }

  @Test
  void growth_is_the_ratio_of_costs_with_many_and_few_requests() throws InterruptedException {
    Results results =
        run(
            List.of(Made.workload("growth")),
            new FakeEngine(
                "node", (workload, size) -> size <= 1000 ? size / 1000.0 : size / 500.0));

    Measured node = (Measured) score(results, "node");
    assertEquals(new Figures(2, 2, 2, 1), node.figures());
    assertEquals(100_000, node.size());
    assertEquals("1.0 µs with 1,000 in the queue, 2.0 µs with 100,000", node.note());
  }

  @Test
  void growth_is_measured_up_to_the_size_at_which_an_engine_fails() throws InterruptedException {
    Results results =
        run(
            List.of(Made.workload("growth")),
            new FakeEngine(
                "node",
                (workload, size) -> {
                  if (size > 10_000) {
                    throw new EngineFailure("RangeError: too deep");
                  }
                  return size;
                }),
            new FakeEngine(
                "deno",
                (workload, size) -> {
                  throw new EngineFailure("RangeError: too deep");
                }));

    Measured node = (Measured) score(results, "node");
    assertEquals(10_000, node.size());
    assertTrue(
        node.note().endsWith("; RangeError: too deep with 100,000 in the queue"), node::note);
    assertEquals(
        new Failed("RangeError: too deep with 1,000 in the queue"), score(results, "deno"));
  }

  @Test
  void memory_per_further_agent_is_measured_in_new_processes() throws InterruptedException {
    Results results =
        run(List.of(Made.workload("agent-memory")), new FakeEngine("node", (workload, size) -> 1));

    Measured node = (Measured) score(results, "node");
    assertEquals(new Figures(5000, 5000, 5000, 1), node.figures());
    assertEquals("214,748 agents in a GiB", node.note());
    assertEquals(2, log.stream().filter("node starts"::equals).count());
    assertEquals(2, log.stream().filter("node collects"::equals).count());
  }

  @Test
  void engine_whose_agents_start_slowly_is_measured_with_fewer_agents()
      throws InterruptedException {
    Results results =
        run(
            List.of(Made.workload("agent-memory")),
            new FakeEngine("node", (workload, size) -> size * 500.0));

    Measured node = (Measured) score(results, "node");
    assertEquals(25, node.size());
    assertEquals(100, node.wanted());
  }

  @Test
  void time_to_first_lock_is_measured_in_new_processes() throws InterruptedException {
    Results results =
        run(List.of(Made.workload("first-lock")), new FakeEngine("node", (workload, size) -> 40));

    assertEquals(new Figures(40, 40, 40, 1), ((Measured) score(results, "node")).figures());
    assertEquals(2, log.stream().filter("node first lock"::equals).count());
  }

  @Test
  void stopped_run_keeps_its_results() throws InterruptedException {
    BenchmarkRun benchmarkRun = benchmarkRun(SETTINGS);
    onWork =
        () -> {
          if (log.getLast().equals("node: round 2 of 2")) {
            benchmarkRun.stop();
          }
        };

    Results results =
        benchmarkRun.run(
            new Engines(List.of(new FakeEngine("node", (workload, size) -> 10)), List.of()),
            List.of(SEQUENTIAL, Made.workload("steal")));

    assertFalse(results.complete());
    assertEquals(1, results.rows().size());
    assertTrue(score(results, "node") instanceof Measured);
    assertEquals("node ends", log.getLast());
  }
}
