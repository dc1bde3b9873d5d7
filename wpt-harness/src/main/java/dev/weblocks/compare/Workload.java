package dev.weblocks.compare;

/**
 * What is measured. Its code is the resource {@code workloads/NAME.js}, the same for all engines.
 *
 * @param name of the workload and of its file
 * @param about one line for people
 * @param unit of its figures
 * @param kind how it is carried out
 * @param size of a round: operations, locks or agents
 * @param quickSize the same in a quick run
 * @param ownSize of a round in Weblocks, where that differs, else {@code size}
 */
public record Workload(
    String name, String about, Unit unit, Kind kind, int size, int quickSize, int ownSize) {

  /** How a workload is carried out. */
  public enum Kind {
    /** In rounds of one process for each engine, after others that warm it up. */
    ROUNDS,
    /** In sizes from 1,000 up to its own, tenfold each; the figure is a ratio of costs. */
    GROWTH,
    /** Each round is a process of its own, which only starts. */
    FIRST_LOCK,
    /** Each round is a process of its own, whose memory is looked at. */
    MEMORY
  }

  /** What a figure says. */
  public enum Unit {
    LOCKS_PER_SECOND("locks/s", true),
    ABORTS_PER_SECOND("aborts/s", true),
    STEALS_PER_SECOND("steals/s", true),
    HAND_OVERS_PER_SECOND("hand-overs/s", true),
    MILLIS_PER_QUERY("ms/query", false),
    MILLIS_PER_HAND_OVER("ms/hand-over", false),
    MILLIS_PER_AGENT("ms/agent", false),
    MILLIS("ms", false),
    BYTES_PER_AGENT("bytes/agent", false),
    TIMES("times", false);

    private final String text;
    private final boolean higherIsBetter;

    Unit(String text, boolean higherIsBetter) {
      this.text = text;
      this.higherIsBetter = higherIsBetter;
    }

    /** As tables have it. */
    public String text() {
      return text;
    }

    /** Whether more of it is better; else less is. */
    public boolean higherIsBetter() {
      return higherIsBetter;
    }

    /** The figure of a round that has taken some time for some operations. */
    double of(double operations, double millis) {
      return higherIsBetter ? operations * 1000 / millis : millis / operations;
    }

    /**
     * How many times better one figure is than another: above 1, it is better.
     *
     * @return NaN where one of them is 0
     */
    public double advantage(double figure, double other) {
      double ratio = higherIsBetter ? figure / other : other / figure;
      return Double.isFinite(ratio) && ratio > 0 ? ratio : Double.NaN;
    }
  }

  /** The size of a round. */
  int sizeFor(boolean own, boolean quick) {
    return quick ? quickSize : own ? ownSize : size;
  }
}
