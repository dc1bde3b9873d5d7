package dev.weblocks.harness.cli;

import dev.weblocks.model.Variant;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that control how tests run. */
final class RunOptions {

  private static final int MAX_JOBS = 1000;
  private static final int MAX_ROUNDS = 1_000_000;

  /** How many tests run at once for each processor, at most, while others only wait. */
  private static final int TESTS_OF_A_PROCESSOR = 4;

  private static final double MIN_FACTOR = 0.001;

  /** Maximum of {@code --timeout-multiplier}; with it, the longest WPT timeout is a valid delay. */
  private static final double MAX_FACTOR = 10_000;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "How many tests run at once. Default: the number of processors; more while these tests"
              + " only wait.")
  private @Nullable Integer jobs;

  @Option(
      names = "--serial",
      description = "Run one test after the other, like --jobs 1; for tests that measure time.")
  private boolean serial;

  @Option(
      names = "--timeout-multiplier",
      paramLabel = "X",
      description = "Multiply the timeouts of tests by X, such as 2 or 0.5. Default: 1.")
  double timeoutMultiplier = 1;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Run all tests N times. Results that differ between the rounds are listed.")
  private @Nullable Integer repeat;

  @Option(
      names = "--until-unexpected",
      description =
          "Repeat until a round has an unexpected result; with --repeat, at most N times.")
  boolean untilUnexpected;

  @Option(
      names = "--shuffle",
      description = "Run the tests in random order, another one each round. Prints the seed.")
  boolean shuffle;

  @Option(
      names = "--deterministic",
      description =
          "Run each test step by step, in an order that --seed decides, and in virtual time, which"
              + " skips waiting: a timeout of a minute takes no longer than its steps. The same"
              + " seed gives the same results again, with any --jobs; each round has the next seed."
              + " A test that still runs after its timeout in real time is ended, too.")
  boolean deterministic;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "The seed of --shuffle and --deterministic: a whole number. The same seed gives the"
              + " same order. Default: 1 with --deterministic, a random one otherwise.")
  private @Nullable Long seed;

  @Option(names = "--fail-fast", description = "Start no further test after an unexpected result.")
  boolean failFast;

  @Option(
      names = "--watch",
      description = "Rerun when a test or expectation file changes. Ctrl-C ends it.")
  boolean watch;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show each test that ends, with its subtests and how long it took.")
  boolean verbose;

  @Option(
      names = "--allow-net",
      description =
          "Allow tests to reach servers other than WPT's own over the real network. Default: no"
              + " access.")
  boolean allowNet;

  @Option(
      names = "--preload",
      paramLabel = "FILE",
      description =
          "Run the script FILE in each window and worker before any other script. A window has an"
              + " empty document by then. A test in which FILE throws, or cannot be parsed, ends with"
              + " ERROR. May be given several times.")
  List<Path> preloads = new ArrayList<>();

  @Option(
      names = "--spec-variant",
      paramLabel = "NAME",
      description =
          "Let locks follow the variant NAME instead of the Working Draft, or all variants of a"
              + " set, node or deno; 'weblocks variants' lists them. May be given several times."
              + " Expectations stay those of the draft: results that a variant changes are"
              + " unexpected. Default: none.")
  private List<String> specVariants = new ArrayList<>();

  @Option(
      names = "--cluster",
      paramLabel = "trial",
      description =
          "Keep the locks of all tests in a lock cluster: trial starts three members in this"
              + " process. Default: each test has lock managers of its own.")
  private @Nullable String cluster;

  /** Returns whether the locks are in a cluster. */
  boolean isClustered() {
    return cluster != null;
  }

  @Nullable String problem() {
    String range =
        jobs != null && Values.outOfRange("--jobs", jobs, 1, MAX_JOBS) instanceof String wrong
            ? wrong
            : repeat != null ? Values.outOfRange("--repeat", repeat, 1, MAX_ROUNDS) : null;
    if (range != null) {
      return range;
    }
    if (serial && jobs != null && jobs != 1) {
      return "--serial means --jobs 1, but --jobs is " + jobs + ": leave one of them out";
    }
    if (!(timeoutMultiplier >= MIN_FACTOR && timeoutMultiplier <= MAX_FACTOR)) {
      return "--timeout-multiplier is "
          + BigDecimal.valueOf(timeoutMultiplier).stripTrailingZeros().toPlainString()
          + ": a number from "
          + MIN_FACTOR
          + " to 10000 is needed";
    }
    if (seed != null && !shuffle && !deterministic) {
      return "--seed needs --shuffle or --deterministic";
    }
    if (cluster != null && !cluster.equals("trial")) {
      return "--cluster is " + cluster + ": the only cluster for tests is trial";
    }
    if (deterministic && cluster != null) {
      return "--cluster and --deterministic exclude each other: messages have no fixed order";
    }
    if (deterministic && allowNet) {
      return "--allow-net and --deterministic exclude each other: responses of a network have no"
          + " fixed order";
    }
    if (watch && (repeat != null || untilUnexpected)) {
      return "--watch and "
          + (repeat != null ? "--repeat" : "--until-unexpected")
          + " exclude each other";
    }
    try {
      Set<Variant> unused = variants();
    } catch (IllegalArgumentException unknown) {
      return "--spec-variant: " + unknown.getMessage();
    }
    return null;
  }

  /**
   * Returns the deviations of locks from the Working Draft.
   *
   * @throws IllegalArgumentException if a name is unknown, or two variants exclude each other;
   *     never if {@link #problem()} returns null
   */
  Set<Variant> variants() {
    return VariantNames.together(specVariants);
  }

  /** Returns the options that may change results; empty for none. */
  String words() {
    List<String> words = new ArrayList<>();
    specVariants.forEach(name -> words.add("--spec-variant " + name));
    preloads.forEach(file -> words.add("--preload " + file.getFileName()));
    if (deterministic) {
      words.add("--deterministic --seed " + seed(1).orElseThrow());
    }
    if (timeoutMultiplier != 1) {
      words.add("--timeout-multiplier " + timeoutMultiplier);
    }
    if (allowNet) {
      words.add("--allow-net");
    }
    if (cluster != null) {
      words.add("--cluster " + cluster);
    }
    return String.join(" ", words);
  }

  @Nullable String needsRun() {
    return repeat != null
        ? "--repeat"
        : untilUnexpected
            ? "--until-unexpected"
            : shuffle
                ? "--shuffle"
                : deterministic
                    ? "--deterministic"
                    : watch
                        ? "--watch"
                        : failFast
                            ? "--fail-fast"
                            : cluster != null
                                ? "--cluster"
                                : specVariants.isEmpty() ? null : "--spec-variant";
  }

  int jobs() {
    return serial ? 1 : jobs != null ? jobs : Runtime.getRuntime().availableProcessors();
  }

  /** Returns the number of tests at once while the others only wait. */
  int mostJobs() {
    return serial || jobs != null || deterministic ? jobs() : jobs() * TESTS_OF_A_PROCESSOR;
  }

  /** Returns the maximum number of rounds; {@link Integer#MAX_VALUE} for no limit. */
  int rounds() {
    return repeat != null ? repeat : untilUnexpected ? Integer.MAX_VALUE : 1;
  }

  /**
   * Returns the seed of the first round; empty if the order does not depend on a seed.
   *
   * @param random seed for {@code --shuffle} without {@code --seed}
   */
  OptionalLong seed(long random) {
    if (!shuffle && !deterministic) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(seed != null ? seed : deterministic ? 1 : random);
  }
}
