package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.harness.differ.Comparison;
import dev.weblocks.harness.differ.DifferRun;
import dev.weblocks.harness.differ.EngineSettings;
import dev.weblocks.harness.differ.Engines;
import dev.weblocks.harness.differ.ProgramGenerator;
import dev.weblocks.harness.differ.Report;
import dev.weblocks.harness.differ.WeblocksEngine;
import dev.weblocks.harness.differ.browser.BrowserFailure;
import dev.weblocks.harness.wpt.IoProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that compares generated programs with a model of the Working Draft. */
@Command(
    name = "differ",
    description = {
      "Run generated programs of Web Locks, and compare what they log with a model of the Working"
          + " Draft.",
      "",
      "The model runs a program without JavaScript, in every order of steps that the texts allow."
          + " A program conforms if one of these orders gives exactly the lines that each window,"
          + " frame and worker logged. Each difference is shrunk to the smallest program that still"
          + " differs.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 no program differs, 1 a program differs, 2 the command could not do its work,"
          + " 130 ended by Ctrl-C, which shows the summary so far.",
      "",
      "Examples:",
      "  weblocks differ --programs 2000",
      "  weblocks differ --deterministic --seeds 5 --save found",
      "  weblocks differ --engine firefox --programs 1000",
      "  weblocks differ --programs 9999 --shard 2/4 --json part-2.json   one machine of four",
      "  weblocks differ --replay 17                   prints the program of one seed and its lines"
    })
final class DifferCommand extends CliCommand {

  private static final int MAX_PROGRAMS = 10_000_000;
  private static final int MAX_SEEDS = 1_000;

  /** Programs wait most of their time for each other's messages. */
  private static final int JOBS = 8;

  private static final int REAL_ROUND = 25;
  private static final int VIRTUAL_ROUND = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration BLINK = Duration.ofMillis(200);

  private final RunEnvironment own;
  private final Engines engines;

  @Option(
      names = "--programs",
      paramLabel = "N",
      description = "How many programs to run. Default: 200.")
  private @Nullable Integer programs;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "The seed of the first program; the others have the seeds after it. Default: 1.")
  private @Nullable Long seed;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description =
          "What runs the programs: weblocks, chromium or firefox. A browser is searched on the"
              + " PATH, or its path is given in the environment variable WEBLOCKS_CHROMIUM or"
              + " WEBLOCKS_FIREFOX. Default: weblocks.")
  private String engine = WeblocksEngine.NAME;

  @Option(
      names = "--deterministic",
      description = "Run in virtual time, in an order of steps that a seed decides.")
  private boolean deterministic;

  @Option(
      names = "--seeds",
      paramLabel = "K",
      description = "In how many orders to run each program with --deterministic. Default: 1.")
  private @Nullable Integer seeds;

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description =
          "Run only part K of N of the programs, for N machines; 'weblocks merge' makes one report"
              + " of their files of --json. Default: all.")
  private @Nullable Shard shard;

  @Option(
      names = "--replay",
      paramLabel = "S",
      description = "Run only the program of this seed, and print it with its lines.")
  private @Nullable Long replay;

  @Option(
      names = "--save",
      paramLabel = "DIR",
      description =
          "Write each program that differs into DIR, with the lines of both sides and the steps of"
              + " the draft up to the difference. Its files run in any browser when a server on"
              + " localhost serves their folder.")
  private @Nullable Path save;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the counts and each program that differs to FILE as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "How long a program may take; one that takes longer differs, and the others continue."
              + " Default: 30s.")
  private String timeout = "30s";

  @Mixin private final HelpOption help = new HelpOption();

  private DifferResults results = new DifferResults(0);
  private final Clock clock = Clock.systemUTC();
  private Instant lastLine = clock.instant();
  private volatile boolean interrupted;

  DifferCommand(CliEnvironment cli, RunEnvironment own, Engines engines) {
    super(cli);
    this.own = own;
    this.engines = engines;
  }

  @Override
  public Integer call() throws CommandFailure {
    int number = programs == null ? 200 : programs;
    Duration limit = check(number);
    OutputFile report = OutputFile.of("--json", json, own.workingDirectory());
    if (report != null) {
      report.requireWritable();
    }
    makeFolder();
    int orders = seeds == null ? 1 : seeds;
    long first = replay != null ? replay : seed == null ? 1 : seed;
    Shard part = shard == null ? Shard.WHOLE : shard;
    int count = (int) part.sizeOf(number);
    results = new DifferResults((replay != null ? 1 : count) * orders);
    CountDownLatch ended = new CountDownLatch(1);
    Thread runner = Thread.currentThread();
    Runnable deafen =
        own.interrupts()
            .listen(
                () -> {
                  interrupted = true;
                  runner.interrupt();
                },
                ended);
    Instant start = clock.instant();
    try (engines) {
      for (int order = 1; order <= orders && !interrupted; order++) {
        EngineSettings settings =
            new EngineSettings(
                deterministic ? (long) order : null,
                JOBS,
                deterministic ? VIRTUAL_ROUND : REAL_ROUND,
                limit);
        try (DifferRun run = new DifferRun(engines, engine, settings, () -> interrupted)) {
          if (replay == null) {
            run.run(first + part.indexOf(0), part.total(), count, new Printer(order));
          } else {
            replay(run, replay);
          }
        }
      }
      return summarize(Duration.between(start, clock.instant()), report, first, number);
    } catch (IOException | BrowserFailure e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    } finally {
      cli.showProgress("");
      cli.out().flush();
      boolean unused = Thread.interrupted(); // by Ctrl-C
      ended.countDown();
      deafen.run();
    }
  }

  /**
   * Checks the options.
   *
   * @return the value of {@code --timeout}
   */
  private Duration check(int number) {
    requireRange("--programs", programs, 1, MAX_PROGRAMS);
    requireRange("--seeds", seeds, 1, MAX_SEEDS);
    if (!engines.names().contains(engine)) {
      throw usage(
          "--engine '%s' is unknown; engines are %s"
              .formatted(engine, String.join(", ", engines.names())));
    }
    if (seeds != null && !deterministic) {
      throw usage("--seeds " + seeds + " needs --deterministic");
    }
    if (deterministic && !engine.equals(WeblocksEngine.NAME)) {
      throw usage("--deterministic needs --engine " + WeblocksEngine.NAME);
    }
    if (replay != null && (seed != null || programs != null)) {
      throw usage(
          "--replay and --seed or --programs exclude each other: a replay runs one program");
    }
    if (replay != null && shard != null) {
      throw usage("--replay and --shard exclude each other: a replay runs one program");
    }
    if ((long) number * (seeds == null ? 1 : seeds) > MAX_PROGRAMS) {
      throw usage("--programs times --seeds is over " + MAX_PROGRAMS);
    }
    if (seed != null && seed > Long.MAX_VALUE - number) {
      throw usage(
          "--seed %d: only %d programs have this seed or a later one"
              .formatted(seed, Long.MAX_VALUE - seed + 1));
    }
    try {
      return Values.duration(timeout);
    } catch (IllegalArgumentException e) {
      throw usage("--timeout " + e.getMessage());
    }
  }

  private void makeFolder() throws CommandFailure {
    if (save != null) {
      try {
        Files.createDirectories(own.workingDirectory().resolve(save));
      } catch (IOException e) {
        throw new CommandFailure(
            "--save "
                + save
                + " cannot be written: "
                + IoProblem.text(e)
                + "; name another folder");
      }
    }
  }

  private void replay(DifferRun run, long program) throws IOException {
    Comparison comparison = run.run(ProgramGenerator.generate(program));
    if (comparison == null) {
      return; // interrupted
    }
    results.count(comparison);
    cli.printLines(Report.program(comparison.program()) + Report.comparison(comparison, engine));
    print(shown(null, comparison, List.of()));
  }

  private static DifferResults.Listed shown(
      @Nullable Integer order, Comparison comparison, List<String> smallest) {
    return new DifferResults.Listed(
        order, comparison.program().seed(), comparison.verdict(), comparison.summary(), smallest);
  }

  private void print(DifferResults.Listed program) {
    cli.showProgress("");
    program.print(cli);
  }

  private void show(int order, Comparison comparison, List<String> smallest) {
    DifferResults.Listed program = shown(deterministic ? order : null, comparison, smallest);
    results.add(program);
    print(program);
  }

  /** The output of a run of many programs. */
  private final class Printer implements DifferRun.Listener {
    private final int order;

    Printer(int order) {
      this.order = order;
    }

    @Override
    public void compared(Comparison comparison) {
      results.count(comparison);
      if (comparison.verdict() == Comparison.Verdict.UNDECIDED) {
        show(order, comparison, List.of());
      }
      Instant now = clock.instant();
      Duration since = Duration.between(lastLine, now);
      if (since.compareTo(cli.terminal() ? BLINK : PATIENCE) >= 0) {
        lastLine = now;
        if (cli.terminal()) {
          cli.showProgress("[" + results.figures() + "]");
        } else {
          cli.printErrorLines(results.figures());
        }
      }
    }

    @Override
    public void differs(Comparison found, Comparison shrunk) {
      List<String> smallest = new ArrayList<>(Report.program(shrunk.program()).lines().toList());
      smallest.add(shrunk.summary());
      show(order, found, List.copyOf(smallest));
      cli.out().flush();
      if (save != null) {
        try {
          Report.save(
              shrunk,
              engine,
              own.workingDirectory()
                  .resolve(save)
                  .resolve("seed-" + found.program().seed() + (deterministic ? "-" + order : "")));
        } catch (IOException e) {
          cli.note("--save " + save + " cannot be written: " + IoProblem.text(e));
        }
      }
    }
  }

  private int summarize(Duration time, @Nullable OutputFile report, long first, int number)
      throws CommandFailure {
    cli.showProgress("");
    if (report != null) {
      report.write(results.json(settings(first, number), time));
    }
    if (interrupted) {
      cli.note("interrupted");
    }
    int status = results.summarize(cli, time);
    return interrupted ? Main.INTERRUPTED : status;
  }

  private Map<String, Object> settings(long first, int number) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("engine", engine);
    settings.put("seed", first);
    settings.put("programs", replay == null ? number : 1);
    settings.put("deterministic", deterministic);
    if (seeds != null) {
      settings.put("seeds", seeds);
    }
    settings.put("timeout", timeout);
    if (shard != null) {
      settings.put(Shard.SETTING, shard.toString());
    }
    return settings;
  }
}
