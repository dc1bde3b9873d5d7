package dev.weblocks.harness.cli;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.internal.LockInvariantListener;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.ReplaySchedule;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.explore.ScriptScenario;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A run with {@code --replay}, which follows the schedule of a replay string up to the finding. */
final class ReplayedRun {

  private final ReplaySchedule schedule;
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

  ReplayedRun(String text) {
    this.schedule = new ReplaySchedule(text, ScriptScenario::preparesScript);
  }

  DeterministicDriver driver() {
    return Driver.deterministic(schedule);
  }

  private record Checks(List<String> violations) implements LockListener, LockInvariantListener {
    @Override
    public void violated(String violation) {
      violations.add(violation);
    }
  }

  void configure(UserAgent.Builder builder) {
    builder.lockListener(new Checks(violations));
  }

  boolean isOver() {
    return schedule.isOver();
  }

  static CommandFailure failure(ReplayException problem) {
    return new CommandFailure("--replay " + problem.getMessage());
  }

  /**
   * Prints the finding of a run that has ended by itself.
   *
   * @return the exit status
   * @throws CommandFailure if the run did not end with the finding
   */
  int print(ScriptRun run, CliEnvironment cli) throws CommandFailure {
    try {
      schedule.requireFit();
    } catch (ReplayException problem) {
      throw failure(problem);
    }
    List<LockEntry> locks = run.locks();
    boolean found =
        switch (schedule.kind()) {
          case INVARIANT -> !violations.isEmpty();
          case ASSERTION, DEFECT -> run.hasFailed();
          case DEADLOCK -> locks.stream().anyMatch(entry -> !entry.isHeld());
          case LIVELOCK -> true; // the run has had as many steps as the livelock
        };
    if (!found) {
      throw new CommandFailure(
          "--replay does not fit: the run ends without the finding "
              + schedule.kind().label()
              + "; use the same scripts and options");
    }
    violations.forEach(violation -> cli.printErrorLines(HarmlessText.line(violation)));
    boolean atRest = schedule.kind() == Finding.Kind.DEADLOCK;
    if (atRest) {
      cli.note("all agents are idle, but lock requests are still pending");
    } else if (!locks.isEmpty()) {
      cli.note("locks at the end of the replay:");
    }
    if (!locks.isEmpty()) {
      cli.printErrorLines(LockTable.of(run, locks, atRest).text());
    }
    cli.printErrorLines("finding: " + schedule.kind().label() + ", replayed");
    return Main.UNEXPECTED;
  }
}
