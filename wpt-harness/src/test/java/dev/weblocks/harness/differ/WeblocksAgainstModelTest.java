package dev.weblocks.harness.differ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.SharedEnvironment;
import dev.weblocks.testing.TestSize;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Generated programs in Weblocks and in the model. */
class WeblocksAgainstModelTest {

  private static final int PROGRAMS = TestSize.of(200, 2_000);

  private static Map<Comparison.Verdict, Integer> run(
      @Nullable Long order, long firstSeed, int programs) throws IOException {
    SortedMap<String, Engines.Maker> makers = new TreeMap<>();
    makers.put(
        WeblocksEngine.NAME,
        settings -> new WeblocksEngine(settings, SharedEnvironment.ENVIRONMENT));
    Map<Comparison.Verdict, Integer> counts = new EnumMap<>(Comparison.Verdict.class);
    List<String> differences = new ArrayList<>();
    EngineSettings settings =
        new EngineSettings(order, 8, order == null ? 25 : 1_000, Duration.ofSeconds(60));
    try (DifferRun run =
        new DifferRun(Engines.of(makers), WeblocksEngine.NAME, settings, () -> false)) {
      run.run(
          firstSeed,
          1,
          programs,
          new DifferRun.Listener() {
            @Override
            public void compared(Comparison comparison) {
              counts.merge(comparison.verdict(), 1, Integer::sum);
            }

            @Override
            public void differs(Comparison found, Comparison shrunk) {
              differences.add(
                  "seed %d, order %s: %s\n%s%s\n"
                      .formatted(
                          found.program().seed(),
                          order,
                          shrunk.summary(),
                          Report.program(shrunk.program()),
                          Report.comparison(shrunk, WeblocksEngine.NAME)));
            }
          });
    }
    assertEquals("", String.join("\n", differences));
    assertEquals(programs, counts.values().stream().mapToInt(Integer::intValue).sum());
    return counts;
  }

  @Test
  void programs_on_a_pool_of_threads_conform_to_the_model() throws IOException {
    Map<Comparison.Verdict, Integer> counts = run(null, 1, PROGRAMS / 4);
    assertTrue(counts.getOrDefault(Comparison.Verdict.UNDECIDED, 0) <= PROGRAMS / 100);
  }

  @Test
  void programs_in_orders_of_several_seeds_conform_to_the_model() throws IOException {
    int undecided = 0;
    for (long order = 1; order <= 3; order++) {
      undecided +=
          run(order, 1_000 * order, PROGRAMS / 4).getOrDefault(Comparison.Verdict.UNDECIDED, 0);
    }
    assertTrue(undecided <= PROGRAMS / 100, "undecided: " + undecided);
  }
}
