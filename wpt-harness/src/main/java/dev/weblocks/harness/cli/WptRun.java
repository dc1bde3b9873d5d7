package dev.weblocks.harness.cli;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.explore.trace.Names;
import dev.weblocks.explore.trace.Recording;
import dev.weblocks.harness.cluster.TrialCluster;
import dev.weblocks.harness.wpt.PageLocks;
import dev.weblocks.harness.wpt.PreloadScript;
import dev.weblocks.harness.wpt.ReportScript;
import dev.weblocks.harness.wpt.RunListener;
import dev.weblocks.harness.wpt.Stage;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestRunner;
import dev.weblocks.harness.wpt.Timers;
import dev.weblocks.harness.wpt.WptFiles;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptServer;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.model.TraceListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A run of tests with the rounds and the order that the options request; prints the progress. */
final class WptRun implements RunRecord.Run {

  private static final int CLUSTER_SIZE = 3;

  private final CliEnvironment cli;
  private final List<Path> roots;
  private final WptHosts hosts;
  private final RunOptions how;
  private final List<PreloadScript> preloads;
  private final Expectations expectations;
  private final Map<WptTest, String> leftOut;
  private final Clock clock;
  private final @Nullable TraceFile trace;
  private final Map<WptTest, Recording> recordings = new ConcurrentHashMap<>();
  private final List<TestResult> results = Collections.synchronizedList(new ArrayList<>());
  private final Object screen = new Object();
  private @Nullable Progress progress;
  private boolean hushed;
  private volatile TestRunner.@Nullable Running running;

  /**
   * Creates a run that has not begun.
   *
   * @param roots directories of files; the first that contains a file is used
   * @param leftOut selected tests that do not run, with the reasons, for the summaries
   * @param trace receives a recording of each test; null for no trace
   */
  WptRun(
      CliEnvironment cli,
      List<Path> roots,
      WptHosts hosts,
      RunOptions how,
      List<PreloadScript> preloads,
      Expectations expectations,
      Map<WptTest, String> leftOut,
      Clock clock,
      @Nullable TraceFile trace) {
    this.cli = cli;
    this.roots = List.copyOf(roots);
    this.hosts = hosts;
    this.how = how;
    this.preloads = preloads;
    this.expectations = expectations;
    this.leftOut = leftOut;
    this.clock = clock;
    this.trace = trace;
  }

  /**
   * Returns the results so far, of all rounds. Within a round that is over, they are in the order
   * of its tests; within the current round, in the order in which tests ended. Thread-safe.
   */
  @Override
  public List<TestResult> results() {
    return List.copyOf(results);
  }

  /** Stops recording and showing results, because the process is about to end. Thread-safe. */
  @Override
  public void hush() {
    if (trace != null) {
      boolean unused = trace.close(); // errors were printed
    }
    synchronized (screen) {
      hushed = true;
      if (progress != null) {
        progress.end();
      }
    }
  }

  @Override
  public Map<String, String> locks() {
    TestRunner.Running now = running;
    return now == null ? Map.of() : now.locks();
  }

  boolean rounds(List<WptTest> tests) throws CommandFailure {
    OptionalLong seed = how.seed(System.nanoTime() & 0xffff_ffffL);
    Rounds seen = new Rounds();
    int rounds = how.rounds();
    boolean asExpected = true;
    for (int round = 1; round <= rounds; round++) {
      List<WptTest> order = new ArrayList<>(tests);
      long seedOfRound = seed.orElse(0) + round - 1;
      if (how.shuffle) {
        Collections.shuffle(order, new Random(seedOfRound));
      }
      announce(round, rounds, seed);
      Instant start = clock.instant();
      int before = results.size();
      List<TestResult> ended = round(order, seedOfRound, rounds == 1 ? "" : "round " + round);
      synchronized (results) {
        results.subList(before, results.size()).clear();
        results.addAll(ended);
      }
      Instant end = clock.instant();
      RunReport report =
          RunReport.of(
              Map.of(),
              start,
              end,
              ended,
              new ExpectationsJudge(expectations),
              withoutResult(tests, ended),
              false);
      new Summary(cli).print(report, Duration.between(start, end));
      long unexpected = report.unexpected();
      seen.add(ended);
      asExpected &= unexpected == 0;
      if (unexpected > 0 && (how.untilUnexpected || how.failFast)) {
        break;
      }
    }
    if (rounds > 1) {
      seen.print(cli);
    }
    return asExpected;
  }

  /** Returns the tests without a result, with the reasons. */
  private Map<WptTest, String> withoutResult(List<WptTest> tests, List<TestResult> ended) {
    Map<WptTest, String> without = new LinkedHashMap<>();
    tests.forEach(test -> without.put(test, "the run ended before this test"));
    ended.forEach(result -> without.remove(result.test()));
    without.putAll(leftOut);
    return without;
  }

  private void announce(int round, int rounds, OptionalLong seed) {
    List<String> parts = new ArrayList<>();
    if (rounds > 1) {
      parts.add("Round " + round + (rounds == Integer.MAX_VALUE ? "" : " of " + rounds));
    }
    if (seed.isPresent()) {
      String what =
          !how.deterministic
              ? "shuffled"
              : how.shuffle ? "shuffled and deterministic" : "deterministic";
      parts.add(what + " with --seed " + (seed.getAsLong() + round - 1));
    }
    if (!parts.isEmpty()) {
      if (round > 1) {
        cli.println("");
      }
      String line = String.join(", ", parts);
      cli.println(Character.toUpperCase(line.charAt(0)) + line.substring(1));
    }
  }

  private List<TestResult> round(List<WptTest> tests, long seed, String name)
      throws CommandFailure {
    ThreadFactory threads = Thread.ofPlatform().daemon().name("weblocks-wpt-", 0).factory();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(threads);
    ExecutorService executor = Executors.newCachedThreadPool(threads);
    ResourceLoader net = how.allowNet ? ResourceLoader.http() : null;
    Progress progress = new Progress(cli, expectations, tests.size(), how.verbose, clock);
    synchronized (screen) {
      this.progress = progress;
    }
    AtomicInteger pages = new AtomicInteger();
    try (WptFiles files = new WptFiles(roots);
        TrialCluster cluster = how.isClustered() ? TrialCluster.start(CLUSTER_SIZE) : null;
        CliEnvironment.ClosableBrowser browser =
            bounded(
                cli.browsers()
                    .make(
                        how.jobs(),
                        preloads,
                        new PageLocks(
                            how.variants(),
                            cluster == null
                                ? null // each page has a namespace, as it has storage, of its own
                                : () ->
                                    cluster
                                        .client()
                                        .inNamespace("page-" + pages.incrementAndGet()))),
                executor)) {
      TestRunner.Settings settings =
          TestRunner.Settings.of(how.jobs(), how.timeoutMultiplier, expectations::expectTimeout)
              .withMoreJobs(how.mostJobs(), () -> browser.runningAgents() < how.jobs())
              .withLongFirst(how.mostJobs() > 1 && !how.shuffle);
      Stage real = new Stage.Real(browser, timersOf(timer), UUID::randomUUID);
      TestRunner runner =
          new TestRunner(
              test -> how.deterministic ? browser.deterministic(seed) : real,
              (test, collector, stage) ->
                  new WptServer(
                      hosts,
                      files,
                      ReportScript.withTimeoutFactor(settings.timeoutFactorOf(test)),
                      collector,
                      stage.ids(),
                      stage.timers(),
                      net),
              timersOf(timer),
              clock,
              executor,
              settings);
      String time = how.deterministic ? "seed " + seed + ", virtual time" : "real time";
      TestRunner.Running started = runner.start(tests, new Follower(progress, name, time));
      this.running = started;
      return started.results().toCompletableFuture().join();
    } catch (IOException e) {
      throw new CommandFailure(
          "the files of the run cannot be used: %s: %s"
              .formatted(e.getClass().getSimpleName(), e.getMessage()));
    } finally {
      this.running = null;
      progress.end();
      executor.shutdown();
      timer.shutdownNow();
      if (net != null) {
        net.close();
      }
    }
  }

  /** A listener that records results, and stops a run at an unexpected result if requested. */
  private final class Follower implements RunListener {
    private final Progress progress;
    private final String round;
    private final String time;

    Follower(Progress progress, String round, String time) {
      this.progress = progress;
      this.round = round;
      this.time = time;
    }

    @Override
    public @Nullable TraceListener trace(WptTest test) {
      if (trace == null) {
        return null;
      }
      String title = round.isEmpty() ? test.id() : test.id() + " (" + round + ")";
      Recording recording = trace.record(title, time, Names.PLAIN);
      recordings.put(test, recording);
      return recording;
    }

    @Override
    public void started(WptTest test) {
      synchronized (screen) {
        if (!hushed) {
          progress.started(test);
        }
      }
    }

    @Override
    public void finished(TestResult result) {
      Recording recording = recordings.remove(result.test());
      if (recording != null) {
        recording.close();
      }
      synchronized (screen) {
        if (hushed) {
          return;
        }
        results.add(result);
        progress.finished(result);
      }
    }

    @Override
    public boolean isEnough(TestResult result) {
      return how.failFast && !expectations.compare(result).isEmpty();
    }
  }

  /** Wraps the browser with a time limit for closing it, because a page may never stop. */
  private CliEnvironment.ClosableBrowser bounded(
      CliEnvironment.ClosableBrowser browser, ExecutorService executor) {
    return new CliEnvironment.ClosableBrowser(
        browser,
        () -> {
          Duration limit = cli.stopLimit();
          try {
            executor.submit(browser::close).get(limit.toNanos(), TimeUnit.NANOSECONDS);
          } catch (TimeoutException e) {
            cli.note(
                "the browser has not stopped within "
                    + limit.toSeconds()
                    + " s; continuing without it");
          } catch (ExecutionException e) {
            throw new IllegalStateException("the browser failed while closing: " + e.getCause(), e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static Timers timersOf(ScheduledExecutorService timer) {
    return (delay, action) -> {
      Future<?> future = timer.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    };
  }
}
