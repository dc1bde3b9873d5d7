package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.RunListener;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.expect.Expectations.Deviation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The progress display of a run. Each test with an unexpected result gets a line. In addition, a
 * terminal shows one line that is updated; other outputs get a line about every ten seconds.
 */
final class Progress implements RunListener {

  private static final int DEFAULT_COLUMNS = 80;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CliEnvironment cli;
  private final Expectations expectations;
  private final int total;
  private final boolean verbose;
  private final Clock clock;
  private final Instant start;
  private final int columns;
  private Instant lastLine;
  private final Set<String> running = new LinkedHashSet<>();
  private int done;
  private int unexpected;

  Progress(CliEnvironment cli, Expectations expectations, int total, boolean verbose, Clock clock) {
    this.cli = cli;
    this.expectations = expectations;
    this.total = total;
    this.verbose = verbose;
    this.clock = clock;
    this.start = clock.instant();
    this.lastLine = start;
    String columns = cli.variable().apply("COLUMNS");
    this.columns =
        columns != null && columns.matches("[1-9]\\d{0,3}")
            ? Integer.parseInt(columns)
            : DEFAULT_COLUMNS;
  }

  @Override
  public synchronized void started(WptTest test) {
    running.add(test.id());
    show();
  }

  @Override
  public synchronized void finished(TestResult result) {
    running.remove(result.test().id());
    done++;
    List<Deviation> deviations = expectations.compare(result);
    if (verbose) {
      cli.showProgress("");
      showWhole(result);
    }
    if (!deviations.isEmpty()) {
      unexpected++;
      cli.showProgress("");
      cli.println(
          cli.red("unexpected")
              .plus(" " + result.test().id() + "  " + result.status() + ", ")
              .plus(HarmlessText.count(deviations.size(), "deviation")));
    }
    show();
    printFromTimeToTime();
  }

  private void showWhole(TestResult result) {
    cli.println(result.status() + " " + result.test().id() + "  " + seconds(result.duration()));
    for (SubtestResult subtest : result.subtests()) {
      cli.println("  " + subtest.status() + " " + subtest.name());
      String message = subtest.message();
      if (subtest.status() != SubtestStatus.PASS && message != null) {
        HarmlessText.lines(message).lines().forEach(line -> cli.printLines("      " + line));
      }
    }
  }

  static String seconds(Duration duration) {
    return "%d.%d s".formatted(duration.toSeconds(), duration.toMillisPart() / 100);
  }

  /** Prints a line from time to time, if there is no terminal, to show progress. */
  private void printFromTimeToTime() {
    Instant now = clock.instant();
    if (!cli.terminal()
        && !verbose
        && done < total
        && Duration.between(lastLine, now).compareTo(PATIENCE) >= 0) {
      lastLine = now;
      cli.printErrorLines(
          done + " of " + total + " tests, " + unexpected + " with unexpected results");
    }
  }

  synchronized void end() {
    cli.showProgress("");
  }

  private void show() {
    if (!cli.terminal()) {
      return;
    }
    String line =
        "["
            + done
            + "/"
            + total
            + (unexpected == 0 ? "" : ", " + unexpected + " unexpected")
            + ", "
            + Duration.between(start, clock.instant()).toSeconds()
            + " s] "
            + String.join(" ", running);
    int room = columns - 1; // some terminals wrap after the last column
    cli.showProgress(line.length() > room ? line.substring(0, room) : line);
  }
}
