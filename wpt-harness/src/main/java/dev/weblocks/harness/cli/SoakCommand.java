package dev.weblocks.harness.cli;

import dev.weblocks.embed.Environment;
import dev.weblocks.harness.stress.SoakRun;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that mixes everything for a long time and looks for leaks. */
@Command(
    name = "soak",
    description =
        "Mix windows, workers, frames, ports, steals, aborts, navigations, memory pressure and"
            + " kills for a long time. Checked: scripts always make progress, and heap, threads,"
            + " open files and locks are at the end as at the start.",
    sortOptions = false,
    footer = {"", "Exit status: 0 no problem, 1 a problem was found, 2 the test could not be run."})
final class SoakCommand extends CliCommand {

  /** Allowed heap growth, for caches of the engine and of the JVM. */
  private static final long HEAP_TOLERANCE_BYTES = 12L << 20;

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final RunEnvironment.Interrupts interrupts;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description =
          "How long to run after the warm-up, such as 30s, 10m or 1h; at least 1s. Default: 1m.")
  private String time = "1m";

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "How many windows are open at once. Default: 8.")
  private int windows = 8;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that run agents. Default: twice the number of processors, 4 at least.")
  private @Nullable Integer threads;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed that decides what windows do and which is closed next. Default: 1.")
  private long seed = 1;

  @Mixin private final HelpOption help = new HelpOption();

  SoakCommand(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
    super(cli);
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() {
    Duration duration = duration();
    requireRange("--windows", windows, 1, 1000);
    requireRange("--threads", threads, 1, 1000);
    int pool =
        threads != null ? threads : Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    cli.printf(
        "Mixing everything for %s, %,d windows at once, %d threads, seed %d%n",
        time, windows, pool, seed);
    cli.printf(
        "%7s %8s %7s %9s %8s %6s %6s %7s %9s %7s%n",
        "time/s", "windows", "agents", "heap/MB", "threads", "files", "locks", "realms", "actions",
        "kills");
    SoakRun.Report report;
    try (Environment environment = Environment.create();
        StressLocks locks = new StressLocks(cli, interrupts, sample -> {})) {
      report =
          SoakRun.run(
              new SoakRun.Settings(duration, windows, pool, seed),
              environment,
              new SoakRun.Listener() {
                @Override
                public void began(Supplier<List<LockEntry>> current) {
                  locks.began(current);
                }

                @Override
                public void sampled(SoakRun.Sample sample) {
                  print(sample);
                }
              });
      locks.show(report.locks());
    }
    StressCommand.print(cli, report.realms());
    List<String> problems = problems(report);
    cli.println(printed(problems));
    return problems.isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  private Duration duration() {
    Duration read;
    try {
      read = Values.duration(time);
    } catch (IllegalArgumentException wrong) {
      throw usage("--for " + wrong.getMessage());
    }
    if (read.compareTo(SHORTEST) < 0) {
      throw usage("--for is " + time + "; use at least 1s");
    }
    return read;
  }

  private void print(SoakRun.Sample sample) {
    cli.printf(
        "%7d %8d %7d %9.1f %8d %6s %6d %7s %,9d %,7d%n",
        sample.at().toSeconds(),
        sample.windows(),
        sample.agents(),
        sample.heapBytes() / 1e6,
        sample.threads(),
        known(sample.files()),
        sample.locks(),
        known(sample.realms()),
        sample.actions(),
        sample.kills());
    cli.out().flush();
  }

  private static String known(long count) {
    return count < 0 ? "?" : Long.toString(count);
  }

  private static List<String> problems(SoakRun.Report report) {
    List<String> problems = new ArrayList<>(report.complaints());
    if (!problems.isEmpty()) {
      return problems;
    }
    SoakRun.Sample first = report.samples().getFirst();
    SoakRun.Sample last = report.samples().getLast();
    if (last.heapBytes() > first.heapBytes() + HEAP_TOLERANCE_BYTES) {
      problems.add(
          String.format(
              Locale.ROOT,
              "the heap has grown from %.1f to %.1f MB",
              first.heapBytes() / 1e6,
              last.heapBytes() / 1e6));
    }
    compare("threads", first.threads(), last.threads(), problems);
    compare("open files", first.files(), last.files(), problems);
    compare("locks", 0, last.locks(), problems);
    compare("agents", 0, last.agents(), problems);
    if (!report.realms().isClean()) {
      problems.add("realms leaked");
    }
    return problems;
  }

  private static void compare(String what, long before, long after, List<String> problems) {
    if (after > before) {
      problems.add(what + " leaked: " + before + " before, " + after + " after");
    }
  }
}
