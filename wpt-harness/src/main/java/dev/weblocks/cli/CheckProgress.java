package dev.weblocks.cli;

/**
 * Shows how a check of many runs goes: on a terminal one line that changes, elsewhere a line for
 * each tenth of many runs.
 */
final class CheckProgress {

  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final int MANY = 100;

  private final Surroundings surroundings;
  private final int runs;

  /** Progress of so many runs. */
  CheckProgress(Surroundings surroundings, int runs) {
    this.surroundings = surroundings;
    this.runs = runs;
  }

  /** So many are over, and were the same. */
  void same(int done) {
    String text = done + " of " + runs + " runs: the same";
    if (surroundings.terminal()) {
      surroundings.err().print(CLEAR_LINE + text);
    } else if (runs >= MANY && done % (runs / 10) == 0) {
      surroundings.err().println(text);
    }
    surroundings.err().flush();
  }

  /** Takes the changing line away. */
  void end() {
    if (surroundings.terminal()) {
      surroundings.err().print(CLEAR_LINE);
      surroundings.err().flush();
    }
  }
}
