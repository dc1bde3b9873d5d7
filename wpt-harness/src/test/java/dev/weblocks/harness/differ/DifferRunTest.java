package dev.weblocks.harness.differ;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.harness.SharedEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DifferRunTest {

  private static final EngineSettings SETTINGS =
      new EngineSettings(1L, 2, 100, Duration.ofSeconds(60));

  private final List<String> batches = new ArrayList<>();

  /** An engine that is too slow for every third program unless it has patience. */
  private Engine slow(EngineSettings settings) {
    boolean patient = settings.equals(SETTINGS.patient());
    Engine fast = new WeblocksEngine(settings, SharedEnvironment.ENVIRONMENT);
    return new Engine() {
      @Override
      public String name() {
        return fast.name();
      }

      @Override
      public List<Observation> run(List<ProgramFiles> programs) {
        batches.add((patient ? "patient " : "first ") + programs.size());
        List<Observation> observations = fast.run(programs);
        return IntStream.range(0, programs.size())
            .mapToObj(i -> patient || i % 3 != 0 ? observations.get(i) : Observation.NOTHING)
            .toList();
      }

      @Override
      public void close() {
        fast.close();
      }
    };
  }

  @Test
  void programs_that_are_cut_off_are_repeated_together_with_patience() throws IOException {
    TreeMap<String, Engines.Maker> makers = new TreeMap<>();
    makers.put(WeblocksEngine.NAME, this::slow);
    List<String> verdicts = new ArrayList<>();
    try (Engines engines = Engines.of(makers);
        DifferRun run = new DifferRun(engines, WeblocksEngine.NAME, SETTINGS, () -> false)) {
      run.run(
          1,
          1,
          7,
          new DifferRun.Listener() {
            @Override
            public void compared(Comparison comparison) {
              verdicts.add(comparison.program().seed() + " " + comparison.verdict());
            }

            @Override
            public void differs(Comparison found, Comparison shrunk) {
              throw new AssertionError(found.summary());
            }
          });
    }
    assertEquals(List.of("first 7", "patient 3"), batches);
    assertEquals(
        IntStream.rangeClosed(1, 7).mapToObj(seed -> seed + " CONFORMS").toList(), verdicts);
  }
}
