package dev.weblocks.harness.cli;

/**
 * The progress display of {@code --check-deterministic}, which compares repeated runs. A terminal
 * shows one updated line; other outputs get a line after each tenth of at least 100 runs.
 */
final class CheckProgress {

  private static final int MANY = 100;

  private final CliEnvironment cli;
  private final int runs;

  CheckProgress(CliEnvironment cli, int runs) {
    this.cli = cli;
    this.runs = runs;
  }

  /** Shows the number of completed runs, which all had the same result. */
  void same(int done) {
    String text = done + " of " + runs + " runs: the same";
    if (cli.terminal()) {
      cli.showProgress(text);
    } else if (runs >= MANY && done % (runs / 10) == 0) {
      cli.printErrorLines(text);
      cli.err().flush();
    }
  }

  void end() {
    cli.showProgress("");
  }
}
