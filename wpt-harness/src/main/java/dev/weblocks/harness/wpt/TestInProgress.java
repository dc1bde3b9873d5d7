package dev.weblocks.harness.wpt;

import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One test in progress, in a page of its own. Its first {@link TestEnding} decides the result,
 * unless the page cannot be closed. The result is reported after the page is closed, or after the
 * stop limit. Thread-safe.
 */
final class TestInProgress implements Browser.PageListener {

  /** Maximum number of real-time checks of a test in virtual time. */
  private static final int MAX_LOOKS = 10;

  private final WptTest test;
  private final Stage stage;
  private final TestRunner.Servers servers;
  private final TestRun run;
  private final TestRunner.Settings settings;
  private final Timers realTime;
  private final InstantSource clock;
  private final Executor executor;
  private final ResultCollector collector;
  private final Instant opened;
  private final Duration limit;
  private final AtomicBoolean decided = new AtomicBoolean();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final List<Timers.Timer> pending = new ArrayList<>();
  private final CompletableFuture<Browser.OpenPage> page = new CompletableFuture<>();

  /** For a page in virtual time, a real-time timer that detects a step that does not end. */
  private volatile Timers.Timer guard = () -> {};

  /**
   * Creates a test that has not begun; its duration counts from now on.
   *
   * @param stage the browser of the page, and the timers that the test and its server use
   * @param servers makes the server of the page
   * @param run gets the result; it ends if the harness itself fails
   * @param settings the time limits
   * @param realTime detects pages that never stop
   * @param clock measures the duration
   * @param executor closes the page, which may block
   */
  TestInProgress(
      WptTest test,
      Stage stage,
      TestRunner.Servers servers,
      TestRun run,
      TestRunner.Settings settings,
      Timers realTime,
      InstantSource clock,
      Executor executor) {
    this.test = test;
    this.stage = stage;
    this.servers = servers;
    this.run = run;
    this.settings = settings;
    this.realTime = realTime;
    this.clock = clock;
    this.executor = executor;
    this.collector = new ResultCollector(test.url(), () -> decide(TestEnding.COMPLETED));
    this.opened = clock.instant();
    double nanos = test.timeout().duration().toNanos() * settings.timeoutFactorOf(test);
    this.limit = Duration.ofNanos((long) nanos).plus(settings.margin());
  }

  WptTest test() {
    return test;
  }

  /** Opens the page. Called once. */
  void start() {
    setTimer(limit, () -> decide(TestEnding.OUT_OF_TIME));
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
      decide(TestEnding.error("the page has loaded, but its test harness never ran"));
    }
  }

  @Override
  public void loadFailed(Throwable cause) {
    decide(TestEnding.error("the page did not load: " + TestEnding.describe(cause)));
  }

  @Override
  public void ended() {
    // Its final messages may still be in flight.
    if (!decided.get()) {
      TestEnding ended = TestEnding.error("the page ended before its tests were complete");
      run.guarded(() -> setTimer(settings.margin(), () -> decide(ended)));
    }
  }

  @Override
  public void uncaughtError(String description) {
    firstError.compareAndSet(null, description);
  }

  @Override
  public void preloadFailed(String description) {
    decide(TestEnding.error("a preload script failed: " + description));
  }

  @Override
  public @Nullable TraceListener trace() {
    return run.listener().trace(test);
  }

  @Override
  public void crashed(Throwable cause) {
    decide(TestEnding.crash("the user agent failed: " + TestEnding.describe(cause)));
  }

  private void decide(TestEnding ending) {
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
        realTime.schedule(
            limit,
            () ->
                run.guarded(() -> {
                  long now = stage.steps();
                  if (now == seen) {
                    giveUp("a step has not ended within " + TestEnding.seconds(limit));
                  } else if (looks == MAX_LOOKS) {
                    giveUp("not decided within " + TestEnding.seconds(limit.multipliedBy(looks)));
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
        new TestEnding(HarnessStatus.TIMEOUT, why + " of real time"),
        Duration.between(opened, clock.instant()));
  }

  private void end(TestEnding ending, Duration duration) {
    run.guarded(() -> {
      // Not on this thread: closing may wait for it.
      CompletableFuture<Void> unused =
          page.thenAcceptAsync(openPage -> close(openPage, ending, duration), executor)
              .exceptionally(run::failed);
    });
  }

  /** Returns the locks of the page, as lines; empty if there are none. */
  String locks() {
    return page.isDone() ? page.join().locks() : "";
  }

  private void close(Browser.OpenPage openPage, TestEnding ending, Duration duration) {
    String locks = locksAtTimeout(ending);
    CompletableFuture<TestEnding> closed = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        closed.thenAccept(last -> report(last, locks, duration)).exceptionally(run::failed);
    Timers.Timer stopTimer =
        realTime.schedule(
            settings.stopLimit(),
            () ->
                closed.complete(
                    TestEnding.crash(
                        "the user agent has not stopped within " + settings.stopLimit())));
    TestEnding last = ending;
    try {
      openPage.close();
    } catch (RuntimeException | Error e) {
      last = TestEnding.crash("the user agent failed while closing: " + TestEnding.describe(e));
    }
    stopTimer.cancel();
    closed.complete(last);
  }

  private void report(TestEnding ending, @Nullable String locks, Duration duration) {
    ResultCollector.Snapshot seen = collector.snapshot();
    TestEnding told =
        ending == TestEnding.OUT_OF_TIME ? TestEnding.outOfTime(seen.loaded(), limit) : ending;
    run.finished(this, told.result(test, seen, firstError.get(), locks, duration));
  }

  /** Returns the locks of a test that timed out, because they may explain it; null for none. */
  private @Nullable String locksAtTimeout(TestEnding ending) {
    boolean late =
        ending == TestEnding.OUT_OF_TIME
            || collector
                .snapshot()
                .completion()
                .filter(completion -> completion.status() == HarnessStatus.TIMEOUT)
                .isPresent();
    String text = late ? locks() : "";
    return text.isEmpty() ? null : text;
  }
}
