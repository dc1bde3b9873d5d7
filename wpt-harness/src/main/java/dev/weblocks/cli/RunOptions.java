package dev.weblocks.cli;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how tests run. */
final class RunOptions {

  private static final int MAX_JOBS = 1000;
  private static final int MAX_ROUNDS = 1_000_000;
  private static final double MIN_FACTOR = 0.001;

  /** The longest timeout of WPT times this still is a delay that timers take. */
  private static final double MAX_FACTOR = 10_000;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "How many tests run at once. Default: the number of processors.")
  private @Nullable Integer jobs;

  @Option(
      names = "--serial",
      description = "One test after the other: --jobs 1, for tests that measure time.")
  private boolean serial;

  @Option(
      names = "--timeout-multiplier",
      paramLabel = "X",
      description =
          "Give tests X times as long, such as 2 or 0.5. Default: 1. --timeout-factor is the same.")
  private @Nullable Double timeoutMultiplier;

  /** Of its own, as help names the shorter of two names first. */
  @Option(names = "--timeout-factor", paramLabel = "X", hidden = true)
  private @Nullable Double timeoutFactor;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Run all of it N times. Results that differ between the rounds are listed.")
  private @Nullable Integer repeat;

  @Option(
      names = "--until-unexpected",
      description = "Repeat until a round has an unexpected result; with --repeat N times at most.")
  boolean untilUnexpected;

  @Option(
      names = "--shuffle",
      description = "Run the tests in random order; each round has another one. Prints the seed.")
  private boolean shuffle;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of --shuffle: a whole number. The same one gives the same order.")
  private @Nullable Long seed;

  @Option(names = "--fail-fast", description = "Start no further test after an unexpected result.")
  boolean failFast;

  @Option(
      names = "--watch",
      description =
          "Run again whenever a file of the tests or an expectation changes. Ctrl-C ends it.")
  boolean watch;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show each test that ends, with its subtests and how long it took.")
  boolean verbose;

  @Option(
      names = "--allow-net",
      description =
          "Let tests reach other servers than WPT's own over the real network. Default: they reach"
              + " none.")
  boolean allowNet;

  @Option(
      names = "--preload",
      paramLabel = "FILE",
      description =
          "Run the script FILE in each window and worker before any other script. May be given"
              + " several times.")
  List<Path> preloads = new ArrayList<>();

  /**
   * What is wrong with these options, if anything.
   *
   * @return a message, or null
   */
  @Nullable String problem() {
    String range =
        jobs != null && Values.outOfRange("--jobs", jobs, 1, MAX_JOBS) instanceof String wrong
            ? wrong
            : repeat != null ? Values.outOfRange("--repeat", repeat, 1, MAX_ROUNDS) : null;
    if (range != null) {
      return range;
    }
    if (serial && jobs != null && jobs != 1) {
      return "--serial is --jobs 1, and --jobs is " + jobs + ": leave one of them out";
    }
    if (timeoutMultiplier != null && timeoutFactor != null) {
      return "--timeout-factor is --timeout-multiplier: leave one of them out";
    }
    double factor = timeoutFactor();
    if (!(factor >= MIN_FACTOR && factor <= MAX_FACTOR)) {
      return (timeoutFactor != null ? "--timeout-factor" : "--timeout-multiplier")
          + " is "
          + BigDecimal.valueOf(factor).stripTrailingZeros().toPlainString()
          + ": a number from "
          + MIN_FACTOR
          + " to 10000 is needed";
    }
    if (seed != null && !shuffle) {
      return "--seed is for --shuffle, which is not there";
    }
    if (watch && (repeat != null || untilUnexpected)) {
      return "--watch cannot be had with " + (repeat != null ? "--repeat" : "--until-unexpected");
    }
    return null;
  }

  /** An option that only makes sense when tests run; null if there is none. */
  @Nullable String needsRun() {
    return repeat != null
        ? "--repeat"
        : untilUnexpected
            ? "--until-unexpected"
            : shuffle ? "--shuffle" : watch ? "--watch" : failFast ? "--fail-fast" : null;
  }

  double timeoutFactor() {
    return timeoutMultiplier != null
        ? timeoutMultiplier
        : timeoutFactor != null ? timeoutFactor : 1;
  }

  int jobs() {
    return serial ? 1 : jobs != null ? jobs : Runtime.getRuntime().availableProcessors();
  }

  /** How often at most; there may be no limit. */
  int rounds() {
    return repeat != null ? repeat : untilUnexpected ? Integer.MAX_VALUE : 1;
  }

  /**
   * The seed of the first round's order; empty when the order is that of the selection.
   *
   * @param random when nobody chose one
   */
  OptionalLong seed(long random) {
    return shuffle ? OptionalLong.of(seed != null ? seed : random) : OptionalLong.empty();
  }
}
