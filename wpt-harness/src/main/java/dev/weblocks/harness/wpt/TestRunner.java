package dev.weblocks.harness.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.TraceListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  private sealed interface Ending {
    record Completed() implements Ending {}

    record OutOfTime() implements Ending {}

    record Failed(HarnessStatus status, String message) implements Ending {}
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

  /** Time between two looks for an unused processor. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Maximum number of real-time checks of a test in virtual time. */
  private static final int MAX_LOOKS = 10;

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
    Run run = new Run(tests.stream().filter(WptTest::supported).toList(), listener);
    for (int i = 0; i < settings.jobs(); i++) {
      executor.execute(run::next);
    }
    if (settings.mostJobs() > settings.jobs()) {
      run.lookForMore();
    }
    return run;
  }

  private final class Run implements Running {
    private final Queue<Flight> flights = new ConcurrentLinkedQueue<>();
    private final List<WptTest> tests;
    private final Iterator<WptTest> waiting;
    private final RunListener listener;
    private final Map<WptTest, TestResult> done = new HashMap<>();
    private final CompletableFuture<List<TestResult>> results = new CompletableFuture<>();
    private int started;
    private boolean stopped;

    Run(List<WptTest> tests, RunListener listener) {
      this.tests = tests;
      this.waiting =
          settings.longFirst()
              ? tests.stream()
                  .sorted(Comparator.comparing(WptTest::timeout, Comparator.reverseOrder()))
                  .iterator()
              : tests.iterator();
      this.listener = listener;
      boolean unused = completeIfOver(); // without tests
    }

    void next() {
      guarded(() -> {
        WptTest test;
        synchronized (this) {
          if (results.isDone()
              || stopped
              || !waiting.hasNext()
              || started - done.size() >= settings.mostJobs()) {
            return;
          }
          test = waiting.next();
          started++;
          listener.started(test);
        }
        Flight flight = new Flight(test, this);
        flights.add(flight);
        flight.start();
      });
    }

    /** Starts a further test from time to time, while the others wait. */
    void lookForMore() {
      Timers.Timer unused =
          timers.schedule(
              LOOK,
              () ->
                  guarded(() -> {
                    if (!results.isDone()) {
                      if (settings.idle().getAsBoolean()) {
                        executor.execute(this::next);
                      }
                      lookForMore();
                    }
                  }));
    }

    private synchronized boolean isBelow(int jobs) {
      return started - done.size() < jobs;
    }

    /** Runs an action whose exceptions would otherwise be lost; an exception ends the run. */
    void guarded(Runnable action) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    }

    /** Ends the run because of a failure of the harness, not of a test. */
    @Nullable Void failed(Throwable cause) {
      results.completeExceptionally(cause);
      return null;
    }

    @Override
    public CompletionStage<List<TestResult>> results() {
      return results.minimalCompletionStage();
    }

    @Override
    public Map<String, String> locks() {
      Map<String, String> locks = new LinkedHashMap<>();
      flights.forEach(flight -> {
        String text = flight.locks();
        if (!text.isEmpty()) {
          locks.put(flight.test.id(), text);
        }
      });
      return locks;
    }

    void finished(TestResult result) {
      synchronized (this) {
        done.put(result.test(), result);
        listener.finished(result);
        stopped |= listener.isEnough(result);
      }
      if (!completeIfOver() && (isBelow(settings.jobs()) || settings.idle().getAsBoolean())) {
        executor.execute(this::next);
      }
    }

    private boolean completeIfOver() {
      List<TestResult> all;
      synchronized (this) {
        if (done.size() < (stopped ? started : tests.size())) {
          return false;
        }
        all = tests.stream().map(done::get).filter(Objects::nonNull).toList();
      }
      return results.complete(all);
    }
  }

  /**
   * One test in progress. Its first {@link Ending} decides the result, unless the page cannot be
   * closed. The result is reported after the page is closed, or after the stop limit.
   */
  private final class Flight implements Browser.PageListener {
    private final WptTest test;
    private final Run run;
    private final Stage stage;
    private final ResultCollector collector;
    private final Instant opened;
    private final Duration limit;
    private final AtomicBoolean decided = new AtomicBoolean();
    private final AtomicBoolean reported = new AtomicBoolean();
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final List<Timers.Timer> pending = new ArrayList<>();

    /** For a page in virtual time, a real-time timer that detects a step that does not end. */
    private volatile Timers.Timer guard = () -> {};

    private final CompletableFuture<Browser.OpenPage> page = new CompletableFuture<>();
    private volatile @Nullable String locksAtTimeout;

    Flight(WptTest test, Run run) {
      this.test = test;
      this.run = run;
      this.stage = stages.apply(test);
      this.collector = new ResultCollector(test.url(), () -> decide(new Ending.Completed()));
      this.opened = clock.instant();
      double nanos = test.timeout().duration().toNanos() * settings.timeoutFactorOf(test);
      this.limit = Duration.ofNanos((long) nanos).plus(settings.margin());
    }

    void start() {
      setTimer(limit, () -> decide(new Ending.OutOfTime()));
      if (stage.isVirtual()) {
        guard(1, stage.steps());
      }
      // Pages of other kinds load their reporting script themselves.
      List<PreloadScript> reporters =
          test.kind() == TestKind.CRASHTEST ? List.of(ReportScript.ofCrashtests()) : List.of();
      try {
        page.complete(
            stage.browser().open(test.url(), reporters, servers.of(test, collector, stage), this));
      } catch (RuntimeException | Error e) {
        page.complete(() -> {});
        crashed(e);
      }
    }

    private void setTimer(Duration delay, Runnable action) {
      Timers.Timer timer = stage.timers().schedule(delay, () -> run.guarded(action));
      synchronized (pending) {
        pending.add(timer);
      }
      if (decided.get()) {
        timer.cancel();
      }
    }

    @Override
    public void loaded() {
      if (!collector.snapshot().loaded() && !decided.get()) {
        run.guarded(() -> setTimer(settings.margin(), this::failWithoutHarness));
      }
    }

    private void failWithoutHarness() {
      if (!collector.snapshot().loaded()) {
        fail(HarnessStatus.ERROR, "the page has loaded, but its test harness never ran");
      }
    }

    @Override
    public void loadFailed(Throwable cause) {
      fail(HarnessStatus.ERROR, "the page did not load: " + describe(cause));
    }

    @Override
    public void ended() {
      // Its final messages may still be in flight.
      if (!decided.get()) {
        Ending ended =
            new Ending.Failed(HarnessStatus.ERROR, "the page ended before its tests were complete");
        run.guarded(() -> setTimer(settings.margin(), () -> decide(ended)));
      }
    }

    @Override
    public void uncaughtError(String description) {
      firstError.compareAndSet(null, description);
    }

    @Override
    public void preloadFailed(String description) {
      fail(HarnessStatus.ERROR, "a preload script failed: " + description);
    }

    @Override
    public @Nullable TraceListener trace() {
      return run.listener.trace(test);
    }

    @Override
    public void crashed(Throwable cause) {
      fail(HarnessStatus.CRASH, "the user agent failed: " + describe(cause));
    }

    private void fail(HarnessStatus status, String message) {
      decide(new Ending.Failed(status, message));
    }

    private void decide(Ending ending) {
      if (!decided.compareAndSet(false, true)) {
        return;
      }
      guard.cancel();
      synchronized (pending) {
        pending.forEach(Timers.Timer::cancel);
      }
      Duration duration = Duration.between(opened, clock.instant());
      run.guarded(() -> stage.decided(() -> end(ending, duration)));
    }

    /**
     * Checks in real time, once per time limit of the test, whether steps in virtual time end. Ends
     * the test if no step has ended since the last check, or after {@link #MAX_LOOKS} checks.
     */
    private void guard(int looks, long seen) {
      guard =
          timers.schedule(
              limit,
              () ->
                  run.guarded(() -> {
                    long now = stage.steps();
                    if (now == seen) {
                      giveUp("a step has not ended within " + seconds(limit));
                    } else if (looks == MAX_LOOKS) {
                      giveUp("not decided within " + seconds(limit.multipliedBy(looks)));
                    } else {
                      guard(looks + 1, now);
                    }
                  }));
      if (decided.get()) {
        guard.cancel();
      }
    }

    /** Ends the test with a timeout; keeps the page's timers, because a step may be running. */
    private void giveUp(String why) {
      if (!decided.compareAndSet(false, true)) {
        return;
      }
      stage.decided(() -> {});
      end(
          new Ending.Failed(HarnessStatus.TIMEOUT, why + " of real time"),
          Duration.between(opened, clock.instant()));
    }

    private void end(Ending ending, Duration duration) {
      run.guarded(() -> {
        // Not on this thread: closing may wait for it.
        CompletableFuture<Void> unused =
            page.thenAcceptAsync(openPage -> close(openPage, ending, duration), executor)
                .exceptionally(run::failed);
      });
    }

    String locks() {
      return page.isDone() ? page.join().locks() : "";
    }

    private void close(Browser.OpenPage openPage, Ending ending, Duration duration) {
      noteLocks(ending);
      Ending stuck =
          new Ending.Failed(
              HarnessStatus.CRASH, "the user agent has not stopped within " + settings.stopLimit());
      Timers.Timer stopTimer =
          timers.schedule(settings.stopLimit(), () -> run.guarded(() -> report(stuck, duration)));
      Ending last = ending;
      try {
        openPage.close();
      } catch (RuntimeException | Error e) {
        last =
            new Ending.Failed(
                HarnessStatus.CRASH, "the user agent failed while closing: " + describe(e));
      }
      stopTimer.cancel();
      report(last, duration);
    }

    /** Stores the locks of a test that timed out, because they may explain it. */
    private void noteLocks(Ending ending) {
      boolean late =
          ending instanceof Ending.OutOfTime
              || collector
                  .snapshot()
                  .completion()
                  .filter(completion -> completion.status() == HarnessStatus.TIMEOUT)
                  .isPresent();
      String text = late ? locks() : "";
      if (!text.isEmpty()) {
        locksAtTimeout = "locks:\n" + text;
      }
    }

    private void report(Ending ending, Duration duration) {
      if (reported.compareAndSet(false, true)) {
        run.flights.remove(this);
        run.finished(result(ending, duration));
      }
    }

    private TestResult result(Ending ending, Duration duration) {
      ResultCollector.Snapshot seen = collector.snapshot();
      List<String> notes = new ArrayList<>(seen.notes());
      String locks = locksAtTimeout;
      if (locks != null) {
        notes.add(locks);
      }
      List<SubtestResult> subtests = new ArrayList<>();
      if (seen.completion().isPresent()) {
        subtests.addAll(seen.completion().get().subtests());
      } else {
        subtests.addAll(seen.finished());
        seen.unfinished()
            .forEach((name, begun) ->
                subtests.add(
                    new SubtestResult(
                        name, begun ? SubtestStatus.TIMEOUT : SubtestStatus.NOTRUN, null)));
      }
      HarnessStatus status;
      String message;
      switch (ending) {
        case Ending.Completed() -> {
          ResultCollector.Completion completion = seen.completion().orElseThrow();
          status = completion.status();
          message = completion.message();
          boolean failed =
              status != test.kind().success()
                  || subtests.stream().anyMatch(s -> s.status() != SubtestStatus.PASS);
          // The page has reported its uncaught errors itself.
          String explanation = failed ? explained(message, null, notes) : message;
          return new TestResult(test, status, explanation, subtests, duration);
        }
        case Ending.OutOfTime() -> {
          status = HarnessStatus.TIMEOUT;
          message =
              (seen.loaded() ? "the page was not complete" : "the test harness never ran")
                  + " within "
                  + seconds(limit);
        }
        case Ending.Failed(HarnessStatus failedStatus, String failedMessage) -> {
          status = failedStatus;
          message = failedMessage;
        }
      }
      String explanation = explained(message, firstError.get(), notes);
      return new TestResult(test, status, explanation, subtests, duration);
    }
  }

  private static @Nullable String explained(
      @Nullable String message, @Nullable String uncaughtError, List<String> notes) {
    List<String> parts = new ArrayList<>();
    Stream.ofNullable(message).forEach(parts::add);
    Stream.ofNullable(uncaughtError).map(error -> "uncaught: " + error).forEach(parts::add);
    parts.addAll(notes);
    if (parts.isEmpty()) {
      return null;
    }
    // The first lines of all parts form the first line, which summaries show.
    List<String> heads = new ArrayList<>();
    StringBuilder rest = new StringBuilder();
    for (String part : parts) {
      int end = part.indexOf('\n');
      heads.add(end < 0 ? part : part.substring(0, end));
      rest.append(end < 0 ? "" : part.substring(end));
    }
    return String.join("; ", heads) + rest;
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() / 1000.0 + " s";
  }

  private static String describe(Throwable cause) {
    String message = cause.getMessage();
    return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
