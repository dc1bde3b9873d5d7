package dev.weblocks.bench;

import dev.weblocks.bench.Baseline.BadBaselineException;
import dev.weblocks.bench.Baseline.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures a small set of benchmarks and compares them with a stored baseline.
 *
 * <p>Only C1 compiles: it is warm within a second, and since it never eliminates an allocation, the
 * allocated bytes are the same in each run. The minimum of all iterations counts, since noise can
 * only increase a value.
 */
public final class Guard {

  private static final Path OUT = Path.of("target", "bench");
  private static final Path BASELINE = Path.of("src", "jmh", "baseline.json");

  private static final List<String> MODE =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms512m", "-Xmx512m");

  private static final String UPDATE = "--update";
  private static final int SECONDS_FOR_EACH = 6;

  private Guard() {}

  /** A failure of the guard; the message is one line. */
  private static final class FailureException extends Exception {
    FailureException(String message) {
      super(message);
    }
  }

  /** Arguments: flags of the measured JVM, {@code --}, and optionally {@code --update}. */
  public static void main(String... args) {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    try {
      System.exit(run(all.subList(0, end), all.subList(end + 1, all.size()).contains(UPDATE)));
    } catch (FailureException e) {
      System.err.println("bench: " + e.getMessage() + " (scripts/bench --help)");
      System.exit(2);
    }
  }

  private static int run(List<String> flags, boolean update) throws FailureException {
    Map<String, String> references = new TreeMap<>(References.CORE);
    references.putAll(References.ABOVE_THE_CORE);
    String jvm =
        System.getProperty("java.vm.name")
            + " "
            + Runtime.version().feature()
            + ", "
            + System.getProperty("os.arch");
    String mode = String.join(" ", MODE);
    Baseline baseline = read();
    if (!update) {
      if (baseline == null) {
        throw new FailureException("there is no " + BASELINE + "; --guard --update makes it");
      }
      String misfit = baseline.misfit(jvm, mode, references);
      if (misfit != null) {
        throw new FailureException(
            BASELINE + " cannot be compared with: " + misfit + "; --guard --update makes it anew");
      }
    }
    Map<String, RunResult> results = measure(flags, references);
    Map<String, Measured> measured = new TreeMap<>();
    references.forEach((label, reference) ->
        measured.put(
            label,
            new Measured(
                reference,
                time(results, label) / time(results, reference),
                bytes(results, label))));
    print(measured, baseline, results);
    if (update) {
      write(Baseline.of(jvm, mode, measured, baseline));
      System.out.println("written: " + BASELINE);
      return 0;
    }
    List<String> worse = baseline.worse(measured);
    worse.forEach(line -> System.err.println("bench: " + line));
    System.out.println(
        worse.isEmpty() ? "none is worse" : worse.size() + " of " + measured.size() + " are worse");
    return worse.isEmpty() ? 0 : 1;
  }

  private static @Nullable Baseline read() throws FailureException {
    try {
      return Baseline.parse(Files.readString(BASELINE));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new FailureException("cannot read " + BASELINE + ": " + e);
    } catch (BadBaselineException e) {
      throw new FailureException(
          BASELINE + ": " + e.getMessage() + "; mend it, or delete it and use --guard --update");
    }
  }

  private static void write(Baseline baseline) throws FailureException {
    Path whole = OUT.resolve("baseline.json");
    try {
      Files.writeString(whole, baseline.toJson());
      Files.move(whole, BASELINE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new FailureException("cannot write " + BASELINE + ": " + e);
    }
  }

  private static Map<String, RunResult> measure(List<String> flags, Map<String, String> references)
      throws FailureException {
    Collection<String> labels = new TreeSet<>(references.keySet());
    labels.addAll(references.values());
    Path log = OUT.resolve("guard.log");
    List<String> jvmArgs = new ArrayList<>(flags);
    jvmArgs.addAll(MODE);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(4)
            .warmupTime(TimeValue.milliseconds(500))
            .measurementIterations(5)
            .measurementTime(TimeValue.milliseconds(400))
            .jvmArgs(jvmArgs.toArray(String[]::new))
            .param("implementation", "weblocks", "plain")
            .param("observer", "none")
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .output(log.toString());
    for (String label : labels) {
      String benchmark = label.split(" ", 2)[0];
      options.include("\\." + Pattern.quote(benchmark) + "$");
    }
    System.err.printf(
        "measuring %d benchmarks, which takes some %d minutes; details: %s%n",
        labels.size(), Math.ceilDiv(labels.size() * SECONDS_FOR_EACH, 60), log);
    Map<String, RunResult> results = new HashMap<>();
    try {
      for (RunResult each : new Runner(options.build()).run()) {
        results.put(Main.label(each.getParams()), each);
      }
    } catch (RunnerException e) {
      throw new FailureException(
          "the benchmarks failed ("
              + Objects.requireNonNullElse(e.getMessage(), "").lines().findFirst().orElse("?")
              + "), see "
              + log);
    }
    for (String label : labels) {
      if (!results.containsKey(label)) {
        throw new FailureException("nothing was measured for " + label + ", see " + log);
      }
    }
    return results;
  }

  private static double time(Map<String, RunResult> results, String label) {
    return Main.scores(results.get(label))[0];
  }

  private static double bytes(Map<String, RunResult> results, String label) {
    return Main.allocated(results.get(label))[0];
  }

  private static void print(
      Map<String, Measured> measured, @Nullable Baseline baseline, Map<String, RunResult> results) {
    System.out.printf(
        "%-54s %12s %9s %9s %12s %12s%n", "", "ns", "ratio", "before", "bytes", "before");
    measured.forEach((label, now) -> {
      Baseline.Entry before = baseline == null ? null : baseline.entries().get(label);
      System.out.printf(
          "%-54s %,12.1f %,9.3f %9s %,12.1f %12s%n",
          label,
          time(results, label),
          now.ratio(),
          before == null ? "" : String.format("%,.3f", before.ratio()),
          now.bytes(),
          before == null ? "" : String.format("%,.1f", before.bytes()));
    });
  }
}
