package dev.weblocks.cli;

import dev.weblocks.explore.Explorer;
import dev.weblocks.explore.ReplayException;
import dev.weblocks.explore.ScenarioException;
import dev.weblocks.trace.Recording;
import dev.weblocks.wpt.Timers;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Explores on a thread of its own, and waits for the end, but not for a step that has none. */
final class Exploration {

  private final Surroundings surroundings;
  private final RunSurroundings own;
  private final ExplorePlan plan;
  private final ExploredScenario scenario;
  private final AtomicBoolean interrupted = new AtomicBoolean();

  /** Grows between the steps. */
  private final AtomicLong beats = new AtomicLong();

  /** One that has not begun. */
  Exploration(
      Surroundings surroundings, RunSurroundings own, ExplorePlan plan, ExploredScenario scenario) {
    this.surroundings = surroundings;
    this.own = own;
    this.plan = plan;
    this.scenario = scenario;
  }

  /**
   * Explores, and prints what came of it.
   *
   * @param trace where to write the steps of the first finding
   * @param summary where to write figures and findings; null for nowhere
   * @return the exit status
   */
  int run(TraceOptions trace, @Nullable OutputFile summary) throws CommandFailure {
    PrintStream out = surroundings.out();
    CompletableFuture<Void> wanted = new CompletableFuture<>(); // the end
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen =
        own.interrupts()
            .listen(
                () -> {
                  interrupted.set(true);
                  wanted.complete(null);
                },
                ended);
    Duration limit = plan.limit();
    Timers.Timer timer =
        limit == null ? () -> {} : own.timers().schedule(limit, () -> wanted.complete(null));
    Clock clock = Clock.systemUTC();
    ExploreProgress progress = new ExploreProgress(surroundings, clock);
    Explorer explorer =
        new Explorer(
            scenario.scenario(), plan.chooser(), plan.settings(), clock, this::isInterrupted);
    out.println(scenario.about() + ", " + plan.described());
    out.flush();
    try {
      CompletableFuture<Explorer.Report> exploring = start(explorer, progress, trace);
      boolean stuck = await(exploring, wanted);
      progress.end();
      Explorer.Report report = stuck ? explorer.report() : result(exploring);
      return new ExploreReport(surroundings, plan, scenario)
          .print(report, stuck, interrupted.get(), summary);
    } finally {
      progress.end();
      timer.cancel();
      out.flush();
      surroundings.err().flush();
      ended.countDown();
      deafen.run();
    }
  }

  /** Asked between the steps. */
  private boolean isInterrupted() {
    beats.incrementAndGet();
    return interrupted.get();
  }

  private CompletableFuture<Explorer.Report> start(
      Explorer explorer, ExploreProgress progress, TraceOptions trace) {
    CompletableFuture<Explorer.Report> exploring = new CompletableFuture<>();
    // scripts that call themselves need room, as on the threads of drivers
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-explore")
            .stackSize(16L << 20)
            .start(() -> {
              try {
                Explorer.Report report = explorer.explore(progress::show);
                if (!report.found().isEmpty()) {
                  write(trace, explorer, report.found().getFirst());
                }
                exploring.complete(report);
              } catch (CommandFailure | RuntimeException | Error failure) {
                exploring.completeExceptionally(failure);
              }
            });
    return exploring;
  }

  private void write(TraceOptions trace, Explorer explorer, Explorer.Found found)
      throws CommandFailure {
    String title = found.finding().kind().label() + ", its simplest order";
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
   * Waits for the end.
   *
   * @return whether there is none: somebody wants one, and no step has ended for a while
   */
  private boolean await(
      CompletableFuture<Explorer.Report> exploring, CompletableFuture<Void> wanted) {
    try {
      Object unused =
          CompletableFuture.anyOf(exploring.handle((done, failure) -> true), wanted).join();
      while (true) {
        long before = beats.get();
        try {
          Explorer.Report unusedReport =
              exploring.get(surroundings.stopLimit().toNanos(), TimeUnit.NANOSECONDS);
          return false;
        } catch (TimeoutException late) {
          if (beats.get() == before) {
            return true;
          }
        }
      }
    } catch (ExecutionException failure) {
      return false; // told by who asks for the result
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static Explorer.Report result(CompletableFuture<Explorer.Report> exploring)
      throws CommandFailure {
    try {
      return exploring.join();
    } catch (CompletionException failure) {
      Throwable cause = failure.getCause();
      if (cause instanceof CommandFailure told) {
        throw told;
      }
      if (cause instanceof ScenarioException problem) {
        throw new CommandFailure(String.valueOf(problem.getMessage()));
      }
      if (cause instanceof ReplayException problem) {
        throw ReplayedRun.failure(problem);
      }
      throw failure;
    }
  }
}
