package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.Replay;
import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.schedule.Strategy;
import dev.weblocks.explore.text.HarmlessText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validated options of {@code weblocks explore}.
 *
 * @param depth bug depth for pct
 * @param preemptions maximum number of preemptions per order of steps, for dfs; null for no limit
 * @param time time after which no further run begins, as typed by the user; null for no limit
 * @param limit the value of {@code time}
 * @param earlyTimers whether timers may fire while other steps are possible
 * @param shard the part of the orders to run; null for all
 * @param replay the only order of steps to run; null to explore
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
    @Nullable Shard shard,
    @Nullable Replay replay) {

  Strategy chooser() {
    if (replay != null) {
      return Strategy.replay(replay);
    }
    Shard part = part();
    return switch (strategy) {
      case "dfs" -> Strategy.depthFirst(preemptions == null ? -1 : preemptions, part);
      case "pct" -> Strategy.pct(seed, depth, part);
      default -> Strategy.random(seed, part);
    };
  }

  private Shard part() {
    return shard == null ? Shard.WHOLE : shard;
  }

  Explorer.Settings settings() {
    if (replay == null) {
      // the orders of dfs have no numbers before they are run
      long most = strategy.equals("dfs") ? schedules : part().sizeOf(schedules);
      return new Explorer.Settings(
          most, limit, maxSteps, keepGoing, earlyTimers, Explorer.SHRINK_RUNS, jobs);
    }
    return Explorer.Settings.ofReplay(replay, limit, maxSteps, keepGoing);
  }

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
                      : " with at most " + HarmlessText.count(preemptions, "preemption"));
          case "pct" -> "pct, depth " + depth + ", seed " + seed;
          default -> "random, seed " + seed;
        };
    return bound
        + String.format(Locale.ROOT, ", at most %,d", schedules)
        + (time == null ? "" : " and " + time)
        + (shard == null ? "" : ", shard " + shard);
  }

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
    if (shard != null) {
      values.put(Shard.SETTING, shard.toString());
    }
    return values;
  }
}
