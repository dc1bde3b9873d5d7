package dev.weblocks.harness.cli;

import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.trace.Recording;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import dev.weblocks.harness.run.SteppedRun;
import dev.weblocks.harness.wpt.Timers;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A single run of the programs of a plan, until all agents are idle or something ends the run. */
final class SingleRun {

  /**
   * A started run.
   *
   * @param limit timer to be cancelled at the end
   * @param end ends all agents
   */
  private record Started(Timers.Timer limit, Runnable end) {
    static Started notYet(Runnable end) {
      return new Started(() -> {}, end);
    }
  }

  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final CliEnvironment cli;
  private final RunEnvironment own;
  private final RunPlan plan;
  private final @Nullable ReplayedRun replayed;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private final AtomicBoolean disturbed = new AtomicBoolean();

  SingleRun(CliEnvironment cli, RunEnvironment own, RunPlan plan, @Nullable ReplayedRun replayed) {
    this.cli = cli;
    this.own = own;
    this.plan = plan;
    this.replayed = replayed;
  }

  int run(TraceOptions trace) throws CommandFailure {
    Site site = plan.site(own.workingDirectory(), this::note);
    Environment environment = plan.environment(cli, own);
    Started started = Started.notYet(environment::close);
    TraceFile traced = null;
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen = () -> {};
    int status = Main.FAILED;
    try {
      traced = trace.open(own.workingDirectory(), cli);
      deafen = own.interrupts().listen(() -> ending.complete(Ending.INTERRUPTED), ended);
      TraceFile.NamesOfRun names = new TraceFile.NamesOfRun();
      Recording recording = traced == null ? null : traced.record(title(), clock(), names);
      LateRequests late = new LateRequests(plan.watchdog(), plan.clock());
      DeterministicDriver steps = steps();
      Driver driver = steps != null ? steps : RunPlan.realTimeDriver();
      started =
          Started.notYet(() -> {
            driver.close();
            environment.close();
          });
      ScriptRun run =
          new ScriptRun(
              site,
              plan.programs(),
              plan.scheduling(
                  driver,
                  environment,
                  late,
                  builder -> {
                    if (recording != null) {
                      builder.traceListener(recording);
                    }
                    if (replayed != null) {
                      replayed.configure(builder);
                    }
                  }),
              new Streams());
      started = Started.notYet(run::close);
      names.setRun(run);
      late.setRun(run);
      started = steps != null ? startSteps(run, steps) : start(run);
      Ending how = ended();
      status =
          replayed != null && how == Ending.AT_REST
              ? replayed.print(run, cli)
              : how.print(run, plan, cli);
      if (disturbed.get() && status == Main.AS_EXPECTED) {
        status = Main.UNEXPECTED;
      }
    } finally {
      // the shutdown hook waits for the last output, which includes a failure of the trace
      if (traced != null && !traced.close()) {
        status = Main.FAILED;
      }
      cli.out().flush();
      cli.err().flush();
      ended.countDown();
      deafen.run();
      started.limit().cancel();
      cli.endScripts(started.end());
    }
    return status;
  }

  private void note(String text) {
    cli.note(text);
  }

  /** Returns the deterministic driver; null for a run in real time. */
  private @Nullable DeterministicDriver steps() {
    if (replayed != null) {
      return replayed.driver();
    }
    if (!plan.deterministic()) {
      return null;
    }
    return plan.seededDriver(text -> {
      disturbed.set(true);
      note(text);
    });
  }

  /** Ends the run; with locks of a cluster, only when no request waits: others may release them. */
  private void rest(ScriptRun run) {
    if (plan.locks() == null || run.locks().stream().allMatch(LockEntry::isHeld)) {
      ending.complete(Ending.AT_REST);
    } else if (!ending.isDone()) {
      own.timers().schedule(LOOK_AGAIN, () -> run.quiescent().thenRun(() -> rest(run)));
    }
  }

  private Started start(ScriptRun run) {
    Duration limit = plan.limit();
    Timers.Timer timer =
        limit == null
            ? () -> {}
            : own.timers().schedule(limit, () -> ending.complete(Ending.OUT_OF_TIME));
    try {
      run.start();
    } catch (OutOfMemoryError none) {
      ending.complete(Ending.OUT_OF_MEMORY);
    }
    run.quiescent().thenRun(() -> rest(run));
    return new Started(timer, run::close);
  }

  private Started startSteps(ScriptRun run, DeterministicDriver driver) {
    CompletableFuture<SteppedRun> started = new CompletableFuture<>();
    StepGuard guard =
        new StepGuard(
            own.timers(),
            plan.limit(),
            () -> started.isDone() ? started.join().count() : 0,
            () -> ending.complete(Ending.STUCK));
    SteppedRun stepped =
        SteppedRun.start(run, driver, plan.limit(), () -> replayed != null && replayed.isOver());
    started.complete(stepped);
    stepped
        .rest()
        .whenComplete((rest, failure) -> {
          if (failure == null) {
            ending.complete(stepped.isOutOfTime() ? Ending.OUT_OF_TIME : Ending.AT_REST);
          } else {
            ending.completeExceptionally(failure);
          }
        });
    return new Started(guard, stepped::close);
  }

  private Ending ended() throws CommandFailure {
    try {
      return ending.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof ReplayException problem) {
        throw ReplayedRun.failure(problem);
      }
      if (OutOfMemory.isCauseOf(failure)) {
        return Ending.OUT_OF_MEMORY;
      }
      throw failure;
    }
  }

  /** Returns a title of the run: the names of the scripts, with their numbers of agents. */
  private String title() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Program program : plan.programs()) {
      counts.merge(program.label(), 1, Integer::sum);
    }
    return counts.entrySet().stream()
        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " × " + each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String clock() {
    return replayed != null
        ? "replayed, virtual time"
        : (plan.deterministic() ? "seed " + plan.seed() + ", " : "") + plan.clock();
  }

  private final class Streams implements ScriptRun.Output {
    /** Whether the process has run out of memory; later failures of agents are not shown. */
    private boolean outOfMemory;

    @Override
    public void out(String text) {
      cli.printOfScript(text);
    }

    @Override
    public void err(String text) {
      if (!outOfMemory) {
        cli.printErrorOfScript(text);
      }
    }

    @Override
    public void outOfMemory() {
      outOfMemory = true;
      ending.complete(Ending.OUT_OF_MEMORY);
    }
  }
}
