package dev.weblocks.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs JMH and states the ratios of the two implementations. */
public final class Main {

  private Main() {}

  /**
   * Arguments: flags of the measured JVM, {@code --}, arguments of JMH.
   *
   * @throws RunnerException if the benchmarks cannot be run
   */
  public static void main(String... args) throws RunnerException {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    List<String> flags = all.subList(0, end);
    CommandLineOptions given;
    try {
      given = new CommandLineOptions(all.subList(end + 1, all.size()).toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      System.err.println("bench: " + e.getMessage());
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
    Options options =
        new OptionsBuilder()
            .parent(given)
            .jvmArgs(flags.toArray(String[]::new))
            .resultFormat(ResultFormatType.JSON)
            .result(Path.of("target", "bench", "results.json").toString())
            .build();
    print(new Runner(options).run());
  }

  private static void print(Collection<RunResult> results) {
    Map<String, Map<String, Result<?>>> byOperation = new TreeMap<>();
    for (RunResult each : results) {
      String implementation = each.getParams().getParam("implementation");
      if (implementation == null) {
        continue; // a benchmark that compares no two of them
      }
      String name = each.getParams().getBenchmark();
      byOperation
          .computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), n -> new TreeMap<>())
          .put(implementation, each.getPrimaryResult());
    }
    List<String> lines = new ArrayList<>();
    byOperation.forEach((operation, both) -> {
      Result<?> weblocks = both.get("weblocks");
      Result<?> plain = both.get("plain");
      if (weblocks != null && plain != null) {
        lines.add(
            String.format(
                "%-30s %10.0f %10.0f %8.1f",
                operation,
                weblocks.getScore(),
                plain.getScore(),
                weblocks.getScore() / plain.getScore()));
      }
    });
    if (!lines.isEmpty()) {
      System.out.printf("%n%-30s %10s %10s %8s%n", "ns per operation", "weblocks", "plain", "ratio");
      lines.forEach(System.out::println);
    }
  }
}
