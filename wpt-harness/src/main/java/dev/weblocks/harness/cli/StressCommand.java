package dev.weblocks.harness.cli;

import dev.weblocks.embed.Environment;
import dev.weblocks.harness.stress.KillReport;
import dev.weblocks.harness.stress.KillRun;
import dev.weblocks.harness.stress.KillSettings;
import dev.weblocks.harness.stress.RealmCount;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command with stress tests of the library. */
@Command(
    name = "stress",
    description = "Run a stress test of the library.",
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
final class StressCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  StressCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command is given");
  }

  /** The command that kills agents while they contend for locks. */
  @Command(
      name = "kill",
      description =
          "Kill agents at random points while they contend for locks. Always checked: an ended"
              + " agent holds no lock, its locks pass on only after it has stopped, and no"
              + " surviving agent waits forever. Checked at the end: no memory and no thread"
              + " leaks.",
      sortOptions = false,
      footer = {
        "",
        "Exit status: 0 no problem, 1 a problem was found, 2 the test could not be run."
      })
  static final class Kill extends CliCommand {

    /** Allowed heap growth, for caches of the engine and of the JVM. */
    private static final long HEAP_TOLERANCE_BYTES = 12L << 20;

    private final RunEnvironment.Interrupts interrupts;

    @Option(
        names = "--agents",
        paramLabel = "N",
        description = "How many agents are killed, windows and workers. Default: 10000.")
    private int agents = 10_000;

    @Option(
        names = "--names",
        paramLabel = "N",
        description = "How many names they contend for. Default: 50.")
    private int names = 50;

    @Option(
        names = "--alive",
        paramLabel = "N",
        description = "How many windows are alive at once. Default: 48.")
    private int alive = 48;

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "The seed that decides what agents do and when they are killed. Default: 1.")
    private long seed = 1;

    @Option(
        names = "--threads",
        paramLabel = "N",
        description =
            "Threads that run agents. Default: twice the number of processors, 4 at least.")
    private @Nullable Integer threads;

    @Option(
        names = "--deterministic",
        description =
            "Run on one thread, in an order that the seed decides: the same seed gives the same"
                + " run.")
    private boolean deterministic;

    @Mixin private final HelpOption help = new HelpOption();

    Kill(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
      super(cli);
      this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
      requireRange("--agents", agents, 1, 10_000_000);
      requireRange("--names", names, 1, 1_000_000);
      requireRange("--alive", alive, 1, 10_000);
      requireRange("--threads", threads, 1, 1000);
      if (threads != null && deterministic) {
        throw usage("--deterministic uses one thread: leave --threads out");
      }
      int pool =
          threads != null ? threads : Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
      KillSettings settings =
          new KillSettings(agents, names, alive, seed, deterministic ? 0 : pool);
      cli.printf(
          "Killing %,d agents that contend for %,d names, %,d windows at once, %s, seed %d%n",
          agents, names, alive, deterministic ? "deterministic" : pool + " threads", seed);
      Clock clock = Clock.systemUTC();
      Instant start = clock.instant();
      KillReport report;
      try (Environment environment = Environment.create();
          StressLocks locks =
              new StressLocks(
                  cli,
                  interrupts,
                  sample -> show(sample, Duration.between(start, clock.instant())))) {
        cli.printf(
            "%9s %6s %9s %8s %7s %8s%n",
            "killed", "alive", "heap/MB", "threads", "realms", "time/s");
        report = KillRun.run(settings, environment, locks);
        locks.show(report.locks());
      }
      return summarize(report, Duration.between(start, clock.instant()));
    }

    private void show(KillReport.Sample sample, Duration time) {
      cli.printf(
          "%,9d %6d %9.1f %8d %7s %8d%n",
          sample.killed(),
          sample.alive(),
          sample.heapBytes() / 1e6,
          sample.threads(),
          realms(sample),
          time.toSeconds());
      cli.out().flush();
    }

    private int summarize(KillReport report, Duration time) {
      cli.printf(
          "Killed: %,d agents, %,d of them from within their own step; %,d survivors finished%n",
          report.killed(), report.duringSteps(), report.survivors());
      report
          .lastSeen()
          .forEach((where, count) -> cli.printf("  windows killed %s: %,d%n", where, count));
      cli.printf(
          "Locks: %,d steps, %,d grants, %,d passed on from killed agents; %,d messages of"
              + " agents%n",
          report.lockSteps(), report.grants(), report.passedOn(), report.messages());
      print(cli, report.realms());
      List<String> problems = new ArrayList<>(report.complaints());
      KillReport.Sample first = report.samples().getFirst();
      KillReport.Sample last = report.samples().getLast();
      if (problems.isEmpty()) {
        if (last.heapBytes() > first.heapBytes() + HEAP_TOLERANCE_BYTES) {
          problems.add(
              "the heap has grown from %.1f to %.1f MB"
                  .formatted(first.heapBytes() / 1e6, last.heapBytes() / 1e6));
        }
        if (last.threads() > first.threads()) {
          problems.add(
              "threads leaked: " + first.threads() + " before, " + last.threads() + " after");
        }
        if (!report.realms().isClean()) {
          problems.add("realms leaked");
        }
      }
      cli.printf("%s in %d s%n", printed(problems), time.toSeconds());
      return problems.isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
    }
  }

  static String realms(KillReport.Sample sample) {
    return sample.realms() < 0 ? "?" : Integer.toString(sample.realms());
  }

  static void print(CliEnvironment cli, RealmCount realms) {
    if (realms.after() >= 0) {
      cli.printf("Realms: %d before, %d after%n", realms.before(), realms.after());
    }
  }
}
