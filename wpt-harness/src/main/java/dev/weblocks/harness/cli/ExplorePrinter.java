package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.harness.explore.ReportJson;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The printer of the findings of an exploration, and of the reason for its end. */
final class ExplorePrinter {

  /** The setting with the command that repeats a finding; {@link #STRING} is for the string. */
  static final String REPLAY = "replay";

  static final String STRING = "STRING";

  private final CliEnvironment cli;
  private final Map<String, Object> settings;
  private final Coverage states;
  private final boolean replayed;

  /**
   * Creates a printer.
   *
   * @param settings the settings of the exploration, for the report as JSON
   * @param replayed whether only the order of a replay string is run
   */
  ExplorePrinter(
      CliEnvironment cli, Map<String, Object> settings, Coverage states, boolean replayed) {
    this.cli = cli;
    this.settings = settings;
    this.states = states;
    this.replayed = replayed;
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
    Explorer.Report ended = stuck == null ? report : report.endedBy(Explorer.End.STUCK);
    printFindings(ended, summary);
    if (stuck != null) {
      cli.note(
          "a step has not ended within "
              + stuck.toSeconds()
              + " s; look for an endless loop in its script");
    }
    if (!interrupted && !replayed) {
      cli.println(ending(ended));
    }
    if (interrupted) {
      cli.note("interrupted");
      return Main.INTERRUPTED;
    }
    if (stuck != null) {
      return Main.FAILED;
    }
    return report.found().isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  void printSoFar(Explorer.Report report, @Nullable OutputFile summary) throws CommandFailure {
    if (!replayed && report.schedules() > 0) {
      Explorer.Report broken = report.endedBy(Explorer.End.FAILED);
      printFindings(broken, summary);
      cli.println(ending(broken));
    }
  }

  private void printFindings(Explorer.Report report, @Nullable OutputFile summary)
      throws CommandFailure {
    report.found().forEach(this::print);
    if (summary != null) {
      summary.write(ReportJson.of(report, settings, states));
    }
    cli.println(ExploreProgress.figures(report));
  }

  private String ending(Explorer.Report report) {
    return switch (report.end()) {
      case EXHAUSTED ->
          "Exhausted: all orders were run"
              + (settings.containsKey("preemptions") ? " within --preemptions" : "")
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
    cli.println(
        cli.red("finding: " + found.finding().kind().label()).plus(replayed ? "" : times(found)));
    cli.printLines(found.finding().text());
    if (!replayed) {
      cli.println(found.minimized());
    }
    found.simplest().lines().forEach(cli::println);
    if (!replayed) {
      cli.println(
          "replay: "
              + String.valueOf(settings.get(REPLAY))
                  .replaceFirst(STRING, Matcher.quoteReplacement(found.replay().text())));
    }
  }

  private static String times(Explorer.Found found) {
    return String.format(Locale.ROOT, ", in schedule %,d", found.schedule())
        + (found.times() == 1
            ? ""
            : String.format(Locale.ROOT, " and %,d others", found.times() - 1));
  }
}
