package dev.weblocks.harness.cli;

/**
 * The display of the progress of a check of many runs. On a terminal it is one line that is
 * updated; elsewhere it is a line after each tenth of the runs if there are at least 100.
 */
final class CheckProgress {

  private static final int MANY = 100;

  private final CliEnvironment cli;
  private final int runs;

  CheckProgress(CliEnvironment cli, int runs) {
    this.cli = cli;
    this.runs = runs;
  }

  /** Shows that a number of runs are over, and were the same. */
  void same(int done) {
    String text = done + " of " + runs + " runs: the same";
    if (cli.terminal()) {
      cli.showProgress(text);
    } else if (runs >= MANY && done % (runs / 10) == 0) {
      cli.err().println(text);
      cli.err().flush();
    }
  }

  void end() {
    cli.showProgress("");
  }
}
