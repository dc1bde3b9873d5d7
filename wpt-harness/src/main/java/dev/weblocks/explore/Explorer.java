package dev.weblocks.explore;

import dev.weblocks.embed.TraceListener;
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
 * Explores a scenario: runs schedules as a strategy chooses them, up to a finding or a limit, and
 * makes each finding as simple as it can be. {@link #report()} from any thread, all else from one.
 */
public final class Explorer {

  /**
   * How far to go.
   *
   * @param schedules how many at most; what is broken off because it is known does not count
   * @param time for how long; null for any time. A finding is made simpler beyond that
   * @param maxSteps how many a run may have
   * @param keepGoing whether to go on behind a finding
   * @param earlyTimers whether time may go on while there is work
   * @param shrinkRuns how many runs may be spent on making one finding simpler
   * @param jobs how many runs there may be at once, at least 1; what is found does not depend on it
   */
  public record Settings(
      long schedules,
      @Nullable Duration time,
      int maxSteps,
      boolean keepGoing,
      boolean earlyTimers,
      int shrinkRuns,
      int jobs) {}

  private static final int ENDLESS_RUNS = 5;

  /** Why an exploration is over. */
  public enum End {
    /** It is not. */
    NONE,
    FINDING,
    /** All schedules were run. */
    EXHAUSTED,
    /** All schedules were run, some of them not to their end. */
    TOO_LONG,
    SCHEDULES,
    TIME,
    INTERRUPTED,
    /** A step of a run does not end. */
    STUCK,
    /** A run could not go on, which says nothing about the scenario. */
    FAILED
  }

  /**
   * A finding.
   *
   * @param finding of the simplest run
   * @param schedule the number of the schedule that was the first one to lead to it, from 1
   * @param times how many schedules have led to it
   * @param first of that schedule
   * @param simplest what it was made
   * @param shrinkRuns how many runs that took
   * @param replay repeats the simplest run
   */
  public record Found(
      Finding finding,
      long schedule,
      long times,
      Interleaving first,
      Interleaving simplest,
      int shrinkRuns,
      Replay replay) {}

  /**
   * What is known by now.
   *
   * @param schedules that were run to their end, or to a finding
   * @param known runs that were broken off since what would have followed was known
   * @param states distinct ones seen
   * @param time since the beginning
   */
  public record Report(
      long schedules, long known, int states, Duration time, End end, List<Found> found) {

    /** The same with an end that the explorer does not see itself. */
    public Report endedBy(End how) {
      return new Report(schedules, known, states, time, how, found);
    }

    /** Schedules in a second. */
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
   * Makes one, whose time begins now.
   *
   * @param stop whether the user wants an end; asked between steps, from any thread
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

  /** What is known by now. Any thread. */
  public synchronized Report report() {
    Instant until = ended == null ? clock.instant() : ended;
    return new Report(
        schedules, known, coverage.size(), Duration.between(begun, until), end, List.copyOf(found));
  }

  /**
   * Explores; once.
   *
   * @param progress told after each run, on this thread
   * @throws ScenarioException if the scenario cannot be explored
   */
  public Report explore(Consumer<Report> progress) {
    End how = End.NONE;
    try (Workers workers = new Workers(runner, settings.jobs())) {
      while (how == End.NONE) {
        End noMore = begin(workers);
        if (workers.underWay() == 0) {
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
   * Begins as many runs as can be under way.
   *
   * @return why there is no other one to begin; nothing if there may be
   */
  private End begin(Workers workers) {
    End noMore = End.NONE;
    while (noMore == End.NONE
        && workers.haveRoom()
        && (workers.underWay() == 0 || !strategy.awaits())) {
      noMore = endBeforeRun(workers.underWay());
      Chooser chooser = noMore == End.NONE ? strategy.next() : null;
      if (chooser != null) {
        workers.begin(chooser);
      } else if (noMore == End.NONE) {
        noMore = strategy.isExhausted() ? End.EXHAUSTED : End.TOO_LONG;
      }
    }
    return noMore;
  }

  private synchronized End endBeforeRun(int underWay) {
    Duration limit = settings.time();
    if (stop.getAsBoolean()) {
      return End.INTERRUPTED;
    }
    if (limit != null && Duration.between(begun, clock.instant()).compareTo(limit) >= 0) {
      return End.TIME;
    }
    return schedules + underWay >= settings.schedules() && !strategy.isExhausted()
        ? End.SCHEDULES
        : End.NONE;
  }

  /** Sees what came of the oldest run that is under way. */
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
    Finding finding = execution.finding();
    synchronized (this) {
      if (execution.end() == Execution.End.KNOWN) {
        known++;
      } else {
        schedules++;
      }
    }
    if (finding == null || countAgain(finding)) {
      return End.NONE;
    }
    if (!settings.keepGoing()) {
      workers.close(); // what is under way comes too late, and would slow down what follows
    }
    add(execution, finding);
    return settings.keepGoing() ? End.NONE : End.FINDING;
  }

  /** Whether it was found before; then it is counted. */
  private synchronized boolean countAgain(Finding finding) {
    for (int i = 0; i < found.size(); i++) {
      Found before = found.get(i);
      if (before.finding.isSameAs(finding)) {
        found.set(
            i,
            new Found(
                before.finding,
                before.schedule,
                before.times + 1,
                before.first,
                before.simplest,
                before.shrinkRuns,
                before.replay));
        return true;
      }
    }
    return false;
  }

  private void add(Execution execution, Finding finding) {
    // what is tried here is no part of the exploration
    ScheduleRunner apart = runner(stop);
    boolean endless = finding.kind() == Finding.Kind.LIVELOCK; // each run takes long
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
            "the scenario does not repeat itself: the same schedule led to "
                + finding.kind().label()
                + " once, and to "
                + (again == null ? "nothing" : again.kind().label())
                + " then");
      }
    }
    Finding shown = simplest.finding();
    synchronized (this) {
      found.add(
          new Found(
              shown == null ? finding : shown,
              schedules,
              1,
              Interleaving.of(execution),
              Interleaving.of(simplest),
              shrinker.runs(),
              replay));
    }
  }

  /**
   * Runs the simplest schedule of a finding once more, for somebody who wants to see its steps.
   *
   * @throws CancellationException if the user wanted an end before it was over
   */
  public void trace(Found of, TraceListener listener) {
    if (runner.run(of.replay.chooser(), listener).end() == Execution.End.STOPPED) {
      throw new CancellationException("interrupted");
    }
  }
}
