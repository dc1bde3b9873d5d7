package dev.weblocks.harness.wpt;

import dev.weblocks.embed.ResourceLoader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The runner of tests, several at a time, each in its own browser page. A page has its own timer in
 * {@code testharness.js}. The runner's watchdog waits longer by a margin, so it fires only if the
 * page itself cannot report the timeout.
 */
public final class TestRunner {

  /**
   * The settings of a runner.
   *
   * @param jobs number of concurrent tests, at least 1
   * @param mostJobs number of concurrent tests while {@code idle}, at least {@code jobs}
   * @param idle whether the tests in progress leave a processor unused
   * @param timeoutFactor multiplies WPT's timeouts
   * @param hopeless tests that are expected to time out; their factor is at most 1
   * @param margin additional time of the watchdog after the page's own timer; also the maximum time
   *     between the load of a page and the start of its test harness
   * @param stopLimit maximum time for a page to close; then the runner continues without waiting
   * @param longFirst whether tests with a long timeout start first, so that none of them runs alone
   *     at the end
   */
  public record Settings(
      int jobs,
      int mostJobs,
      BooleanSupplier idle,
      double timeoutFactor,
      Predicate<WptTest> hopeless,
      Duration margin,
      Duration stopLimit,
      boolean longFirst) {

    public Settings {
      if (jobs < 1) {
        throw new IllegalArgumentException("jobs is " + jobs + ": at least 1 is needed");
      }
      if (!(timeoutFactor > 0) || Double.isInfinite(timeoutFactor)) {
        throw new IllegalArgumentException(
            "timeoutFactor is " + timeoutFactor + ": a positive number is needed");
      }
    }

    /** Returns settings with a margin of 5 s and a stop limit of 30 s. */
    public static Settings of(int jobs, double timeoutFactor) {
      return of(jobs, timeoutFactor, test -> false);
    }

    /** Returns settings with a margin of 5 s, a stop limit of 30 s and some hopeless tests. */
    public static Settings of(int jobs, double timeoutFactor, Predicate<WptTest> hopeless) {
      return new Settings(
          jobs,
          jobs,
          () -> false,
          timeoutFactor,
          hopeless,
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          false);
    }

    /** Returns a copy that runs more tests at once while the others only wait. */
    public Settings withMoreJobs(int most, BooleanSupplier whileIdle) {
      return new Settings(
          jobs, most, whileIdle, timeoutFactor, hopeless, margin, stopLimit, longFirst);
    }

    /** Returns a copy that starts tests with a long timeout first, or in the given order. */
    public Settings withLongFirst(boolean first) {
      return new Settings(jobs, mostJobs, idle, timeoutFactor, hopeless, margin, stopLimit, first);
    }

    /** Returns the factor for the timeouts of a test; the page's own timers need it, too. */
    public double timeoutFactorOf(WptTest test) {
      return hopeless.test(test) ? Math.min(1, timeoutFactor) : timeoutFactor;
    }
  }

  /** A factory for the servers of tests. */
  @FunctionalInterface
  public interface Servers {
    /**
     * Returns the server of one test.
     *
     * @param collector receives the page's reports
     * @param stage provides the timers for delayed answers
     */
    ResourceLoader of(WptTest test, ResultCollector collector, Stage stage);
  }

  private final Function<WptTest, Stage> stages;
  private final Servers servers;
  private final Timers timers;
  private final InstantSource clock;
  private final Executor executor;
  private final Settings settings;

  /**
   * Creates a runner with a stage and a server for each test. It closes none of its arguments.
   *
   * @param timers for real time, to detect pages that never stop
   * @param clock measures the duration of tests
   * @param executor for opening and closing pages, which may block; one thread per job is enough
   */
  public TestRunner(
      Function<WptTest, Stage> stages,
      Servers servers,
      Timers timers,
      InstantSource clock,
      Executor executor,
      Settings settings) {
    this.stages = stages;
    this.servers = servers;
    this.timers = timers;
    this.clock = clock;
    this.executor = executor;
    this.settings = settings;
  }

  /** A run in progress. Thread-safe. */
  public interface Running {

    /**
     * Returns a completion stage of the results, in the order of the tests. It completes
     * exceptionally only if the listener, timers or servers fail; then no further test is started.
     */
    CompletionStage<List<TestResult>> results();

    /**
     * Returns the locks of the current tests, as lines, by test id, in the order in which the tests
     * began. Tests without locks are left out.
     */
    Map<String, String> locks();
  }

  /**
   * Starts to run the supported tests; the others are left out. If the listener stops the run, the
   * results contain only the tests that were started.
   */
  public Running start(List<WptTest> tests, RunListener listener) {
    TestRun run =
        new TestRun(
            tests.stream().filter(WptTest::supported).toList(),
            listener,
            settings,
            timers,
            executor,
            this::begin);
    run.begin();
    return run;
  }

  private TestInProgress begin(WptTest test, TestRun run) {
    return new TestInProgress(
        test, stages.apply(test), servers, run, settings, timers, clock, executor);
  }
}
