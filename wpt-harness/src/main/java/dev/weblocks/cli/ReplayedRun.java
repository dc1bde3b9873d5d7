package dev.weblocks.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.LockEntry;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.Finding;
import dev.weblocks.explore.ReplayException;
import dev.weblocks.explore.ReplaySchedule;
import dev.weblocks.run.ScriptRun;
import dev.weblocks.wpt.report.Visible;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What {@code --replay} adds to a run: the order of a replay string, up to the finding. */
final class ReplayedRun {

  private final ReplaySchedule schedule;

  /** Promises of Web Locks that were broken. */
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

  /**
   * For one run.
   *
   * @throws ReplayException if the text is no replay string
   */
  ReplayedRun(String text) {
    this.schedule = new ReplaySchedule(text);
  }

  Driver driver() {
    return Driver.deterministic(schedule);
  }

  void configure(UserAgent.Builder builder) {
    builder.lockInvariantListener(violations::add);
  }

  /** Whether all steps were taken up to the finding. */
  boolean isOver() {
    return schedule.isOver();
  }

  /** What to say of a string that does not fit. */
  static CommandFailure failure(ReplayException problem) {
    return new CommandFailure("--replay " + problem.getMessage());
  }

  /**
   * Tells what a run has come to that was not ended by anything else.
   *
   * @return the exit status
   * @throws CommandFailure if that is not the finding
   */
  int tell(ScriptRun run, PrintStream err) throws CommandFailure {
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
          case LIVELOCK -> true; // it was made of as many steps
        };
    if (!found) {
      throw new CommandFailure(
          "--replay does not fit: there is no finding called "
              + schedule.kind().label()
              + " at its end: scripts and options have to be the same");
    }
    violations.forEach(violation -> err.println(Visible.line(violation)));
    boolean atRest = schedule.kind() == Finding.Kind.DEADLOCK;
    if (atRest) {
      err.println("weblocks: nothing can happen any more, but locks are waited for");
    } else if (!locks.isEmpty()) {
      err.println("weblocks: locks at the end of the replay:");
    }
    if (!locks.isEmpty()) {
      err.println(LockTable.of(run, locks, atRest).text());
    }
    err.println("finding: " + schedule.kind().label() + ", replayed");
    return Main.UNEXPECTED;
  }
}
