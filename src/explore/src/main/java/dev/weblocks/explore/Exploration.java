package dev.weblocks.explore;

import dev.weblocks.explore.ExplorationReport.Problem;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.Replay;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.ScenarioException;
import dev.weblocks.explore.schedule.Strategy;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.explore.trace.Names;
import dev.weblocks.explore.trace.Recording;
import dev.weblocks.explore.trace.TraceFormat;
import dev.weblocks.explore.trace.TraceOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A scene that is run in many orders of its steps, up to a finding. Each order is a run from the
 * beginning, with a new {@link Scene}. {@link Explore} does this in a JUnit test. Not thread-safe.
 *
 * {@snippet file="dev/weblocks/explore/ExploreExampleTest.java" region="api"}
 */
public final class Exploration {

  /** Code that sets up a scene. */
  @FunctionalInterface
  public interface SetUp {

    /**
     * Adds the agents of a run, the Java functions that they call, and checks. Called once for each
     * order, on a thread of the exploration, and never concurrently. Must make all state that the
     * scripts change.
     */
    void run(Scene scene) throws Throwable;
  }

  /** The time for a stopped step to end; after it, the thread is abandoned. */
  private static final Duration LAST_STEP = Duration.ofSeconds(5);

  /** The stack size of the thread, as for threads of drivers; deeply recursive scripts need it. */
  private static final long STACK_BYTES = 16L << 20;

  private final SetUp setUp;
  private Orders orders = Orders.RANDOM;
  private long seed = 1;
  private int depth = 3;
  private int preemptions = -1;
  private int schedules = 1_000;
  private int maxSteps = 10_000;
  private boolean earlyTimers;
  private Duration stepLimit = Duration.ofSeconds(10);
  private @Nullable Replay replay;

  private Exploration(SetUp setUp) {
    this.setUp = Objects.requireNonNull(setUp, "setUp");
  }

  /** Returns an exploration of 1,000 random orders with the seed 1. */
  public static Exploration of(SetUp setUp) {
    return new Exploration(setUp);
  }

  /** Explores orders in which each choice is drawn evenly; a seed draws the same orders again. */
  public Exploration random(long seed) {
    this.orders = Orders.RANDOM;
    this.seed = seed;
    return this;
  }

  /**
   * Explores orders by random priorities of the agents.
   *
   * @param depth the number of ordering constraints that a defect may need, at least 1
   */
  public Exploration priorities(long seed, int depth) {
    requireAtLeastOne("depth", depth);
    this.orders = Orders.PRIORITIES;
    this.seed = seed;
    this.depth = depth;
    return this;
  }

  /**
   * Explores all orders, but only one of those that differ merely in the order of independent
   * steps.
   *
   * @param preemptions how often an order may switch away from an agent that has work; negative for
   *     no limit
   */
  public Exploration all(int preemptions) {
    this.orders = Orders.ALL;
    this.preemptions = preemptions;
    return this;
  }

  /** Explores all orders, see {@link #all(int)}. */
  public Exploration all() {
    return all(-1);
  }

  /** Sets the maximum number of orders, at least 1; default is 1,000. */
  public Exploration schedules(int schedules) {
    requireAtLeastOne("schedules", schedules);
    this.schedules = schedules;
    return this;
  }

  /** Sets the maximum number of steps in an order; a run with more is a finding; default 10,000. */
  public Exploration maxSteps(int maxSteps) {
    requireAtLeastOne("maxSteps", maxSteps);
    this.maxSteps = maxSteps;
    return this;
  }

  /** Sets whether time may advance to the next timer while there is other work; default false. */
  public Exploration earlyTimers(boolean earlyTimers) {
    this.earlyTimers = earlyTimers;
    return this;
  }

  /**
   * Sets the real time after which a step is stopped, and the exploration fails; default is ten
   * seconds.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public Exploration stepLimit(Duration stepLimit) {
    if (stepLimit.isNegative() || stepLimit.isZero()) {
      throw new IllegalArgumentException("stepLimit is " + stepLimit + "; it must be positive");
    }
    this.stepLimit = stepLimit;
    return this;
  }

  /**
   * Runs only the order of a replay string. The scene must be the same as when it was printed.
   *
   * @throws IllegalArgumentException if the text is not a replay string
   */
  public Exploration replay(String text) {
    try {
      this.replay = Replay.parse(text);
    } catch (ReplayException wrong) {
      throw new IllegalArgumentException("replay '" + text + "' " + wrong.getMessage(), wrong);
    }
    return this;
  }

  private static void requireAtLeastOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be at least 1");
    }
  }

  /** Returns a description of the orders, such as {@code random orders, seed 1}. */
  public String described() {
    Replay only = replay;
    if (only != null) {
      return "replay " + only.text();
    }
    return switch (orders) {
      case RANDOM -> "random orders, seed " + seed;
      case PRIORITIES -> "priorities of depth " + depth + ", seed " + seed;
      case ALL ->
          "all orders"
              + (preemptions < 0
                  ? ""
                  : " with at most " + HarmlessText.count(preemptions, "preemption"));
    };
  }

  /**
   * Runs the orders until one has a finding.
   *
   * @throws ExplorationError if a step did not end in the {@linkplain #stepLimit limit}
   * @throws IllegalStateException if the replay string does not fit the scene, or the scene is not
   *     deterministic
   * @throws InterruptedException if the thread is interrupted; the exploration ends
   */
  public ExplorationReport run() throws InterruptedException {
    try (SharedEngine own = SharedEngine.create()) {
      return run(own);
    }
  }

  /**
   * Runs the orders, and fails at the first finding.
   *
   * @return the report, without a problem; exhausted if {@link #all} orders were requested
   * @throws ExplorationError at the first finding, with its text and replay string; or if {@link
   *     #all} orders were requested and not all were run; or as {@link #run} does
   * @throws IllegalStateException as {@link #run} does
   * @throws InterruptedException as {@link #run} does
   */
  public ExplorationReport check() throws InterruptedException {
    ExplorationReport report = run();
    check(report, "");
    return report;
  }

  void check(ExplorationReport report, String more) {
    Problem problem = report.problem();
    if (problem != null) {
      throw new ExplorationError(
          problem.text() + "\nreplay: " + problem.replay() + more, problem.cause());
    }
    if (orders == Orders.ALL && replay == null && !report.isExhausted()) {
      throw new ExplorationError(
          String.format(
              Locale.ROOT,
              "not all orders were run: the exploration has ended after %,d; raise schedules, or"
                  + " limit preemptions",
              report.schedules()),
          null);
    }
  }

  private Strategy strategy() {
    Replay only = replay;
    if (only != null) {
      return Strategy.replay(only);
    }
    return switch (orders) {
      case RANDOM -> Strategy.random(seed);
      case PRIORITIES -> Strategy.pct(seed, depth);
      case ALL -> Strategy.depthFirst(preemptions);
    };
  }

  private Explorer.Settings settings() {
    Replay only = replay;
    return only == null
        ? new Explorer.Settings(
            schedules, null, maxSteps, false, earlyTimers, Explorer.SHRINK_RUNS, 1)
        : Explorer.Settings.ofReplay(only, null, maxSteps, false);
  }

  /** Runs the orders with an engine that the caller closes. */
  ExplorationReport run(SharedEngine shared) throws InterruptedException {
    SceneScenario scenario = new SceneScenario(setUp, shared);
    CompletableFuture<Boolean> stop = new CompletableFuture<>();
    Explorer explorer =
        new Explorer(scenario, strategy(), settings(), Clock.systemUTC(), stop::isDone);
    CompletableFuture<ExplorationReport> work = new CompletableFuture<>();
    Thread unused =
        daemon(
            "weblocks-explore",
            () -> {
              try {
                work.complete(report(explorer, scenario));
              } catch (Throwable failure) {
                work.completeExceptionally(failure);
              }
            });
    try {
      return await(work, scenario);
    } finally {
      if (!work.isDone()) {
        stop.complete(true);
        end(work, scenario);
      }
    }
  }

  private static Thread daemon(String name, Runnable code) {
    return Thread.ofPlatform().daemon().name(name).stackSize(STACK_BYTES).start(code);
  }

  private ExplorationReport await(CompletableFuture<ExplorationReport> work, SceneScenario scenario)
      throws InterruptedException {
    while (true) {
      long before = scenario.turn();
      try {
        return work.get(stepLimit.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        if (before != 0 && scenario.turn() == before) {
          throw new ExplorationError(
              "a step of "
                  + scenario.actor()
                  + " has not ended within "
                  + stepLimit.toMillis() / 1e3
                  + " s; look for an endless loop in its script, or raise the limit",
              null);
        }
      } catch (ExecutionException failure) {
        throw thrown(failure.getCause());
      }
    }
  }

  /**
   * Stops the script in a thread of its own, because Java code that it called may block forever.
   */
  private static void end(CompletableFuture<ExplorationReport> work, SceneScenario scenario) {
    Thread unused = daemon("weblocks-explore-stop", scenario::stopScript);
    try {
      Object unusedResult =
          work.handle((report, failure) -> true).get(LAST_STEP.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException abandoned) {
      // a daemon, which ends with the JVM
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static RuntimeException thrown(@Nullable Throwable failure) {
    return switch (failure) {
      case SceneScenario.SetUpException wrapped ->
          Exploration.<RuntimeException>asUnchecked(Objects.requireNonNull(wrapped.getCause()));
      case ReplayException wrong ->
          new IllegalStateException("the replay string " + wrong.getMessage(), wrong);
      case ScenarioException wrong -> new IllegalStateException(wrong.getMessage(), wrong);
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      case null, default -> new IllegalStateException(failure);
    };
  }

  /** Throws an exception of the set-up as it is: a failed assumption has a meaning to JUnit. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException asUnchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  private ExplorationReport report(Explorer explorer, SceneScenario scenario) throws IOException {
    Explorer.Report report = explorer.explore(progress -> {});
    return new ExplorationReport(
        report.schedules(),
        report.known(),
        report.states(),
        report.end() == Explorer.End.EXHAUSTED,
        report.found().isEmpty() ? null : problem(report.found().getFirst(), explorer, scenario));
  }

  private Problem problem(Explorer.Found found, Explorer explorer, SceneScenario scenario)
      throws IOException {
    String kind = found.finding().kind().label();
    StringWriter page = new StringWriter();
    try (TraceOutput output = new TraceOutput(TraceFormat.HTML, page);
        Recording recording =
            output.record(
                kind + ", simplest order of steps",
                "replay " + found.replay().text(),
                Names.PLAIN)) {
      explorer.trace(found, recording);
    }
    String text =
        (replay != null
                ? kind + ", replayed\n" + found.finding().text()
                : String.format(
                    Locale.ROOT,
                    "%s in order %,d of %s\n%s\n%s",
                    kind,
                    found.schedule(),
                    described(),
                    found.finding().text(),
                    found.minimized()))
            + "\n"
            + String.join("\n", found.simplest().lines());
    return new Problem(
        found.finding().kind(),
        HarmlessText.lines(text),
        found.replay().text(),
        page.toString(),
        scenario.thrown());
  }
}
