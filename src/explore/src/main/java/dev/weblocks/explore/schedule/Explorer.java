package dev.weblocks.explore.schedule;

import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The explorer of a scenario. Runs the schedules that a strategy chooses, up to a finding or a
 * limit, and simplifies each finding. {@link #report()} may be called on any thread, all other
 * methods on one.
 */
public final class Explorer {

  /**
   * The limits of an exploration.
   *
   * @param schedules maximum number of schedules; a run that is aborted because its continuations
   *     are known does not count
   * @param time time limit; null for none. Simplifying a finding may exceed it
   * @param maxSteps maximum number of steps in a run
   * @param keepGoing whether to continue after a finding
   * @param earlyTimers whether timers may fire while other steps are possible
   * @param shrinkRuns maximum number of runs to simplify one finding
   * @param jobs maximum number of concurrent runs, at least 1; findings do not depend on it
   */
  public record Settings(
      long schedules,
      @Nullable Duration time,
      int maxSteps,
      boolean keepGoing,
      boolean earlyTimers,
      int shrinkRuns,
      int jobs) {

    /**
     * Returns the settings for the one run of a replay. A livelock gets the number of steps with
     * which it was found, others {@code maxSteps}.
     */
    public static Settings ofReplay(
        Replay replay, @Nullable Duration time, int maxSteps, boolean keepGoing) {
      int steps = replay.kind() == Finding.Kind.LIVELOCK ? replay.steps() : maxSteps;
      return new Settings(1, time, steps, keepGoing, replay.earlyTimers(), 0, 1);
    }
  }

  private static final int ENDLESS_RUNS = 5;

  /** The default of {@link Settings#shrinkRuns()}. */
  public static final int SHRINK_RUNS = 150;

  /** The reasons for the end of an exploration. */
  public enum End {
    /** Not ended yet. */
    NONE,
    FINDING,
    /** All schedules were run. */
    EXHAUSTED,
    /** All schedules were run, some of them only up to the maximum number of steps. */
    TOO_LONG,
    SCHEDULES,
    TIME,
    INTERRUPTED,
    /** A step of a run did not end. */
    STUCK,
    /** A run failed for a reason unrelated to the scenario. */
    FAILED
  }

  /**
   * A finding with its schedules.
   *
   * @param finding the finding of the simplest run
   * @param schedule number of the first schedule that led to it, from 1, among those of all shards
   * @param times number of schedules that led to it
   * @param first cost of that schedule
   * @param simplest order of steps after simplification
   * @param shrinkRuns number of runs for the simplification
   * @param replay replay of the simplest run
   */
  public record Found(
      Finding finding,
      long schedule,
      long times,
      Cost first,
      Interleaving simplest,
      int shrinkRuns,
      Replay replay) {

    /** Returns a line about the simplification. */
    public String minimized() {
      return "minimized in %s runs: from %s to %s"
          .formatted(shrinkRuns, first.text(), simplest.cost().text());
    }

    /** Returns the same finding with more occurrences. */
    public Found andTimes(long more) {
      return new Found(finding, schedule, times + more, first, simplest, shrinkRuns, replay);
    }
  }

  /**
   * The state of an exploration.
   *
   * @param schedules number of runs that reached their end or a finding
   * @param known number of runs aborted because their continuations were known or belong to another
   *     shard
   * @param states number of distinct states seen
   * @param time time since the beginning
   */
  public record Report(
      long schedules, long known, int states, Duration time, End end, List<Found> found) {

    /** Returns a copy with a reason for the end that the explorer itself cannot detect. */
    public Report endedBy(End how) {
      return new Report(schedules, known, states, time, how, found);
    }

    /** Returns the number of schedules per second. */
    public double perSecond() {
      return time.isZero() ? 0 : schedules * 1e9 / time.toNanos();
    }
  }

  private final Scenario scenario;
  private final Supplier<Footprints> footprints;
  private final Strategy strategy;
  private final Settings settings;
  private final InstantSource clock;
  private final BooleanSupplier stop;
  private final Coverage coverage = new Coverage();
  private final ScheduleRunner runner;
  private final Instant begun;

  // guarded by this
  private long schedules;
  private long known;
  private End end = End.NONE;
  private @Nullable Instant ended;
  private final List<Found> found = new ArrayList<>();

  /**
   * Creates an explorer, and begins to measure its time.
   *
   * @param stop returns whether to stop; called between steps, on any thread
   */
  public Explorer(
      Scenario scenario,
      Strategy strategy,
      Settings settings,
      InstantSource clock,
      BooleanSupplier stop) {
    this(scenario, KnownFootprints::new, strategy, settings, clock, stop);
  }

  Explorer(
      Scenario scenario,
      Supplier<Footprints> footprints,
      Strategy strategy,
      Settings settings,
      InstantSource clock,
      BooleanSupplier stop) {
    this.scenario = scenario;
    this.footprints = footprints;
    this.strategy = strategy;
    this.settings = settings;
    this.clock = clock;
    this.stop = stop;
    this.begun = clock.instant();
    this.runner = runner(stop);
  }

  private ScheduleRunner runner(BooleanSupplier stopped) {
    return new ScheduleRunner(
        scenario, footprints, settings.earlyTimers(), settings.maxSteps(), stopped);
  }

  /** Returns the states seen so far. Thread-safe. */
  public Coverage states() {
    return coverage;
  }

  /** Returns the current state. Thread-safe. */
  public synchronized Report report() {
    Instant until = ended == null ? clock.instant() : ended;
    return new Report(
        schedules, known, coverage.size(), Duration.between(begun, until), end, List.copyOf(found));
  }

  /**
   * Runs schedules until the exploration ends. To be called once.
   *
   * @param progress called after each run, on this thread
   * @throws ScenarioException if the scenario cannot be explored
   */
  public Report explore(Consumer<Report> progress) {
    End how = End.NONE;
    try (Workers workers = new Workers(runner, settings.jobs())) {
      while (how == End.NONE) {
        End noMore = begin(workers);
        if (workers.inFlight() == 0) {
          how = noMore;
        } else {
          how = end(workers);
          progress.accept(report());
        }
      }
    }
    synchronized (this) {
      end = how;
      ended = clock.instant();
    }
    return report();
  }

  /**
   * Begins as many runs as possible.
   *
   * @return the reason why no further run can begin; {@link End#NONE} if one may begin later
   */
  private End begin(Workers workers) {
    End noMore = End.NONE;
    while (noMore == End.NONE
        && workers.haveRoom()
        && (workers.inFlight() == 0 || !strategy.awaits())) {
      noMore = endBeforeRun(workers.inFlight());
      Chooser chooser = noMore == End.NONE ? strategy.next() : null;
      if (chooser != null) {
        workers.begin(chooser);
      } else if (noMore == End.NONE) {
        noMore = strategy.isExhausted() ? End.EXHAUSTED : End.TOO_LONG;
      }
    }
    return noMore;
  }

  private synchronized End endBeforeRun(int inFlight) {
    Duration limit = settings.time();
    if (stop.getAsBoolean()) {
      return End.INTERRUPTED;
    }
    if (limit != null && Duration.between(begun, clock.instant()).compareTo(limit) >= 0) {
      return End.TIME;
    }
    return schedules + inFlight >= settings.schedules() && !strategy.isExhausted()
        ? End.SCHEDULES
        : End.NONE;
  }

  private End end(Workers workers) {
    Workers.Run run;
    try {
      run = workers.take();
    } catch (DfsStrategy.NotRepeatableException differs) {
      throw new ScenarioException(String.valueOf(differs.getMessage()));
    }
    Execution execution = run.execution();
    coverage.addAll(run.states());
    if (execution.end() == Execution.End.STOPPED) {
      return End.INTERRUPTED;
    }
    strategy.ran(execution);
    boolean foreign = strategy.isForeign();
    Finding finding = foreign ? null : execution.finding();
    synchronized (this) {
      if (foreign || execution.end() == Execution.End.KNOWN) {
        known++;
      } else {
        schedules++;
      }
    }
    if (finding == null || countAgain(finding)) {
      return End.NONE;
    }
    if (!settings.keepGoing()) {
      workers.close(); // current runs are no longer needed, and would slow down the simplification
    }
    add(execution, finding);
    return settings.keepGoing() ? End.NONE : End.FINDING;
  }

  /** Returns whether the finding is known; if so, counts it once more. */
  private synchronized boolean countAgain(Finding finding) {
    for (int i = 0; i < found.size(); i++) {
      Found before = found.get(i);
      if (before.finding.isSameAs(finding)) {
        found.set(i, before.andTimes(1));
        return true;
      }
    }
    return false;
  }

  private void add(Execution execution, Finding finding) {
    // runs of the simplification do not count as part of the exploration
    ScheduleRunner apart = runner(stop);
    boolean endless = finding.kind() == Finding.Kind.LIVELOCK; // each run is long
    Shrinker shrinker =
        new Shrinker(
            apart::run,
            endless ? Math.min(ENDLESS_RUNS, settings.shrinkRuns()) : settings.shrinkRuns());
    Execution simplest = shrinker.shrink(execution);
    Replay replay = Replay.of(simplest, settings.earlyTimers());
    if (!stop.getAsBoolean()) {
      Finding again = apart.run(Replay.parse(replay.text()).chooser()).finding();
      if (!stop.getAsBoolean() && (again == null || !again.isSameAs(finding))) {
        throw new ScenarioException(
            "the scenario is not deterministic: the same schedule first led to %s, then to %s"
                .formatted(
                    finding.kind().label(), again == null ? "no finding" : again.kind().label()));
      }
    }
    Finding shown = simplest.finding();
    synchronized (this) {
      found.add(
          new Found(
              shown == null ? finding : shown,
              strategy.numberOf(schedules),
              1,
              execution.cost(),
              Interleaving.of(simplest),
              shrinker.runs(),
              replay));
    }
  }

  /**
   * Runs the simplest schedule of a finding once more, with a trace listener.
   *
   * @throws CancellationException if the run was stopped before its end
   */
  public void trace(Found of, TraceListener listener) {
    if (runner.run(of.replay.chooser(), listener).end() == Execution.End.STOPPED) {
      throw new CancellationException("interrupted");
    }
  }
}
