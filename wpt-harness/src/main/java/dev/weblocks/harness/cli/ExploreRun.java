package dev.weblocks.harness.cli;

import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.ScenarioException;
import dev.weblocks.explore.trace.Recording;
import dev.weblocks.harness.wpt.Timers;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An exploration that runs on its own thread. The caller waits for its end; after a time limit or
 * an interrupt, the caller gives up on a step that does not end.
 */
final class ExploreRun {

  /** Maximum time for a step to end after an interrupt, when the process is about to end. */
  private static final Duration LAST_STEP = Duration.ofSeconds(2);

  /**
   * The futures of a running exploration.
   *
   * @param report completes with the report when the exploration ends
   * @param trace completes when the trace of the first finding is written, or is not needed
   */
  private record Work(CompletableFuture<Explorer.Report> report, CompletableFuture<Void> trace) {}

  private final CliEnvironment cli;
  private final RunEnvironment own;
  private final ExplorePlan plan;
  private final ExploredScenario scenario;
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();

  /** Number of steps so far. */
  private final AtomicLong beats = new AtomicLong();

  ExploreRun(CliEnvironment cli, RunEnvironment own, ExplorePlan plan, ExploredScenario scenario) {
    this.cli = cli;
    this.own = own;
    this.plan = plan;
    this.scenario = scenario;
  }

  int run(TraceOptions trace, @Nullable OutputFile summary) throws CommandFailure {
    CompletableFuture<Void> wanted = new CompletableFuture<>(); // end requested
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen =
        own.interrupts()
            .listen(
                () -> {
                  interrupted.complete(null);
                  wanted.complete(null);
                },
                ended);
    Duration limit = plan.limit();
    Timers.Timer timer =
        limit == null ? () -> {} : own.timers().schedule(limit, () -> wanted.complete(null));
    Clock clock = Clock.systemUTC();
    ExploreProgress progress = new ExploreProgress(cli, clock);
    Explorer explorer =
        new Explorer(
            scenario.scenario(), plan.chooser(), plan.settings(), clock, this::isInterrupted);
    cli.println(scenario.about() + ", " + plan.described());
    cli.out().flush();
    try {
      Work work = start(explorer, progress, trace);
      Duration stuck = await(work.report, wanted);
      progress.end();
      Map<String, Object> settings = new LinkedHashMap<>(plan.values());
      settings.putAll(scenario.values());
      ExplorePrinter printer =
          new ExplorePrinter(cli, settings, explorer.states(), plan.replay() != null);
      if (stuck != null) {
        return printer.print(explorer.report(), stuck, interrupted.isDone(), summary);
      }
      int status;
      try {
        status = printer.print(result(work.report), null, interrupted.isDone(), summary);
      } catch (CommandFailure | RuntimeException failure) {
        if (work.report.isCompletedExceptionally()) {
          printer.printSoFar(explorer.report(), summary);
        }
        throw failure;
      }
      cli.out().flush();
      return await(work.trace, interrupted) == null ? traced(work.trace, status) : notTraced();
    } finally {
      progress.end();
      timer.cancel();
      cli.out().flush();
      cli.err().flush();
      ended.countDown();
      deafen.run();
    }
  }

  /** Returns whether the user has interrupted the exploration. Called between the steps. */
  private boolean isInterrupted() {
    beats.incrementAndGet();
    return interrupted.isDone();
  }

  private Work start(Explorer explorer, ExploreProgress progress, TraceOptions trace) {
    Work work = new Work(new CompletableFuture<>(), new CompletableFuture<>());
    // deeply recursive scripts need a large stack, as on the threads of drivers
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-explore")
            .stackSize(16L << 20)
            .start(() -> {
              try {
                Explorer.Report report = explorer.explore(progress::show);
                work.report.complete(report);
                if (!report.found().isEmpty()) {
                  write(trace, explorer, report.found().getFirst());
                }
                work.trace.complete(null);
              } catch (CommandFailure | RuntimeException | Error failure) {
                if (!work.report.completeExceptionally(failure)) {
                  work.trace.completeExceptionally(failure);
                }
              }
            });
    return work;
  }

  private int traced(CompletableFuture<Void> trace, int status) throws CommandFailure {
    try {
      Void unused = result(trace);
      return status;
    } catch (CancellationException interrupt) {
      return notTraced();
    }
  }

  private int notTraced() {
    cli.note("interrupted: the trace was not written");
    return Main.INTERRUPTED;
  }

  private void write(TraceOptions trace, Explorer explorer, Explorer.Found found)
      throws CommandFailure {
    String title = found.finding().kind().label() + ", simplest order of steps";
    String note = "replay " + found.replay().text();
    trace.write(
        own.workingDirectory(),
        output -> {
          try (Recording recording = output.record(title, note, scenario.names())) {
            explorer.trace(found, recording);
          }
        });
  }

  /**
   * Waits until {@code work} ends or, after {@code wanted}, no step ends in {@link #patience}.
   *
   * @param wanted completes when the end is requested
   * @return the time waited before giving up, zero after an interrupt; null if the work ended
   */
  private @Nullable Duration await(CompletableFuture<?> work, CompletableFuture<Void> wanted) {
    try {
      Object unused = CompletableFuture.anyOf(work.handle((done, failure) -> true), wanted).join();
      while (true) {
        long before = beats.get();
        Duration patience = patience();
        try {
          Object unusedResult = work.get(patience.toNanos(), TimeUnit.NANOSECONDS);
          return null;
        } catch (TimeoutException late) {
          if (beats.get() == before) {
            return patience;
          }
        }
      }
    } catch (ExecutionException | CancellationException failure) {
      return null; // the caller reports it when it gets the result
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Duration.ZERO;
    }
  }

  private Duration patience() {
    Duration limit = cli.stopLimit();
    return interrupted.isDone() && limit.compareTo(LAST_STEP) > 0 ? LAST_STEP : limit;
  }

  private <T> T result(CompletableFuture<T> work) throws CommandFailure {
    try {
      return work.join();
    } catch (CompletionException failure) {
      Throwable cause = failure.getCause();
      if (cause instanceof CommandFailure known) {
        throw known;
      }
      if (cause instanceof ScenarioException problem) {
        throw new CommandFailure(String.valueOf(problem.getMessage()));
      }
      if (cause instanceof ReplayException problem) {
        throw ReplayedRun.failure(problem);
      }
      if (OutOfMemory.isCauseOf(failure)) {
        throw new CommandFailure(outOfMemory());
      }
      if (cause instanceof CancellationException interrupt) {
        throw interrupt;
      }
      throw failure;
    }
  }

  private String outOfMemory() {
    return plan.jobs() == 1
        ? Ending.outOfMemory("one order does", "")
        : Ending.outOfMemory(plan.jobs() + " orders at once do", ", or run fewer with --jobs");
  }
}
