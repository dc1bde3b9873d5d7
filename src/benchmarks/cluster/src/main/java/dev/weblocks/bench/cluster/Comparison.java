package dev.weblocks.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Runs each workload on both lock stores in turn, several times, and prints the medians. */
public final class Comparison {

  private static final List<String> STORES = List.of("weblocks", "curator");

  /**
   * A workload with its figures.
   *
   * @param title may have a place for the amount
   * @param isInTurns whether the stores work in turns for some seconds, not one after the other
   * @param amount seconds, or the number of waiters or sessions
   */
  private record Workload(
      String name, String title, boolean isInTurns, int amount, List<Figure> figures) {
    Workload withAmount(int other) {
      return new Workload(name, title, isInTurns, other, figures);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, title, amount);
    }
  }

  private record Figure(String unit, boolean moreIsBetter) {}

  private static final List<Figure> STEADY =
      List.of(
          new Figure("locks/s", true),
          new Figure("ms to the grant, median", false),
          new Figure("ms, 99th percentile", false));

  private static final List<Workload> WORKLOADS =
      List.of(
          new Workload("one", "one client, one thread", true, 60, STEADY),
          new Workload("awaited", "one client, one thread, each release awaited", true, 60, STEADY),
          new Workload("many", "one client, 64 threads, a lock each", true, 60, STEADY),
          new Workload(
              "contended",
              "8 clients of 8 threads, one lock",
              true,
              60,
              List.of(
                  new Figure("hand-overs/s", true),
                  new Figure("ms from the release to the next grant, median", false),
                  new Figure("ms, 99th percentile", false))),
          new Workload(
              "waiters",
              "%,d that wait for 100 locks",
              false,
              100_000,
              List.of(
                  new Figure("queued per second", true), new Figure("granted per second", true))),
          new Workload(
              "expire",
              "%,d sessions that expire together",
              false,
              10_000,
              List.of(
                  new Figure("s from their end to the first grant", false),
                  new Figure("s to the last grant", false))));

  private Comparison() {}

  /** Arguments: rounds, and workloads as NAME or NAME=AMOUNT; all by default. */
  public static void main(String... args) {
    int rounds = args.length == 0 ? 3 : Integer.parseInt(args[0]);
    List<Workload> wanted =
        args.length < 2 ? WORKLOADS : Stream.of(args).skip(1).map(Comparison::workload).toList();
    System.out.printf("%-60s %12s %12s %8s%n", "", "weblocks", "curator", "better");
    boolean complete = true;
    for (Workload workload : wanted) {
      Map<String, List<double[]>> results = measure(workload, rounds);
      print(workload, results);
      complete &= results.values().stream().noneMatch(List::isEmpty);
    }
    System.exit(complete ? 0 : 1);
  }

  private static Workload workload(String argument) {
    String[] parts = argument.split("=", 2);
    Workload found =
        WORKLOADS.stream().filter(each -> each.name().equals(parts[0])).findFirst().orElseThrow();
    return parts.length == 1 ? found : found.withAmount(Integer.parseInt(parts[1]));
  }

  private static Map<String, List<double[]>> measure(Workload workload, int rounds) {
    Map<String, List<double[]>> results = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      List<Run> running = new ArrayList<>();
      long begin = System.currentTimeMillis();
      for (int turn = 0; turn < STORES.size(); turn++) {
        running.add(start(STORES.get(turn), workload, Turns.arguments(begin, turn, STORES.size())));
        if (!workload.isInTurns()) {
          running.getLast().result().join();
        }
      }
      for (Run each : running) {
        List<double[]> rows = results.computeIfAbsent(each.store(), s -> new ArrayList<>());
        each.result().join().ifPresent(rows::add);
      }
    }
    return results;
  }

  /**
   * A process at work.
   *
   * @param result completes when the process has ended
   */
  private record Run(String store, CompletableFuture<Optional<double[]>> result) {}

  private static Run start(String store, Workload workload, String... turns) {
    CompletableFuture<Optional<double[]>> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            result.complete(run(store, workload, turns));
          } catch (Throwable failed) { // it is waited for
            result.completeExceptionally(failed);
          }
        });
    return new Run(store, result);
  }

  /** Returns the figures; none after a failure, whose reason is on standard error. */
  private static Optional<double[]> run(String store, Workload workload, String... turns)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of(store, workload.name(), String.valueOf(workload.amount())));
    arguments.addAll(List.of(turns));
    Process process = java(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    double[] figures = null;
    try (BufferedReader out =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("result ")) {
          figures = Stream.of(line.split(" ")).skip(1).mapToDouble(Double::parseDouble).toArray();
        }
      }
    }
    int status = process.waitFor();
    if (status != 0 || figures == null) {
      System.err.println(store + " failed with status " + status + " at " + workload);
      return Optional.empty();
    }
    return Optional.of(figures);
  }

  /** Returns a process of {@link Work}. */
  static ProcessBuilder java(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx6g",
            "--enable-native-access=ALL-UNNAMED",
            "-Dsun.misc.unsafe.memory.access=allow", // no warnings about libraries
            "-Dpolyglot.engine.WarnInterpreterOnly=false",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            Work.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  private static void print(Workload workload, Map<String, List<double[]>> results) {
    System.out.println(workload);
    for (int i = 0; i < workload.figures().size(); i++) {
      Figure figure = workload.figures().get(i);
      double ours = median(results.get("weblocks"), i);
      double theirs = median(results.get("curator"), i);
      System.out.printf(
          Locale.ROOT,
          "  %-58s %,12.2f %,12.2f %7.2fx%n",
          figure.unit(),
          ours,
          theirs,
          figure.moreIsBetter() ? ours / theirs : theirs / ours);
    }
  }

  /** Returns NaN if the store has failed in each round. */
  private static double median(List<double[]> results, int index) {
    double[] sorted = results.stream().mapToDouble(figures -> figures[index]).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }
}
