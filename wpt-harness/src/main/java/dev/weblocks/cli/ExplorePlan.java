package dev.weblocks.cli;

import dev.weblocks.explore.Explorer;
import dev.weblocks.explore.Finding;
import dev.weblocks.explore.Replay;
import dev.weblocks.explore.Strategy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which orders {@code weblocks explore} is to run: its options, once they are known to be right.
 *
 * @param strategy its name
 * @param seed of strategies that draw
 * @param depth of the bugs that pct looks for
 * @param preemptions that dfs may make in one order; null for any number
 * @param schedules how many orders to run at most
 * @param time for how long to begin others, as the user has typed it; null for any time
 * @param limit the same
 * @param maxSteps that one order may have
 * @param earlyTimers whether time may go on while there is work
 * @param keepGoing whether to go on behind a finding
 * @param jobs how many orders may run at once
 * @param replay the one order to run instead; null if there is none
 */
record ExplorePlan(
    String strategy,
    long seed,
    int depth,
    @Nullable Integer preemptions,
    int schedules,
    @Nullable String time,
    @Nullable Duration limit,
    int maxSteps,
    boolean earlyTimers,
    boolean keepGoing,
    int jobs,
    @Nullable Replay replay) {

  private static final int SHRINK_RUNS = 150;

  /** What chooses the orders. */
  Strategy chooser() {
    if (replay != null) {
      return Strategy.replay(replay);
    }
    return switch (strategy) {
      case "dfs" -> Strategy.depthFirst(preemptions == null ? -1 : preemptions);
      case "pct" -> Strategy.pct(seed, depth);
      default -> Strategy.random(seed);
    };
  }

  /** How far to go. */
  Explorer.Settings settings() {
    if (replay == null) {
      return new Explorer.Settings(
          schedules, limit, maxSteps, keepGoing, earlyTimers, SHRINK_RUNS, jobs);
    }
    // a livelock is one by the steps that it had when it was found
    int steps = replay.kind() == Finding.Kind.LIVELOCK ? replay.steps() : maxSteps;
    return new Explorer.Settings(1, limit, steps, keepGoing, replay.earlyTimers(), 0, 1);
  }

  /** In a few words, for people. */
  String described() {
    if (replay != null) {
      return "one order, replayed";
    }
    String bound =
        switch (strategy) {
          case "dfs" ->
              "all orders"
                  + (preemptions == null
                      ? ""
                      : " with at most "
                          + preemptions
                          + (preemptions == 1 ? " preemption" : " preemptions"));
          case "pct" -> "pct, depth " + depth + ", seed " + seed;
          default -> "random, seed " + seed;
        };
    return bound
        + String.format(Locale.ROOT, ", at most %,d", schedules)
        + (time == null ? "" : " and " + time);
  }

  /** The names and values that tell a machine the same. */
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("strategy", replay == null ? strategy : "replay");
    if (replay == null && !strategy.equals("dfs")) {
      values.put("seed", seed);
    }
    if (replay == null && strategy.equals("pct")) {
      values.put("depth", depth);
    }
    if (preemptions != null) {
      values.put("preemptions", preemptions);
    }
    values.put("schedules", schedules);
    if (time != null) {
      values.put("time", time);
    }
    values.put("maxSteps", maxSteps);
    values.put("earlyTimers", earlyTimers);
    values.put("keepGoing", keepGoing);
    return values;
  }
}
