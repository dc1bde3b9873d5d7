package dev.weblocks.harness.differ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.SharedEnvironment;
import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Statement;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WeblocksEngineTest {

  private static final ProgramFiles LOGS =
      ProgramScript.files(
          new Program(
              0,
              List.of(
                  new Program.Realm(
                      Program.MAIN,
                      Program.Kind.MAIN,
                      List.of(new Statement.Log(1), new Statement.Start("one")),
                      List.of()),
                  new Program.Realm(
                      "one",
                      Program.Kind.WORKER,
                      List.of(new Statement.Log(2), new Statement.Log(3)),
                      List.of()))));

  private static ProgramFiles endless() {
    TreeMap<String, String> files = new TreeMap<>(LOGS.files());
    files.put("/index.html", "<script>for (;;) {}</script>");
    return new ProgramFiles(files);
  }

  private static List<Observation> run(@Nullable Long seed) {
    EngineSettings settings = new EngineSettings(seed, 3, 20, Duration.ofSeconds(20));
    try (WeblocksEngine engine = new WeblocksEngine(settings, SharedEnvironment.ENVIRONMENT)) {
      return engine.run(List.of(LOGS, LOGS));
    }
  }

  @Test
  void lines_of_all_realms_are_observed_in_real_and_virtual_time() {
    for (Observation observation :
        List.of(run(null), run(5L)).stream().flatMap(List::stream).toList()) {
      assertTrue(observation.complete());
      assertEquals(List.of("1"), observation.lines("main"));
      assertEquals(List.of("2", "3"), observation.lines("one"));
    }
  }

  @Test
  void program_that_does_not_end_does_not_stop_the_others() {
    for (Long seed : new Long[] {null, 5L}) {
      EngineSettings settings = new EngineSettings(seed, 3, 20, Duration.ofSeconds(8));
      try (WeblocksEngine engine = new WeblocksEngine(settings, SharedEnvironment.ENVIRONMENT)) {
        List<Observation> observations = engine.run(List.of(endless(), LOGS));
        assertFalse(observations.getFirst().complete());
        assertTrue(observations.getLast().complete());
      }
    }
  }

  @Test
  void report_is_read_from_json() {
    Observation observation =
        Observation.ofReport("{\"complete\": false, \"logs\": {\"main\": [\"1\", \"2\"]}}");
    assertFalse(observation.complete());
    assertEquals(List.of("1", "2"), observation.lines("main"));
    assertEquals(List.of(), observation.lines("one"));
  }
}
