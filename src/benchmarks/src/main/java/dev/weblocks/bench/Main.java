package dev.weblocks.bench;

import dev.weblocks.agent.EventLoopBenchmark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs JMH and prints each result beside its reference. */
public final class Main {

  /** The groups of benchmarks, by their names in {@code scripts/bench}. */
  private static final Map<String, List<Class<?>>> GROUPS =
      Map.of(
          "core", List.of(LockManagersBenchmark.class, EventLoopBenchmark.class),
          "binding", List.of(BindingBenchmark.class),
          "locks", List.of(LockBenchmark.class),
          "requests", List.of(RequestBenchmark.class),
          "installation", List.of(InstallationBenchmark.class),
          "memory", List.of(MemoryBenchmark.class));

  /** The value that others are compared with, by parameter. */
  private static final Map<String, String> BASELINES =
      Map.of("implementation", "plain", "observer", "none", "globals", Installations.NONE);

  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final String RETAINED = "retainedKB";
  private static final double KILOBYTE = 1000;

  private Main() {}

  /**
   * Arguments: flags of the measured JVM, {@code --}, arguments of JMH.
   *
   * @throws RunnerException if the benchmarks cannot be listed
   */
  public static void main(String... args) throws RunnerException {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    List<String> flags = all.subList(0, end);
    CommandLineOptions given;
    try {
      given =
          new CommandLineOptions(
              all.subList(end + 1, all.size()).stream().map(Main::pattern).toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      System.err.println("bench: " + named(e.getMessage(), all) + " (scripts/bench --help)");
      System.exit(2);
      return;
    }
    if (given.shouldHelp()) {
      try {
        given.showHelp();
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      return;
    }
    if (given.shouldList() || given.shouldListWithParams()) {
      Runner runner = new Runner(given);
      if (given.shouldList()) {
        runner.list();
      } else {
        runner.listWithParams(given);
      }
      return;
    }
    Options options =
        new OptionsBuilder()
            .parent(given)
            .jvmArgs(flags.toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .resultFormat(ResultFormatType.JSON)
            .result(Path.of("target", "bench", "results.json").toString())
            .build();
    Collection<RunResult> results;
    try {
      results = new Runner(options).run();
    } catch (RunnerException e) {
      System.err.println(
          "bench: "
              + (e instanceof NoBenchmarksException
                  ? "no benchmark matches " + String.join(", ", given.getIncludes())
                  : Objects.requireNonNullElse(e.getMessage(), "failed")
                      .lines()
                      .findFirst()
                      .orElse("failed"))
              + "; scripts/bench -l lists all (scripts/bench --help)");
      System.exit(2);
      return;
    }
    print(results);
  }

  /** Returns JMH's message about an option, with the dashes that JMH removes from it. */
  private static String named(String message, List<String> arguments) {
    return arguments.stream()
        .filter(each -> each.startsWith("-"))
        .filter(each -> message.startsWith(each.replaceFirst("^-+", "") + " is "))
        .findFirst()
        .map(each -> each + message.substring(message.indexOf(" is ")))
        .orElse(message);
  }

  private static String pattern(String argument) {
    List<Class<?>> group = GROUPS.get(argument);
    return group == null
        ? argument
        : group.stream().map(Class::getSimpleName).collect(Collectors.joining("|", "\\.(", ")\\."));
  }

  private static void print(Collection<RunResult> results) {
    System.out.printf(
        "%n%-50s %12s %12s %-5s %8s %12s %12s%n",
        "", "min", "median", "", "ratio", "difference", "KB allocated");
    for (RunResult each : results) {
      String unit = each.getPrimaryResult().getScoreUnit();
      boolean memory = hasRetained(each);
      double[] scores = scores(each);
      double median = median(scores);
      RunResult baseline = baselineOf(each, results);
      String compared =
          baseline == null
              ? String.format("%8s %12s", "", "")
              : String.format(
                  "%8.2f %,12.2f",
                  median / median(scores(baseline)), median - median(scores(baseline)));
      Result<?> allocated = each.getSecondaryResults().get(ALLOCATED);
      System.out.printf(
          "%-50s %,12.2f %,12.2f %-5s %s %12s%n",
          label(each.getParams()),
          scores[0],
          median,
          memory ? "KB" : unit,
          compared,
          allocated == null || memory
              ? ""
              : String.format("%,.3f", allocated.getScore() / KILOBYTE));
    }
    System.out.println(
        "ratio, difference: of the medians, to the line of the same name with \"plain\" or \"none\";"
            + " in core, to the benchmark of the same work on plain collections");
  }

  /** Returns class, method and parameter values of a benchmark. */
  static String label(BenchmarkParams params) {
    StringBuilder label = new StringBuilder();
    String name = params.getBenchmark();
    label.append(name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1));
    for (String key : params.getParamsKeys()) {
      label.append(' ').append(params.getParam(key));
    }
    return label.toString();
  }

  private static boolean hasRetained(RunResult result) {
    return result.getSecondaryResults().containsKey(RETAINED);
  }

  /** Returns the retained memory if measured, else the times; of all iterations, sorted. */
  static double[] scores(RunResult result) {
    List<Double> scores = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        Result<?> retained = iteration.getSecondaryResults().get(RETAINED);
        scores.add((retained == null ? iteration.getPrimaryResult() : retained).getScore());
      }
    }
    return scores.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  /** Returns the bytes allocated by an operation; of all iterations, sorted. */
  static double[] allocated(RunResult result) {
    return result.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .mapToDouble(iteration -> iteration.getSecondaryResults().get(ALLOCATED).getScore())
        .sorted()
        .toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * Returns the result that has the baseline value of a parameter and is otherwise the same, or the
   * reference of a benchmark without parameters; null for none.
   */
  private static @Nullable RunResult baselineOf(RunResult result, Collection<RunResult> results) {
    BenchmarkParams params = result.getParams();
    String reference = References.CORE.get(label(params));
    for (RunResult other : results) {
      BenchmarkParams others = other.getParams();
      if (label(others).equals(reference)
          || other != result
              && others.getBenchmark().equals(params.getBenchmark())
              && params.getParamsKeys().stream()
                  .allMatch(key ->
                      others
                          .getParam(key)
                          .equals(BASELINES.getOrDefault(key, params.getParam(key))))) {
        return other;
      }
    }
    return null;
  }
}
