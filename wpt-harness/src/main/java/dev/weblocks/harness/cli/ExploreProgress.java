package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.text.HarmlessText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/**
 * The progress display of an exploration. A terminal shows one line that is updated; other outputs
 * get a line every ten seconds.
 */
final class ExploreProgress {

  private static final Duration BLINK = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CliEnvironment cli;
  private final InstantSource clock;
  private Instant lastLine;
  private boolean ended;

  ExploreProgress(CliEnvironment cli, InstantSource clock) {
    this.cli = cli;
    this.clock = clock;
    this.lastLine = clock.instant();
  }

  /** Shows the progress if enough time has passed since the last time. Thread-safe. */
  synchronized void show(Explorer.Report report) {
    Instant now = clock.instant();
    boolean terminal = cli.terminal();
    if (ended || Duration.between(lastLine, now).compareTo(terminal ? BLINK : PATIENCE) < 0) {
      return;
    }
    lastLine = now;
    if (terminal) {
      cli.showProgress("[" + figures(report) + "]");
    } else {
      cli.printErrorLines(figures(report));
      cli.err().flush();
    }
  }

  /** Clears the progress line; afterwards nothing is shown. */
  synchronized void end() {
    ended = true;
    cli.showProgress("");
  }

  static String figures(Explorer.Report report) {
    int findings = report.found().size();
    return String.format(
        Locale.ROOT,
        "%,d schedule%s in %s (%.1f a second)%s, %,d distinct states, %s",
        report.schedules(),
        report.schedules() == 1 ? "" : "s",
        Progress.seconds(report.time()),
        report.perSecond(),
        report.known() == 0 ? "" : String.format(Locale.ROOT, ", %,d pruned", report.known()),
        report.states(),
        findings == 0 ? "no finding" : HarmlessText.count(findings, "finding"));
  }
}
