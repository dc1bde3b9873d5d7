package dev.weblocks.explore;

import dev.weblocks.explore.schedule.Finding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of an exploration.
 *
 * @param schedules number of orders that were run to their end or to the finding
 * @param pruned number of runs that were aborted because their continuations were known
 * @param states number of distinct states seen: locks, and next steps of agents
 * @param isExhausted whether all orders were run
 * @param problem null if no order has a finding
 */
public record ExplorationReport(
    long schedules, long pruned, int states, boolean isExhausted, @Nullable Problem problem) {

  /**
   * A finding.
   *
   * @param kind kind of the finding
   * @param text description for display: the finding, and the simplest order of steps that leads to
   *     it
   * @param replay a string that repeats this order, see {@link Exploration#replay}
   * @param timeline the page with the timeline of this order
   * @param cause the exception of a check or of Java code that script called; null if it is an
   *     error of script, or none
   */
  public record Problem(
      Finding.Kind kind, String text, String replay, String timeline, @Nullable Throwable cause) {}

  /** Returns a line with the numbers. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d %s%s, %,d distinct states, %s",
        schedules,
        schedules == 1 ? "order" : "orders",
        pruned == 0 ? "" : String.format(Locale.ROOT, " and %,d pruned", pruned),
        states,
        problem != null
            ? "finding: " + problem.kind().label()
            : isExhausted ? "no finding in any order" : "no finding");
  }
}
