package dev.weblocks.harness.wpt;

import java.time.Duration;
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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A run of tests: decides when the next test begins, and collects the results. Thread-safe. */
final class TestRun implements TestRunner.Running {

  /** Time between two looks for an unused processor. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final List<WptTest> tests;
  private final Iterator<WptTest> waiting;
  private final RunListener listener;
  private final TestRunner.Settings settings;
  private final Timers timers;
  private final Executor executor;
  private final BiFunction<WptTest, TestRun, TestInProgress> opener;
  private final Queue<TestInProgress> inProgress = new ConcurrentLinkedQueue<>();
  private final Map<WptTest, TestResult> done = new HashMap<>();
  private final CompletableFuture<List<TestResult>> results = new CompletableFuture<>();
  private int started;
  private boolean stopped;

  /**
   * Creates a run of which no test has begun; it is over at once without tests.
   *
   * @param tests in the order of the results
   * @param listener follows the run, and may stop it
   * @param settings the numbers of concurrent tests, and the order in which they begin
   * @param timers for the looks for an unused processor, in real time
   * @param executor opens the pages of tests
   * @param opener makes a test of this run, which {@link TestInProgress#start()} begins
   */
  TestRun(
      List<WptTest> tests,
      RunListener listener,
      TestRunner.Settings settings,
      Timers timers,
      Executor executor,
      BiFunction<WptTest, TestRun, TestInProgress> opener) {
    this.tests = tests;
    this.waiting =
        settings.longFirst()
            ? tests.stream()
                .sorted(Comparator.comparing(WptTest::timeout, Comparator.reverseOrder()))
                .iterator()
            : tests.iterator();
    this.listener = listener;
    this.settings = settings;
    this.timers = timers;
    this.executor = executor;
    this.opener = opener;
    boolean unused = completeIfOver();
  }

  /** Begins as many tests as may run at once. */
  void begin() {
    for (int i = 0; i < settings.jobs(); i++) {
      executor.execute(this::next);
    }
    if (settings.mostJobs() > settings.jobs()) {
      lookForMore();
    }
  }

  private void next() {
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
      TestInProgress begun = opener.apply(test, this);
      inProgress.add(begun);
      begun.start();
    });
  }

  /** Starts a further test from time to time, while the others wait. */
  private void lookForMore() {
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

  RunListener listener() {
    return listener;
  }

  @Override
  public CompletionStage<List<TestResult>> results() {
    return results.minimalCompletionStage();
  }

  @Override
  public Map<String, String> locks() {
    Map<String, String> locks = new LinkedHashMap<>();
    inProgress.forEach(each -> {
      String text = each.locks();
      if (!text.isEmpty()) {
        locks.put(each.test().id(), text);
      }
    });
    return locks;
  }

  /** Records the result of a test of this run. Called once for each. */
  void finished(TestInProgress over, TestResult result) {
    inProgress.remove(over);
    boolean isBelow;
    synchronized (this) {
      done.put(result.test(), result);
      listener.finished(result);
      stopped |= listener.isEnough(result);
      isBelow = started - done.size() < settings.jobs();
    }
    if (!completeIfOver() && (isBelow || settings.idle().getAsBoolean())) {
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
