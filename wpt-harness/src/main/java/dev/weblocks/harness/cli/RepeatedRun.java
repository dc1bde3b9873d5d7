package dev.weblocks.harness.cli;

import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Environment;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.run.DeterminismCheck;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import dev.weblocks.harness.run.Transcript;
import dev.weblocks.harness.wpt.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The check of {@code --check-deterministic}: runs a plan repeatedly and compares the runs. */
final class RepeatedRun {

  private final CliEnvironment cli;
  private final RunEnvironment own;
  private final RunPlan plan;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();

  RepeatedRun(CliEnvironment cli, RunEnvironment own, RunPlan plan) {
    this.cli = cli;
    this.own = own;
    this.plan = plan;
  }

  int run() throws CommandFailure {
    Site unused = plan.site(own.workingDirectory(), note -> {}); // throws if no directory fits
    CountDownLatch ended = new CountDownLatch(1);
    int runs = plan.virtual().runs();
    CheckProgress progress = new CheckProgress(cli, runs);
    Environment environment = plan.environment(cli, own);
    try {
      DeterminismCheck check =
          DeterminismCheck.start(
              runs, plan.limit(), transcript -> attempt(environment, transcript), progress::same);
      Runnable deafen = own.interrupts().listen(() -> end(check, Ending.INTERRUPTED), ended);
      Timers.Timer guard =
          new StepGuard(own.timers(), plan.limit(), check::count, () -> end(check, Ending.STUCK));
      try {
        DeterminismCheck.Outcome outcome = check.outcome().join();
        progress.end();
        return print(outcome, ending.getNow(Ending.AT_REST));
      } catch (CompletionException failure) {
        if (!OutOfMemory.isCauseOf(failure)) {
          throw failure;
        }
        progress.end();
        throw new CommandFailure(Ending.outOfMemory(plan.programs().size()));
      } finally {
        cli.out().flush();
        cli.err().flush();
        guard.cancel();
        ended.countDown();
        deafen.run();
      }
    } finally {
      cli.endScripts(environment::close);
    }
  }

  private void end(DeterminismCheck check, Ending how) {
    ending.complete(how);
    check.stop();
  }

  private DeterminismCheck.Attempt attempt(Environment environment, Transcript transcript) {
    Site site =
        plan.site(
            Site.directoriesOf(plan.programs()),
            own.workingDirectory(),
            note -> transcript.err("weblocks: " + note));
    DeterministicDriver driver = plan.seededDriver(text -> transcript.err("weblocks: " + text));
    LateRequests late = new LateRequests(plan.watchdog(), plan.clock());
    ScriptRun run =
        new ScriptRun(
            site,
            plan.programs(),
            plan.scheduling(
                driver, environment, late, builder -> builder.traceListener(transcript.steps())),
            transcript);
    late.setRun(run);
    return new DeterminismCheck.Attempt(run, driver);
  }

  private int print(DeterminismCheck.Outcome outcome, Ending how) {
    Transcript.Difference difference = outcome.difference();
    if (difference != null) {
      print(difference, outcome.runs());
      return Main.UNEXPECTED;
    }
    String same = HarmlessText.count(outcome.runs(), "run") + " of seed " + plan.seed();
    return switch (how) {
      case INTERRUPTED -> {
        cli.note("interrupted after " + same + ", all the same");
        yield Main.INTERRUPTED;
      }
      case STUCK -> {
        cli.note("after " + same + ", " + Ending.stuck(plan));
        yield Main.UNEXPECTED;
      }
      case AT_REST, OUT_OF_TIME, OUT_OF_MEMORY -> { // these endings do not fail a check
        cli.println(
            "%s were the same: %s lines of steps and output, SHA-256 %s"
                .formatted(same, outcome.lines(), outcome.digest()));
        yield Main.AS_EXPECTED;
      }
    };
  }

  private void print(Transcript.Difference difference, int run) {
    cli.note(
        "run %s of seed %s differs from run 1, from line %s on:"
            .formatted(run, plan.seed(), difference.line()));
    difference.before().forEach(line -> printError("  both    " + line));
    printError("  run 1   " + shown(difference.earlier()));
    printError("  run %-3d %s".formatted(run, shown(difference.later())));
  }

  private void printError(String line) {
    cli.printErrorLines(HarmlessText.line(line));
  }

  private static String shown(@Nullable String line) {
    return line == null ? "has ended" : line;
  }
}
