package dev.weblocks.harness.compare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weblocks.harness.compare.Workload.Kind;
import dev.weblocks.harness.compare.Workload.Unit;
import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of workloads in engines. An engine keeps one process, except for workloads that need a new
 * one for each round. Only one engine works at a time. For each workload, every engine is warmed up
 * first. Then the engines take turns round by round, so that other load on the machine affects all
 * engines alike. An engine that fails gets a new process for the next workload.
 */
public final class BenchmarkRun {

  /**
   * The settings of a run.
   *
   * @param rounds number of rounds of each workload in each engine
   * @param quick whether sizes are those of a quick run
   * @param quiet how long the times of a warm-up must not have fallen at its end
   * @param warmUp maximum time of that warm-up
   * @param bound time that a round should not exceed; slower engines get a smaller size
   * @param fewRounds minimum number of rounds for {@link Kind#ROUNDS}, maximum for other kinds
   * @param enough total time after which an engine runs no more rounds of a workload, if it has run
   *     the minimum number: {@code fewRounds} for {@link Kind#ROUNDS}, one for other kinds
   */
  public record Settings(
      int rounds,
      boolean quick,
      Duration quiet,
      Duration warmUp,
      Duration bound,
      int fewRounds,
      Duration enough) {

    /** Returns the settings of an ordinary run. */
    public static Settings full(int rounds) {
      return new Settings(
          rounds,
          false,
          Duration.ofSeconds(5),
          Duration.ofSeconds(25), // an optimising compiler on two slow cores needs all of it
          Duration.ofSeconds(8),
          FEW_ROUNDS,
          Duration.ofSeconds(5));
    }

    /** Returns the settings of a quick run. */
    public static Settings quick(int rounds) {
      return new Settings(
          rounds,
          true,
          Duration.ZERO,
          Duration.ofSeconds(2),
          Duration.ofSeconds(8),
          1,
          Duration.ofSeconds(8));
    }
  }

  /** A listener for progress, called on the thread that runs the benchmark. */
  public interface Listener {
    /** Called before an engine starts. */
    void starting(String engine);

    /** Called before a part of a workload, such as {@code round 1 of 3}, runs in an engine. */
    void working(Workload workload, String engine, String what);

    /** Called after a workload has run in all engines. */
    void done(Results.Row row);
  }

  private static final int FEW_ROUNDS = 3;
  private static final int COLD_ROUNDS = 3;
  private static final int GROWTH_BASE = 1000;
  private static final int GROWTH_BASE_ROUNDS = 25;
  private static final int FIRST_AGENTS = 10;

  private record Lap(double operations, double millis) {}

  private final class Runner {
    final Engine engine;
    private @Nullable Session session;

    Runner(Engine engine) {
      this.engine = engine;
    }

    Session session() throws EngineFailure, InterruptedException {
      Session current = session;
      if (current == null) {
        current = engine.start();
        session = current;
      }
      return current;
    }

    /** Runs a round. After a failure, the next round gets a new process. */
    Lap lap(Workload workload, int size, Duration bound)
        throws EngineFailure, InterruptedException {
      try {
        JsonNode lap = session().call(workload.name(), "round", size, bound);
        return new Lap(lap.path("operations").asDouble(), lap.path("ms").asDouble());
      } catch (EngineFailure | InterruptedException e) {
        close();
        throw e;
      }
    }

    /** Lets a workload discard the state that it keeps between rounds. */
    void finish(Workload workload) throws InterruptedException {
      if (session != null) {
        try {
          JsonNode unused = session.call(workload.name(), "done", 0, settings.bound());
        } catch (EngineFailure e) {
          close();
        }
      }
    }

    void close() {
      if (session != null) {
        session.close();
        session = null;
      }
    }
  }

  private static final class Course {
    final List<Double> figures = new ArrayList<>();
    long nanos; // total time of the measured rounds
    int wanted;
    int size;
    boolean startedAnew;
    boolean warm = true;
    String note = "";
    @Nullable String failure;

    @Nullable Score score() {
      return failure != null
          ? new Score.Failed(failure)
          : figures.isEmpty()
              ? null
              : new Score.Measured(Figures.of(figures), size, wanted, warm, note);
    }
  }

  @FunctionalInterface
  private interface Round {
    double run(Runner runner, Course course) throws EngineFailure, InterruptedException;
  }

  private final Settings settings;
  private final LongSupplier nanoTime;
  private final Listener listener;
  private volatile boolean stopped;

  /** Creates a run that has not begun. */
  public BenchmarkRun(Settings settings, LongSupplier nanoTime, Listener listener) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.listener = listener;
  }

  /** Makes {@link #run} return soon. The caller must also end the processes of the engines. */
  public void stop() {
    stopped = true;
  }

  /** Runs all workloads. To be called once. */
  public Results run(Engines engines, List<Workload> workloads) throws InterruptedException {
    Map<String, String> versions = new LinkedHashMap<>();
    List<Engines.LeftOut> leftOut = new ArrayList<>(engines.leftOut());
    List<Results.Row> rows = new ArrayList<>();
    List<Runner> runners = new ArrayList<>();
    try {
      for (Engine engine : engines.found()) {
        Runner runner = new Runner(engine);
        listener.starting(engine.name());
        try {
          versions.put(engine.name(), runner.session().version());
          runners.add(runner);
        } catch (EngineFailure e) {
          leftOut.add(new Engines.LeftOut(engine.name(), e.reason()));
        }
      }
      for (Workload workload : workloads) {
        if (stopped) {
          break;
        }
        Results.Row row = run(workload, runners);
        if (!row.scores().isEmpty()) {
          rows.add(row);
          listener.done(row);
        }
      }
    } finally {
      runners.forEach(Runner::close);
    }
    return new Results(versions, leftOut, rows, settings.quick(), settings.rounds(), !stopped);
  }

  private Results.Row run(Workload workload, List<Runner> runners) throws InterruptedException {
    Map<Runner, Course> courses = new LinkedHashMap<>();
    runners.stream()
        .filter(runner -> runner.engine.canRun(workload))
        .forEach(runner -> courses.put(runner, new Course()));
    courses.forEach((runner, course) -> {
      course.wanted = workload.sizeFor(runner.engine.isOwn(), settings.quick());
      course.size = course.wanted;
    });
    int rounds =
        workload.kind() == Kind.ROUNDS
            ? settings.rounds()
            : Math.min(settings.rounds(), settings.fewRounds());
    Round round =
        switch (workload.kind()) {
          case ROUNDS -> (runner, course) -> figure(workload, runner, course);
          case GROWTH -> (runner, course) -> growth(workload, runner, course);
          case FIRST_LOCK ->
              (runner, course) -> runner.engine.firstLock(settings.bound().multipliedBy(3));
          case MEMORY -> (runner, course) -> memory(workload, runner, course);
          case USE -> (runner, course) -> lastSecond(workload, runner, course);
        };
    for (Map.Entry<Runner, Course> each : courses.entrySet()) {
      attempt(
          workload,
          each.getKey(),
          each.getValue(),
          "warms up",
          () -> {
            switch (workload.kind()) {
              case ROUNDS -> warmUp(workload, each.getKey(), each.getValue());
              case GROWTH -> climb(workload, each.getKey(), each.getValue());
              case FIRST_LOCK -> {
                double unused = each.getKey().engine.firstLock(settings.bound().multipliedBy(3));
              }
              case MEMORY, USE -> {}
            }
          });
    }
    for (int i = 1; i <= rounds; i++) {
      String what = "round " + i + " of " + rounds;
      for (Map.Entry<Runner, Course> each : courses.entrySet()) {
        if (!hadEnough(workload, each.getValue())) {
          attempt(
              workload,
              each.getKey(),
              each.getValue(),
              what,
              () -> measure(workload, round, each.getKey(), each.getValue()));
        }
      }
    }
    Map<String, Score> scores = new LinkedHashMap<>();
    for (Map.Entry<Runner, Course> each : courses.entrySet()) {
      if (workload.kind() == Kind.ROUNDS && !stopped) {
        each.getKey().finish(workload);
      }
      Score score = each.getValue().score();
      if (score != null) {
        scores.put(each.getKey().engine.name(), score);
      }
    }
    return new Results.Row(workload, scores);
  }

  private boolean hadEnough(Workload workload, Course course) {
    int least = workload.kind() == Kind.ROUNDS ? settings.fewRounds() : 1;
    return course.figures.size() >= least && course.nanos >= settings.enough().toNanos();
  }

  /**
   * Measures a round. For kind {@link Kind#ROUNDS}, an engine that is too slow is restarted once,
   * warmed up and measured again, because a runtime that leaks memory slows down in a long run.
   */
  private void measure(Workload workload, Round round, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    try {
      measure(round, runner, course);
    } catch (EngineFailure e) {
      if (!e.isLate() || stopped || course.startedAnew || workload.kind() != Kind.ROUNDS) {
        throw e;
      }
      course.startedAnew = true;
      course.note = "restarted after: " + e.reason();
      warmUp(workload, runner, course);
      measure(round, runner, course);
    }
  }

  private void measure(Round round, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    long begin = nanoTime.getAsLong();
    course.figures.add(round.run(runner, course));
    course.nanos += nanoTime.getAsLong() - begin;
  }

  @FunctionalInterface
  private interface Attempt {
    void run() throws EngineFailure, InterruptedException;
  }

  private void attempt(
      Workload workload, Runner runner, Course course, String what, Attempt attempt)
      throws InterruptedException {
    if (course.failure != null || stopped) {
      return;
    }
    listener.working(workload, runner.engine.name(), what);
    try {
      attempt.run();
    } catch (EngineFailure e) {
      if (!stopped) {
        course.failure = e.reason();
      }
    }
  }

  private double figure(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    // An engine that was fast enough before may have to warm up again after a restart.
    Lap lap = runner.lap(workload, course.size, settings.bound().multipliedBy(3));
    return workload.unit().of(lap.operations(), lap.millis());
  }

  /** Finds a size that fits the bound; ends when times have settled or the maximum time is over. */
  private void warmUp(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    int wanted = course.size;
    int size = Math.max(1, wanted / 10);
    double bound = settings.bound().toMillis();
    double millis = coldTime(workload, runner, size);
    while (millis > bound && size > 1) {
      size = Math.max(1, size / 10);
      millis = coldTime(workload, runner, size);
    }
    List<Double> times = new ArrayList<>();
    boolean grows = size < wanted;
    long begin = nanoTime.getAsLong();
    long passed = 0;
    while (passed < settings.warmUp().toNanos()) {
      // An engine that was slow while cold may complete a larger size by now.
      if (grows && millis * wanted / size <= bound) {
        int next = Math.min(wanted, size * 10);
        double more = time(workload, runner, next);
        if (more > bound) { // more than proportional growth
          grows = false;
        } else {
          size = next;
          grows = size < wanted;
          millis = more;
          times.clear();
          times.add(millis);
        }
      } else if (!Figures.settled(times, settings.quiet().toMillis())) {
        millis = time(workload, runner, size);
        times.add(millis);
      } else {
        break;
      }
      passed = nanoTime.getAsLong() - begin;
    }
    course.size = size;
    setWarm(course, times);
  }

  private double lastSecond(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    List<Double> rates = runner.engine.locksPerSecond(workload.use(), course.size);
    if (course.size > 1) {
      setWarm(course, rates.stream().map(rate -> 1 / rate).toList());
    }
    return rates.getLast();
  }

  /** In a quick run, an engine whose times still fall gets no ratio. */
  private void setWarm(Course course, List<Double> times) {
    boolean settled = Figures.settled(times, 0);
    course.warm = settled || !settings.quick();
    if (!course.warm) {
      course.note = "not warm yet";
    } else if (!settled && times.size() > 2) {
      course.note = "its times were still falling";
    }
  }

  /**
   * Returns the shortest time of a few rounds. Stops early when ten times that time is within the
   * bound, because a round of ten times the size may then fit.
   */
  private double coldTime(Workload workload, Runner runner, int size)
      throws EngineFailure, InterruptedException {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < COLD_ROUNDS && best * 10 > settings.bound().toMillis(); i++) {
      best = Math.min(best, time(workload, runner, size));
    }
    return best;
  }

  /** Returns a round's milliseconds; infinity if, with preparation, it exceeds twice the bound. */
  private double time(Workload workload, Runner runner, int size)
      throws EngineFailure, InterruptedException {
    try {
      return runner.lap(workload, size, settings.bound().multipliedBy(2)).millis();
    } catch (EngineFailure e) {
      if (e.isLate() && !stopped) {
        return Double.POSITIVE_INFINITY;
      }
      throw e;
    }
  }

  /** Warms an engine up, and finds the longest queue that it handles in time. */
  private void climb(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    int most = course.size;
    course.size = GROWTH_BASE;
    int size = GROWTH_BASE;
    try {
      long begin = nanoTime.getAsLong();
      List<Double> times = new ArrayList<>();
      while (times.size() < GROWTH_BASE_ROUNDS
          || (nanoTime.getAsLong() - begin < settings.warmUp().toNanos()
              && !Figures.settled(times, settings.quiet().toMillis()))) {
        times.add(cost(workload, runner, size, settings.bound()) * size);
      }
      for (size = GROWTH_BASE * 10; size <= most; size *= 10) {
        double unused = cost(workload, runner, size, settings.bound().multipliedBy(4));
        course.size = size;
      }
    } catch (EngineFailure e) {
      String reason = String.format(Locale.ROOT, "%s with %,d in the queue", e.reason(), size);
      if (course.size == GROWTH_BASE || stopped) {
        throw new EngineFailure(reason);
      }
      course.note = reason;
    }
  }

  private double growth(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    Duration bound = settings.bound().multipliedBy(6);
    List<Double> few = new ArrayList<>();
    for (int i = 0; i < GROWTH_BASE_ROUNDS; i++) {
      few.add(cost(workload, runner, GROWTH_BASE, bound));
    }
    double base = Figures.of(few).median();
    double many = cost(workload, runner, course.size, bound);
    if (!course.note.contains(" µs ")) {
      course.note =
          String.format(
                  Locale.ROOT,
                  "%.1f µs with 1,000 in the queue, %.1f µs with %,d",
                  base * 1000,
                  many * 1000,
                  course.size)
              + (course.note.isEmpty() ? "" : "; " + course.note);
    }
    return many / base;
  }

  /** Runs a round, and returns its milliseconds per request. */
  private double cost(Workload workload, Runner runner, int size, Duration bound)
      throws EngineFailure, InterruptedException {
    Lap lap = runner.lap(workload, size, bound);
    return Unit.MILLIS.of(lap.operations(), lap.millis());
  }

  /** Measures the bytes per agent. Retries with fewer agents if the engine is too slow. */
  private double memory(Workload workload, Runner runner, Course course)
      throws EngineFailure, InterruptedException {
    while (true) {
      try (Session session = runner.engine.start()) {
        return memory(workload, session, course);
      } catch (EngineFailure e) {
        if (!e.isLate() || course.size < FIRST_AGENTS || stopped) {
          throw e;
        }
        course.size /= 4;
      }
    }
  }

  private double memory(Workload workload, Session session, Course course)
      throws EngineFailure, InterruptedException {
    Duration bound = settings.bound().multipliedBy(2);
    // The first agents also allocate everything that all agents share.
    JsonNode first = session.call(workload.name(), "round", FIRST_AGENTS, bound);
    session.collect(bound);
    long before = session.residentBytes();
    JsonNode others = session.call(workload.name(), "round", FIRST_AGENTS + course.size, bound);
    session.collect(bound);
    double each = (session.residentBytes() - before) / (double) course.size;
    if (each <= 0) {
      throw new EngineFailure(
          "its memory has not grown with " + course.size + " agents: too few to measure");
    }
    course.note = String.format(Locale.ROOT, "%,.0f agents in a GiB", (1L << 30) / each);
    return each;
  }
}
