package dev.weblocks.harness.compare;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run.
 *
 * @param versions of the engines that took part, by their names, in the order in which they ran
 * @param leftOut the engines that did not take part
 * @param rows in the order in which they ran; workloads that were not reached are missing
 * @param quick whether sizes were those of a quick run
 * @param rounds requested number of rounds
 * @param complete false if the run was interrupted
 */
public record Results(
    Map<String, String> versions,
    List<Engines.LeftOut> leftOut,
    List<Row> rows,
    boolean quick,
    int rounds,
    boolean complete) {

  private static final List<String> RIVALS = List.of("node", "deno");

  /**
   * The results of a workload in all engines.
   *
   * @param scores by the names of engines; some may be missing when a run was interrupted
   */
  public record Row(Workload workload, Map<String, Score> scores) {

    /** Returns the figures of an engine, if it has any. */
    public Optional<Score.Measured> measured(String engine) {
      return scores.get(engine) instanceof Score.Measured measured
          ? Optional.of(measured)
          : Optional.empty();
    }

    /** Returns the name of the better one of Node and Deno; null if neither has a figure. */
    public @Nullable String best() {
      String best = null;
      double figure = 0;
      for (String rival : RIVALS) {
        Optional<Score.Measured> measured = measured(rival);
        if (measured.isPresent()) {
          double own = measured.get().figures().median();
          if (best == null || workload.unit().advantage(own, figure) > 1) {
            best = rival;
            figure = own;
          }
        }
      }
      return best;
    }

    private boolean isCold(String engine) {
      return measured(engine).map(measured -> !measured.warm()).orElse(false);
    }

    /**
     * Returns how many times better an engine is than {@link #best()}; empty if unknown, or if one
     * of them was not warm yet.
     */
    public OptionalDouble ratioToBest(String engine) {
      String best = best();
      if (best == null || measured(engine).isEmpty() || isCold(best) || isCold(engine)) {
        return OptionalDouble.empty();
      }
      double ratio =
          workload
              .unit()
              .advantage(
                  measured(engine).orElseThrow().figures().median(),
                  measured(best).orElseThrow().figures().median());
      return Double.isNaN(ratio) ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }
  }

  /** Returns whether Weblocks itself has failed in any workload. */
  public boolean ownFailure() {
    return rows.stream()
        .flatMap(row -> row.scores().entrySet().stream())
        .anyMatch(each ->
            each.getKey().startsWith(Engine.OWN_INTERPRETER)
                && each.getValue() instanceof Score.Failed);
  }
}
