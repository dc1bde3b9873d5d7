package dev.weblocks.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Test classes with {@link Explore}, as JUnit runs them. */
class ExploreTest {

  @TempDir private Path reports;

  private EngineExecutionResults run(Class<?> tests, Map<String, String> parameters) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(tests))
        .configurationParameters(parameters)
        .outputDirectoryCreator(
            new OutputDirectoryCreator() {
              @Override
              public Path getRootDirectory() {
                return reports;
              }

              @Override
              public Path createOutputDirectory(TestDescriptor test) {
                return reports;
              }
            })
        .execute();
  }

  private EngineExecutionResults run(Class<?> tests) {
    return run(tests, Map.of());
  }

  /** Returns the message of the only failure. */
  private static String failure(EngineExecutionResults results) {
    List<String> messages =
        results.allEvents().finished().stream()
            .map(event -> event.getRequiredPayload(TestExecutionResult.class))
            .flatMap(result -> result.getThrowable().stream())
            .map(Throwable::getMessage)
            .toList();
    assertEquals(1, messages.size(), messages::toString);
    return messages.getFirst();
  }

  private static List<String> names(EngineExecutionResults results) {
    return results.testEvents().started().stream()
        .map(Event::getTestDescriptor)
        .map(TestDescriptor::getDisplayName)
        .toList();
  }

  private static void additions(Scene scene, String code) {
    AtomicInteger count = new AtomicInteger();
    scene.function("read", arguments -> count.get());
    scene.function("write", arguments -> count.getAndSet(arguments[0].asInt()));
    scene.agent("first").module(code);
    scene.agent("second").module(code);
    scene.atEnd(() -> assertEquals(2, count.get()));
  }

  static class LostUpdate {
    @Explore
    void both_count(Scene scene) {
      additions(scene, "const before = read(); await navigator.locks.query(); write(before + 1);");
    }
  }

  @Test
  void finding_fails_the_test_with_steps_replay_and_timeline() throws Exception {
    String message = failure(run(LostUpdate.class));
    assertTrue(message.startsWith("assertion in order "), message);
    assertTrue(message.contains("\nSTEP  AGENT  "), message);
    assertTrue(
        message.matches(
            "(?s).*\nreplay: w1-\\S+, with @Explore\\(replay = …\\), or for this test alone with"
                + " -Dweblocks.explore.replay=…\ntimeline: .*"),
        message);
    Path timeline = Path.of(message.substring(message.lastIndexOf(' ') + 1));
    assertEquals(reports.resolve("timeline.html"), timeline);
    assertTrue(Files.readString(timeline).startsWith("<!doctype html>"));
  }

  @Test
  void replay_parameter_repeats_the_finding_alone() {
    String message = failure(run(LostUpdate.class));
    String replay = message.replaceFirst("(?s).*replay: (w1-[^,]+),.*", "$1");
    EngineExecutionResults again = run(LostUpdate.class, Map.of(Explore.REPLAY, replay));
    assertEquals(List.of("replay " + replay), names(again));
    String repeated = failure(again);
    assertTrue(repeated.startsWith("assertion, replayed\n"), repeated);
    assertEquals(steps(message), steps(repeated));
  }

  private static String steps(String message) {
    return message.substring(message.indexOf("\nSTEP"), message.indexOf("\nreplay: "));
  }

  static class Mended {
    @Explore(Orders.ALL)
    void both_count(Scene scene) {
      additions(scene, "await navigator.locks.request('count', async () => write(read() + 1));");
    }
  }

  @Test
  void all_orders_pass_and_are_reported() {
    EngineExecutionResults results = run(Mended.class);
    results.testEvents().assertStatistics(statistics -> statistics.succeeded(1).failed(0));
    assertEquals(List.of("all orders"), names(results));
    List<String> entries =
        results.allEvents().reportingEntryPublished().stream()
            .map(event -> event.getPayload().orElseThrow().toString())
            .toList();
    assertEquals(1, entries.size());
    assertTrue(entries.getFirst().contains("explored = '"), entries.getFirst());
    assertTrue(entries.getFirst().contains("no finding in any order"), entries.getFirst());
  }

  static class Seeds {
    @Explore(
        value = Orders.PRIORITIES,
        depth = 2,
        seeds = {3, 4},
        schedules = 5,
        name = "{displayName}: {order}")
    void fine(Scene scene, TestInfo info) {
      scene.agent(info.getDisplayName()).script("0");
    }
  }

  @Test
  void each_seed_is_a_test_with_a_name() {
    EngineExecutionResults results = run(Seeds.class);
    assertEquals(
        List.of(
            "fine(Scene, TestInfo): priorities of depth 2, seed 3",
            "fine(Scene, TestInfo): priorities of depth 2, seed 4"),
        names(results));
    results.testEvents().assertStatistics(statistics -> statistics.succeeded(2));
  }

  static class Deadlock {
    @Explore
    void no_deadlock(Scene scene) {
      scene
          .agent("pay")
          .script("navigator.locks.request('a', () => navigator.locks.request('b', () => {}))");
      scene
          .agent("save")
          .script("navigator.locks.request('b', () => navigator.locks.request('a', () => {}))");
    }
  }

  @Test
  void deadlock_fails_the_test_with_the_waiting_agents() {
    String message = failure(run(Deadlock.class));
    assertTrue(message.startsWith("deadlock in order "), message);
    assertTrue(message.contains("cycle: "), message);
  }

  static class Few {
    @Explore(value = Orders.ALL, schedules = 1)
    void both_count(Scene scene) {
      new Mended().both_count(scene);
    }
  }

  static class Loop {
    @Explore(stepSeconds = 1)
    void ends(Scene scene) {
      scene.agent("loop").script("for (;;) {}");
    }
  }

  static class NoSchedules {
    @Explore(schedules = 0)
    void fine(Scene scene) {}
  }

  static class NoSeeds {
    @Explore(seeds = {})
    void fine(Scene scene) {}
  }

  static class NoScene {
    @Explore
    void fine() {}
  }

  static class BadReplay {
    @Explore(replay = "hello")
    void fine(Scene scene) {}
  }

  static class NoAgent {
    @Explore
    void empty(Scene scene) {}
  }

  @Test
  void wrong_uses_fail_with_one_clear_line() {
    Map<Class<?>, String> messages =
        Map.of(
            Few.class,
            "not all orders were run: the exploration has ended after 1; raise schedules, or limit"
                + " preemptions",
            Loop.class,
            "a step of loop has not ended within 1.0 s; look for an endless loop in its script, or"
                + " raise the limit",
            NoSchedules.class,
            "schedules is 0; it must be at least 1",
            NoSeeds.class,
            "@Explore has no seeds; name one at least",
            NoScene.class,
            "@Explore method fine has no parameter of type Scene, which it is to set up",
            BadReplay.class,
            "replay 'hello' is not a replay string; use one that an exploration prints, which"
                + " begins with w1-",
            NoAgent.class,
            "the scene has no agent; add one with scene.agent(name)");
    messages.forEach(
        (tests, message) -> assertEquals(message, failure(run(tests)), tests.getName()));
  }

  static class Lifecycle {
    @BeforeEach
    void addAgent(Scene scene) {
      scene.agent("lost").script("0");
    }

    @Explore
    void fine(Scene scene) {
      scene.agent("a").script("0");
    }
  }

  @Test
  void lifecycle_method_gets_no_scene() {
    String message = failure(run(Lifecycle.class));
    assertTrue(
        message.matches(
            "No ParameterResolver registered for parameter \\[.*Scene .*\\] in method"
                + " \\[.*addAgent\\(.*"),
        message);
  }

  static class Assumption {
    @Explore
    void only_elsewhere(Scene scene) {
      Assumptions.abort("not here");
    }
  }

  @Test
  void failed_assumption_of_the_set_up_aborts_the_test() {
    run(Assumption.class).testEvents().assertStatistics(statistics -> statistics.aborted(1));
  }

  @Test
  void passing_test_writes_no_timeline() throws Exception {
    run(Mended.class);
    try (Stream<Path> files = Files.list(reports)) {
      assertEquals(0, files.count());
    }
  }
}
