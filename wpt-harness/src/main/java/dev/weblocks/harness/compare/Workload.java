package dev.weblocks.harness.compare;

/**
 * A workload to be measured. Its code is the resource {@code workloads/NAME.js}, the same for all
 * engines; workloads of kinds {@link Kind#FIRST_LOCK} and {@link Kind#USE} have no such file.
 *
 * @param name name of the workload, and of its file if it has one
 * @param about description in one line
 * @param unit unit of its figures
 * @param kind the way it runs
 * @param size size of a round: number of operations, locks or agents
 * @param quickSize size in a quick run
 * @param ownSize size of a round in Weblocks; usually equal to {@code size}
 */
public record Workload(
    String name, String about, Unit unit, Kind kind, int size, int quickSize, int ownSize) {

  /** The kinds of workloads, by the way they run. */
  public enum Kind {
    /** Runs in rounds in one process for each engine, after a warm-up. */
    ROUNDS,
    /**
     * Compares the cost of a request in a queue of up to {@code size} with that in one of 1,000.
     */
    GROWTH,
    /** Starts a new process for each round, and measures the time until its first lock. */
    FIRST_LOCK,
    /** Starts a new process for each round, and measures its memory. */
    MEMORY,
    /**
     * Starts a new process for each round, which requests one lock after the other for {@code size}
     * seconds. The figure is that of the last second. The name is that of a use, and {@code -cold}
     * or {@code -warm}.
     */
    USE
  }

  /** The unit of a figure. */
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

    /** Returns the unit as tables show it. */
    public String text() {
      return text;
    }

    /** Returns whether higher figures are better; otherwise lower ones are. */
    public boolean higherIsBetter() {
      return higherIsBetter;
    }

    /** Returns the figure of a round from the number of operations and their time. */
    double of(double operations, double millis) {
      return higherIsBetter ? operations * 1000 / millis : millis / operations;
    }

    /**
     * Returns how many times better {@code figure} is than {@code other}; below 1, it is worse.
     *
     * @return NaN if one of them is 0
     */
    public double advantage(double figure, double other) {
      double ratio = higherIsBetter ? figure / other : other / figure;
      return Double.isFinite(ratio) && ratio > 0 ? ratio : Double.NaN;
    }
  }

  /** Returns whether its code is a resource {@code workloads/NAME.js}. */
  boolean hasFile() {
    return kind != Kind.FIRST_LOCK && kind != Kind.USE;
  }

  /** Returns the use of a workload of kind {@link Kind#USE}, such as {@code run-file}. */
  String use() {
    return name.substring(0, name.lastIndexOf('-'));
  }

  int sizeFor(boolean own, boolean quick) {
    return quick ? quickSize : own ? ownSize : size;
  }
}
