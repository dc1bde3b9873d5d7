package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.trace.Visible;
import dev.weblocks.harness.explore.ReportJson;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The printer of the findings of an exploration, and of the reason for its end. */
final class ExploreReport {

  private final CliEnvironment cli;
  private final ExplorePlan plan;
  private final ExploredScenario scenario;

  ExploreReport(CliEnvironment cli, ExplorePlan plan, ExploredScenario scenario) {
    this.cli = cli;
    this.plan = plan;
    this.scenario = scenario;
  }

  /**
   * Prints the findings and the end of an exploration.
   *
   * @param stuck time waited for the end of a step before giving up; null if every step ended
   * @param interrupted whether the user interrupted it
   * @param summary file for the report as JSON; null for none
   * @return the exit status
   */
  int print(
      Explorer.Report report,
      @Nullable Duration stuck,
      boolean interrupted,
      @Nullable OutputFile summary)
      throws CommandFailure {
    PrintStream out = cli.out();
    PrintStream err = cli.err();
    Explorer.Report ended = stuck == null ? report : report.endedBy(Explorer.End.STUCK);
    printFindings(ended, summary);
    if (stuck != null) {
      err.println(
          "weblocks: a step has not ended within "
              + stuck.toSeconds()
              + " s; look for an endless loop in its script");
    }
    if (!interrupted && plan.replay() == null) {
      out.println(ending(ended));
    }
    if (interrupted) {
      err.println("weblocks: interrupted");
      return Main.INTERRUPTED;
    }
    if (stuck != null) {
      return Main.FAILED;
    }
    return report.found().isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  void printSoFar(Explorer.Report report, @Nullable OutputFile summary) throws CommandFailure {
    if (plan.replay() == null && report.schedules() > 0) {
      Explorer.Report broken = report.endedBy(Explorer.End.FAILED);
      printFindings(broken, summary);
      cli.println(ending(broken));
    }
  }

  private void printFindings(Explorer.Report report, @Nullable OutputFile summary)
      throws CommandFailure {
    report.found().forEach(this::print);
    if (summary != null) {
      summary.write(ReportJson.of(report, plan.values()));
    }
    cli.println(ExploreProgress.figures(report));
  }

  private String ending(Explorer.Report report) {
    return switch (report.end()) {
      case EXHAUSTED ->
          "Exhausted: all orders were run"
              + (plan.preemptions() == null ? "" : " within --preemptions")
              + ", except those that differ only in the order of independent steps";
      case TOO_LONG -> "Not exhausted: some orders were longer than --max-steps";
      case FINDING -> "Not exhausted: ended at the finding";
      case TIME -> "Not exhausted: ended by --time";
      case STUCK -> "Not exhausted: a step did not end";
      case FAILED -> "Not exhausted: the exploration failed";
      case SCHEDULES, INTERRUPTED, NONE -> "Not exhausted: ended by --schedules";
    };
  }

  private void print(Explorer.Found found) {
    PrintStream out = cli.out();
    boolean replayed = plan.replay() != null;
    out.println(
        cli.red("finding: " + found.finding().kind().label()) + (replayed ? "" : times(found)));
    Visible.lines(found.finding().text()).lines().forEach(out::println);
    if (!replayed) {
      out.println(found.minimized());
    }
    found.simplest().lines().forEach(line -> out.println(Visible.line(line)));
    if (!replayed) {
      out.println("replay: " + scenario.again() + found.replay().text() + scenario.behind());
    }
  }

  private static String times(Explorer.Found found) {
    return String.format(Locale.ROOT, ", in schedule %,d", found.schedule())
        + (found.times() == 1
            ? ""
            : String.format(Locale.ROOT, " and %,d others", found.times() - 1));
  }
}
