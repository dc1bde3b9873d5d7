package dev.weblocks.harness.cli;

import dev.weblocks.embed.Environment;
import dev.weblocks.harness.stress.FramesRun;
import dev.weblocks.harness.stress.KillReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that stress-tests frames and navigation for leaks. */
@Command(
    name = "frames",
    description =
        "Create and remove frames, then navigate, and check that removed documents leak no memory"
            + " and no lock.",
    sortOptions = false,
    footer = {"", "Exit status: 0 no problem, 1 a problem was found, 2 the test could not be run."})
final class FramesCommand extends CliCommand {

  /** Allowed heap growth, for caches of the engine and of the JVM. */
  private static final long HEAP_TOLERANCE_BYTES = 12L << 20;

  private static final int MAX = 1_000_000;

  private final RunEnvironment.Interrupts interrupts;

  @Option(
      names = "--frames",
      paramLabel = "N",
      description = "How many frames are created and removed. Default: 1000.")
  private int frames = 1000;

  @Option(
      names = "--navigations",
      paramLabel = "N",
      description = "How many documents follow one another in one window. Default: 200.")
  private int navigations = 200;

  @Mixin private final HelpOption help = new HelpOption();

  FramesCommand(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
    super(cli);
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() {
    requireRange("--frames", frames, 1, MAX);
    requireRange("--navigations", navigations, 1, MAX);
    cli.printf("Creating and removing %,d frames, then %,d navigations%n", frames, navigations);
    cli.printf("%9s %9s %8s %7s%n", "documents", "heap/MB", "threads", "realms");
    FramesRun.Report report;
    try (Environment environment = Environment.create();
        StressLocks locks = new StressLocks(cli, interrupts, this::print)) {
      report = FramesRun.run(frames, navigations, environment, locks);
      locks.show(report.locks());
    }
    StressCommand.print(cli, report.realms());
    List<String> problems = new ArrayList<>(report.complaints());
    if (problems.isEmpty()) {
      compare(report.samples().get(0), report.samples().get(1), problems);
      compare(report.samples().get(2), report.samples().get(3), problems);
    }
    cli.println(printed(problems));
    return problems.isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  private static void compare(
      KillReport.Sample few, KillReport.Sample many, List<String> problems) {
    if (many.heapBytes() > few.heapBytes() + HEAP_TOLERANCE_BYTES) {
      problems.add(
          String.format(
              Locale.ROOT,
              "the heap has grown from %.1f MB after %,d to %.1f MB after %,d documents",
              few.heapBytes() / 1e6,
              few.killed(),
              many.heapBytes() / 1e6,
              many.killed()));
    }
  }

  private void print(KillReport.Sample sample) {
    cli.printf(
        "%,9d %9.1f %8d %7s%n",
        sample.killed(), sample.heapBytes() / 1e6, sample.threads(), StressCommand.realms(sample));
    cli.out().flush();
  }
}
