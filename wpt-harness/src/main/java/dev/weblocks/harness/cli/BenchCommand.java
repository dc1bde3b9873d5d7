package dev.weblocks.harness.cli;

import dev.weblocks.harness.compare.BenchmarkRun;
import dev.weblocks.harness.compare.Engines;
import dev.weblocks.harness.compare.ResultChart;
import dev.weblocks.harness.compare.ResultJson;
import dev.weblocks.harness.compare.ResultText;
import dev.weblocks.harness.compare.Results;
import dev.weblocks.harness.compare.Workload;
import dev.weblocks.harness.compare.WorkloadFiles;
import dev.weblocks.harness.compare.Workloads;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.wpt.IoProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that compares the speed and memory use of Weblocks with other runtimes. */
@Command(
    name = "bench",
    description = {
      "Run the same JavaScript workloads in Weblocks, on the optimising compiler and on the"
          + " interpreter, and in every other runtime found, and print a table of medians and"
          + " ratios.",
      "",
      "Engines take turns: for each workload all are warmed up, then they run one round each, and"
          + " so on; only one runs at a time. An engine that exceeds the time limit of a round gets"
          + " smaller rounds. If it was fast enough in its warm-up, it is restarted once. An engine"
          + " that fails has no result for the workload. The table or a note below shows each of"
          + " these cases.",
      "",
      "Engines: weblocks-jit and weblocks, which is the interpreter; node and deno, in pinned"
          + " versions that the launcher installs into the cache with npm, otherwise those on the"
          + " PATH; chromium and firefox, if they are installed.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Ratios: for each workload, how many times better Weblocks is than the better one of Node and"
          + " Deno, by medians; above 1 Weblocks is ahead. --list shows whether more is better."
          + " ratioToBest in the JSON is the ratio of weblocks-jit.",
      "",
      "JSON: {\"workloads\": [{\"name\", \"unit\", \"better\", \"results\": {ENGINE: {\"median\","
          + " \"min\", \"max\", \"rounds\", \"size\", \"warm\"} or {\"failed\"}}, \"best\","
          + " \"ratioToBest\"}]} and the settings of the run.",
      "",
      "Exit status: 0 all workloads were measured, 1 Weblocks failed in a workload, 2 the command"
          + " could not do its work, 130 ended by Ctrl-C, which shows the results so far.",
      "",
      "Examples:",
      "  weblocks bench --quick                       rough results in some minutes",
      "  weblocks bench sequential query --engine node --engine weblocks-jit",
      "  weblocks bench --json bench.json --chart bench.svg"
    })
final class BenchCommand extends CliCommand {

  private static final int ROUNDS = 5;
  private static final int QUICK_ROUNDS = 3;
  private static final int MAX_ROUNDS = 1000;

  private final RunEnvironment own;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      description = "The workloads to run; --list names them. Default: all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--quick",
      description =
          "Small rounds, little warm-up: rough results. An engine that is not warm yet gets no"
              + " ratio.")
  private boolean quick;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description =
          "Measure this engine only: weblocks-jit, weblocks, node, deno, chromium or firefox. May be given"
              + " several times. Default: all installed engines.")
  private List<String> engines = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Rounds of each engine. Long workloads get at most 3, memory and growth 1; the JSON"
              + " states the number. Default: 5, or 3 with --quick.")
  private @Nullable Integer rounds;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results to FILE as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--chart",
      paramLabel = "FILE",
      description = "Draw the ratios into FILE: a picture if it ends in .svg, a page if in .html.")
  private @Nullable Path chart;

  @Option(names = "--list", description = "List the workloads without running them.")
  private boolean list;

  @Mixin private final HelpOption help = new HelpOption();

  BenchCommand(CliEnvironment cli, RunEnvironment own) {
    super(cli);
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    List<Workload> workloads = workloads();
    for (String engine : engines) {
      if (!Engines.NAMES.contains(engine)) {
        throw usage(
            "--engine '%s' is unknown; engines are %s"
                .formatted(engine, String.join(", ", Engines.NAMES)));
      }
    }
    requireRange("--rounds", rounds, 1, MAX_ROUNDS);
    requireFiles();
    if (list) {
      for (Workload each : workloads) {
        cli.printf(
            "%-22s %s (%s, %s is better)%n",
            each.name(),
            each.about(),
            each.unit().text(),
            each.unit().higherIsBetter() ? "more" : "less");
      }
      return Main.AS_EXPECTED;
    }
    return measure(workloads);
  }

  private List<Workload> workloads() {
    List<Workload> wanted = new ArrayList<>();
    for (Workload each : Workloads.ALL) {
      if (names.isEmpty() || names.contains(each.name())) {
        wanted.add(each);
      }
    }
    for (String name : names) {
      if (Workloads.ALL.stream().noneMatch(each -> each.name().equals(name))) {
        throw usage("unknown workload '" + name + "'; --list names all");
      }
    }
    return wanted;
  }

  // ---- files -----------------------------------------------------------------------------------

  private void requireFiles() throws CommandFailure {
    if (chart != null && !endsWith(chart, ".svg") && !endsWith(chart, ".html")) {
      throw usage("--chart '" + chart + "' must end in .svg or .html");
    }
    if (list && (json != null || chart != null)) {
      throw usage((json != null ? "--json" : "--chart") + " and --list exclude each other");
    }
    OutputFile figures = OutputFile.of("--json", json, own.workingDirectory());
    OutputFile picture = OutputFile.of("--chart", chart, own.workingDirectory());
    if (figures != null) {
      figures.requireWritable();
    }
    if (picture != null) {
      picture.requireWritable();
    }
    if (figures != null && picture != null && picture.isSameAs(figures)) {
      throw usage("--json and --chart name the same file " + picture.name());
    }
  }

  private static boolean endsWith(Path file, String extension) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(extension);
  }

  // ---- the run ---------------------------------------------------------------------------------

  private int measure(List<Workload> workloads) throws CommandFailure, InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    try (WorkloadFiles files = new WorkloadFiles();
        Processes processes = new Processes(files.directory())) {
      BenchmarkRun.Settings settings =
          quick
              ? BenchmarkRun.Settings.quick(rounds == null ? QUICK_ROUNDS : rounds)
              : BenchmarkRun.Settings.full(rounds == null ? ROUNDS : rounds);
      BenchProgress progress = new BenchProgress(cli, workloads, Clock.systemUTC());
      BenchmarkRun benchmarkRun = new BenchmarkRun(settings, System::nanoTime, progress);
      Runnable deafen =
          own.interrupts()
              .listen(
                  () -> {
                    benchmarkRun.stop();
                    processes.close();
                  },
                  ended);
      try {
        Engines found =
            Engines.find(
                engines.isEmpty() ? Engines.NAMES : engines,
                cli.property(),
                cli.variable(),
                files,
                processes);
        Results results = benchmarkRun.run(found, workloads);
        progress.end();
        return show(results);
      } finally {
        deafen.run();
      }
    } catch (IOException e) {
      throw new CommandFailure("the workloads cannot be prepared: " + IoProblem.text(e));
    } finally {
      ended.countDown();
    }
  }

  private int show(Results results) throws CommandFailure {
    for (Engines.LeftOut each : results.leftOut()) {
      cli.note("skipping " + each.name() + ": " + UsageError.line(each.reason()));
    }
    if (results.versions().isEmpty()) {
      throw new CommandFailure("no engine can be measured");
    }
    cli.printLines(ResultText.of(results));
    cli.out().flush();
    OutputFile figures = OutputFile.of("--json", json, own.workingDirectory());
    if (figures != null) {
      figures.write(ResultJson.of(results));
    }
    OutputFile picture = OutputFile.of("--chart", chart, own.workingDirectory());
    if (picture != null) {
      picture.write(
          endsWith(picture.name(), ".html")
              ? ResultChart.page(results)
              : ResultChart.picture(results));
    }
    return results.ownFailure() ? Main.UNEXPECTED : Main.AS_EXPECTED;
  }
}
