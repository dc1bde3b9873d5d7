package dev.weblocks.cli;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Variant;
import dev.weblocks.explore.Explorer;
import dev.weblocks.explore.Finding;
import dev.weblocks.explore.Interleaving;
import dev.weblocks.explore.Replay;
import dev.weblocks.explore.ReplayException;
import dev.weblocks.explore.ReportJson;
import dev.weblocks.explore.Scenario;
import dev.weblocks.explore.ScenarioException;
import dev.weblocks.explore.ScriptScenario;
import dev.weblocks.explore.Strategy;
import dev.weblocks.explore.WptScenario;
import dev.weblocks.run.Program;
import dev.weblocks.run.Site;
import dev.weblocks.trace.Names;
import dev.weblocks.trace.Recording;
import dev.weblocks.wpt.TestKind;
import dev.weblocks.wpt.TestManifest;
import dev.weblocks.wpt.TestResult;
import dev.weblocks.wpt.Timers;
import dev.weblocks.wpt.WptFiles;
import dev.weblocks.wpt.WptHosts;
import dev.weblocks.wpt.WptSubset;
import dev.weblocks.wpt.WptTest;
import dev.weblocks.wpt.expect.Expectations;
import dev.weblocks.wpt.report.IoProblem;
import dev.weblocks.wpt.report.Visible;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs scripts under many schedules. */
@Command(
    name = "explore",
    description = {
      "Run scripts again and again, each time in another order of their steps, until one order goes"
          + " wrong. Each SCRIPT is an agent, as with 'weblocks run'; each task, timer, message and"
          + " lock step of an agent is a step, and which one comes next is a choice.",
      "",
      "What goes wrong is a finding. It ends the exploration, is made as simple as it can be, and is"
          + " shown step by step, with a string that repeats it: weblocks run --replay.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Findings:",
      "  assertion  a script threw, or rejected a promise, and nobody handled it: scripts state what"
          + " has to hold by throwing where it does not; of a web-platform-test, a result that is"
          + " not expected",
      "  deadlock   nothing can happen any more, and a lock is waited for",
      "  invariant  a promise of Web Locks was broken (an exclusive lock alone on its name, grants in"
          + " the order of the queue, nothing waits that could be granted, nothing held by the dead):"
          + " checked after each lock step, and our defect",
      "  livelock   not at rest after --max-steps steps",
      "  defect     an internal error, ours",
      "",
      "Strategies:",
      "  random  draws each choice evenly",
      "  pct     draws priorities, and --depth minus one points at which one falls below all others:"
          + " finds a bug that needs d steps in a certain order with a probability of at least"
          + " 1/(n*k^(d-1)) a schedule, for n agents and k steps",
      "  dfs     all orders, one after the other; of those that differ in the order of independent"
          + " steps alone, one. Steps are independent that neither have to do with the same storage,"
          + " message ports or channels, nor give work to the same agent or to the lock task queue."
          + " Ends when there are no more: then there is no finding at all, within the bounds",
      "",
      "Loading is not explored: all scripts have been loaded before the first one begins. Time is"
          + " virtual, and a step takes none.",
      "",
      "--trace writes the simplest order of the first finding.",
      "",
      "Exit status: 0 no finding, 1 a finding, 2 the command could not do its work, 130 the end by"
          + " Ctrl-C, with the summary so far.",
      "",
      "Examples:",
      "  weblocks explore --module pay.js save.js      two tabs in up to 1,000 orders",
      "  weblocks explore --strategy dfs a.js b.js     in all orders",
      "  weblocks explore --strategy pct --depth 3 --seed 7 --agents 3 counter.js",
      "  weblocks explore --schedules 1000000 --time 10m --keep-going --json found.json a.js b.js",
      "  weblocks explore --wpt /web-locks/steal.https.any.html"
    })
final class ExploreCommand implements Callable<Integer> {

  private static final int MAX_STEPS = 1_000_000;
  private static final int MAX_DEPTH = 100;
  private static final int MAX_PREEMPTIONS = 1_000;
  private static final int SHRINK_RUNS = 150;
  private static final List<String> STRATEGIES = List.of("random", "pct", "dfs");

  private final Surroundings surroundings;
  private final RunSurroundings own;

  @Spec private CommandSpec spec;

  @Mixin private final ScriptArguments arguments = new ScriptArguments();

  @Option(
      names = "--wpt",
      paramLabel = "TEST-PATH",
      description =
          "Explore a web-platform-test instead of scripts, such as"
              + " /web-locks/held.https.any.html: results that are not expected are findings.")
  private @Nullable String wpt;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "How orders are chosen: random, pct or dfs. Default: random.")
  private String strategy = "random";

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "The seed of --strategy random and pct, a whole number of 64 bits. The same seed explores"
              + " the same orders. Default: 1.")
  private @Nullable Long seed;

  @Option(
      names = "--depth",
      paramLabel = "D",
      description = "The depth of the bugs that --strategy pct looks for. Default: 3.")
  private @Nullable Integer depth;

  @Option(
      names = "--preemptions",
      paramLabel = "K",
      description =
          "How often a schedule of --strategy dfs may let an agent wait that has work, because"
              + " another one comes. Default: as often as it likes.")
  private @Nullable Integer preemptions;

  @Option(
      names = "--schedules",
      paramLabel = "N",
      description = "How many orders to run at most. Default: 1000.")
  private int schedules = 1_000;

  @Option(
      names = "--time",
      paramLabel = "DURATION",
      description =
          "Begin no further order after DURATION, such as 500ms, 10s, 1.5m or 1h. Default: take as"
              + " long as it takes.")
  private @Nullable String time;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      description = "How many steps one order may have. Default: 10000.")
  private int maxSteps = 10_000;

  @Option(
      names = "--early-timers",
      description =
          "Let time go on to the next timer while there is other work, as on a machine that is slow."
              + " Default: it goes on when nothing else is left.")
  private boolean earlyTimers;

  @Option(
      names = "--keep-going",
      description = "Do not end at the first finding; show each kind of finding once.")
  private boolean keepGoing;

  @Option(
      names = "--replay",
      paramLabel = "STRING",
      description =
          "Run the one order of a replay string, and show it step by step. The scripts and their"
              + " options have to be the same.")
  private @Nullable String replay;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final VariantOptions variantOptions = new VariantOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Write a summary to FILE as JSON.")
  private @Nullable Path json;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  ExploreCommand(Surroundings surroundings, RunSurroundings own) {
    this.surroundings = surroundings;
    this.own = own;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public Integer call() throws CommandFailure {
    check();
    Set<Variant> variants = variantOptions.variants();
    Replay replayed = replayed();
    Duration limit = time == null ? null : arguments.duration("--time", time);
    Strategy chosen =
        replayed != null
            ? Strategy.replay(replayed)
            : switch (strategy) {
              case "dfs" -> Strategy.depthFirst(preemptions == null ? -1 : preemptions);
              case "pct" -> Strategy.pct(order(), depth == null ? 3 : depth);
              default -> Strategy.random(order());
            };
    Explorer.Settings settings =
        new Explorer.Settings(
            replayed == null ? schedules : 1,
            limit,
            replayed != null && replayed.kind() == Finding.Kind.LIVELOCK
                ? replayed.steps()
                : maxSteps,
            keepGoing,
            replayed == null ? earlyTimers : replayed.earlyTimers(),
            replayed == null ? SHRINK_RUNS : 0);
    try (Setting setting = wpt == null ? scripts(variants) : webPlatformTest(wpt, variants)) {
      return explore(setting, chosen, settings, limit);
    }
  }

  private long order() {
    return seed == null ? 1 : seed;
  }

  private void check() throws CommandFailure {
    if (wpt == null) {
      arguments.check();
      if (arguments.areNone() && own.inputIsTerminal()) {
        throw usage("which scripts? Name a SCRIPT, give -e CODE, or a test with --wpt");
      }
    } else if (wpt.isEmpty()) {
      throw usage("--wpt '': a TEST-PATH is needed");
    } else if (wpt.indexOf('\0') >= 0) {
      throw usage("--wpt '" + wpt + "' is no TEST-PATH: Nul character not allowed");
    } else if (!arguments.areNone()) {
      throw usage("--wpt and scripts exclude each other: leave one out");
    } else if (arguments.needsScript() instanceof String option) {
      throw usage("--wpt and " + option + " exclude each other: leave one out");
    }
    if (!STRATEGIES.contains(strategy)) {
      throw usage(
          "--strategy '" + strategy + "' is none; there are " + String.join(", ", STRATEGIES));
    }
    requireRange("--schedules", schedules, 1, Integer.MAX_VALUE);
    requireRange("--max-steps", maxSteps, 1, MAX_STEPS);
    requireStrategy("--seed", seed, "random", "pct");
    requireStrategy("--depth", depth, "pct");
    requireStrategy("--preemptions", preemptions, "dfs");
    if (depth != null) {
      requireRange("--depth", depth, 1, MAX_DEPTH);
    }
    if (preemptions != null) {
      requireRange("--preemptions", preemptions, 0, MAX_PREEMPTIONS);
    }
    if (trace.problem() instanceof String wrong) {
      throw usage(wrong);
    }
    OutputFile traced = trace.output(own.workingDirectory());
    OutputFile summary = summary();
    arguments.requireWritable(traced, own.workingDirectory());
    arguments.requireWritable(summary, own.workingDirectory());
    if (traced != null && summary != null && summary.isSameAs(traced)) {
      throw usage("--trace and --json name the same file " + summary.name());
    }
  }

  private @Nullable OutputFile summary() {
    return json == null
        ? null
        : new OutputFile("--json", json, own.workingDirectory().resolve(json));
  }

  private void requireRange(String option, long value, long least, long most) {
    String wrong = Values.outOfRange(option, value, least, most);
    if (wrong != null) {
      throw usage(wrong);
    }
  }

  private void requireStrategy(String option, @Nullable Object value, String... strategies) {
    if (value != null && replay != null) {
      throw usage(option + " and --replay exclude each other: one order is run");
    }
    if (value != null && !List.of(strategies).contains(strategy)) {
      throw usage(option + " " + value + " needs --strategy " + String.join(" or ", strategies));
    }
  }

  private @Nullable Replay replayed() {
    if (replay == null) {
      return null;
    }
    try {
      return Replay.parse(replay);
    } catch (ReplayException wrong) {
      throw usage("--replay '" + replay + "' " + wrong.getMessage());
    }
  }

  // ---- what is explored
  // --------------------------------------------------------------------------

  /**
   * What is explored, and what ends with that.
   *
   * @param names how the user knows its agents and places
   * @param about in a few words
   * @param again the command that repeats a finding, up to the replay string, and what follows it
   */
  private record Setting(
      Scenario scenario,
      UserAgent.Environment environment,
      @Nullable WptFiles files,
      Names names,
      String about,
      String again,
      String behind)
      implements AutoCloseable {
    @Override
    public void close() throws CommandFailure {
      environment.close();
      if (files != null) {
        try {
          files.close();
        } catch (IOException e) {
          throw new CommandFailure("the copies in memory cannot be dropped: " + IoProblem.text(e));
        }
      }
    }
  }

  private Setting scripts(Set<Variant> variants) throws CommandFailure {
    List<Program> programs = arguments.programs(own);
    Site site;
    try {
      site =
          Site.reading(
              Addresses.DEFAULT_ORIGIN,
              Site.directoriesOf(programs),
              own.workingDirectory(),
              Set.of(),
              refusing(),
              note -> surroundings.err().println("weblocks: " + note));
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": explore them apart");
    }
    UserAgent.Environment environment = own.environments().get();
    TraceFile.NamesOfRun names = new TraceFile.NamesOfRun();
    return new Setting(
        new ScriptScenario(
            site,
            programs,
            environment,
            builder -> builder.variants(variants),
            names::areOf, // the last run is the one that is traced
            (run, locks) -> LockTable.of(run, locks, /* atRest= */ true).text()),
        environment,
        null,
        names,
        programs.size() == 1 ? "1 agent" : programs.size() + " agents",
        "weblocks run --replay ",
        variantOptions.words() + arguments.words());
  }

  private static ResourceLoader refusing() {
    return request ->
        CompletableFuture.failedFuture(new IOException("there is no network in an exploration"));
  }

  private Setting webPlatformTest(String path, Set<Variant> variants) throws CommandFailure {
    WptHosts hosts = WptHosts.standard();
    Path root = root();
    WptTest test = test(root, hosts, path);
    WptSubset subset = new WptSubset(surroundings.home().resolve("wpt-subset"));
    Expectations expectations =
        new ExpectationFiles(surroundings, subset, root, hosts).read(false, false);
    if (!expectations.runs(test) || test.kind() == TestKind.CRASHTEST) {
      throw new CommandFailure(
          test.id() + " cannot be explored: it is no test of testharness.js that runs here");
    }
    UserAgent.Environment environment = own.environments().get();
    WptFiles files = new WptFiles(root);
    return new Setting(
        new WptScenario(
            test,
            hosts,
            files,
            environment,
            builder -> builder.variants(variants),
            result -> unexpected(expectations, result)),
        environment,
        files,
        Names.PLAIN,
        test.id(),
        "weblocks explore --replay ",
        variantOptions.words() + " --wpt " + test.id());
  }

  private static List<String> unexpected(Expectations expectations, TestResult result) {
    return expectations.compare(result).stream()
        .map(deviation ->
            (deviation.subtest() == null ? "the test" : Visible.line(deviation.subtest()))
                + ": "
                + deviation.actual()
                + ", expected "
                + deviation.expected()
                + (deviation.message() == null ? "" : ": " + Visible.line(deviation.message())))
        .toList();
  }

  private Path root() throws CommandFailure {
    String fetched = surroundings.property().apply("weblocks.wpt.dir");
    if (fetched == null || !Files.isRegularFile(Path.of(fetched, "resources/testharness.js"))) {
      throw new CommandFailure(
          "there are no web-platform-tests yet: run scripts/fetch-wpt, or name a directory with"
              + " WPT_DIR");
    }
    return Path.of(fetched);
  }

  private WptTest test(Path root, WptHosts hosts, String path) throws CommandFailure {
    List<WptTest> tests;
    try {
      tests = new TestManifest(root, hosts).select(List.of(path));
    } catch (TestManifest.NoSuchTestException e) {
      throw new CommandFailure("--wpt: " + e.getMessage());
    } catch (IOException e) {
      throw new CommandFailure("the tests cannot be read: " + IoProblem.text(e));
    }
    if (tests.size() != 1) {
      throw new CommandFailure(
          "--wpt "
              + path
              + " names "
              + tests.size()
              + " tests: name one, such as "
              + tests.getFirst().id());
    }
    return tests.getFirst();
  }

  // ---- the exploration
  // ---------------------------------------------------------------------------

  private int explore(
      Setting setting, Strategy chosen, Explorer.Settings settings, @Nullable Duration limit)
      throws CommandFailure {
    PrintStream out = surroundings.out();
    CompletableFuture<Void> wanted = new CompletableFuture<>(); // the end
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen =
        own.interrupts()
            .listen(
                () -> {
                  interrupted.complete(true);
                  wanted.complete(null);
                },
                ended);
    Timers.Timer timer =
        limit == null ? () -> {} : own.timers().schedule(limit, () -> wanted.complete(null));
    Clock clock = Clock.systemUTC();
    AtomicLong beats = new AtomicLong();
    ExploreProgress progress = new ExploreProgress(surroundings, clock);
    Explorer explorer =
        new Explorer(
            setting.scenario(),
            chosen,
            settings,
            clock,
            () -> {
              beats.incrementAndGet();
              return interrupted.isDone();
            });
    out.println(setting.about() + ", " + described());
    out.flush();
    try {
      CompletableFuture<Explorer.Report> exploring = start(explorer, setting.names(), progress);
      boolean stuck = await(exploring, wanted, beats);
      progress.end();
      return tell(setting, explorer, stuck ? null : result(exploring), interrupted.isDone());
    } finally {
      progress.end();
      timer.cancel();
      out.flush();
      surroundings.err().flush();
      ended.countDown();
      deafen.run();
    }
  }

  private String described() {
    if (replay != null) {
      return "one order, replayed";
    }
    String bound =
        switch (strategy) {
          case "dfs" ->
              "all orders"
                  + (preemptions == null
                      ? ""
                      : " with at most "
                          + preemptions
                          + (preemptions == 1 ? " preemption" : " preemptions"));
          case "pct" -> "pct, depth " + (depth == null ? 3 : depth) + ", seed " + order();
          default -> "random, seed " + order();
        };
    return bound
        + String.format(Locale.ROOT, ", at most %,d", schedules)
        + (time == null ? "" : " and " + time);
  }

  private CompletableFuture<Explorer.Report> start(
      Explorer explorer, Names names, ExploreProgress progress) {
    CompletableFuture<Explorer.Report> exploring = new CompletableFuture<>();
    // scripts that call themselves need room, as on the threads of drivers
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-explore")
            .stackSize(16L << 20)
            .start(() -> {
              try {
                Explorer.Report report = explorer.explore(progress::show);
                writeTrace(explorer, names, report);
                exploring.complete(report);
              } catch (CommandFailure | RuntimeException | Error failure) {
                exploring.completeExceptionally(failure);
              }
            });
    return exploring;
  }

  /**
   * Waits for the end.
   *
   * @return whether there is none: somebody wants one, and no step has ended for a while
   */
  private boolean await(
      CompletableFuture<Explorer.Report> exploring,
      CompletableFuture<Void> wanted,
      AtomicLong beats) {
    try {
      Object unused =
          CompletableFuture.anyOf(exploring.handle((done, failure) -> true), wanted).join();
      while (true) {
        long before = beats.get();
        try {
          Explorer.Report unusedReport =
              exploring.get(surroundings.stopLimit().toNanos(), TimeUnit.NANOSECONDS);
          return false;
        } catch (TimeoutException late) {
          if (beats.get() == before) {
            return true;
          }
        }
      }
    } catch (ExecutionException failure) {
      return false; // told by who asks for the result
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static Explorer.Report result(CompletableFuture<Explorer.Report> exploring)
      throws CommandFailure {
    try {
      return exploring.join();
    } catch (CompletionException failure) {
      Throwable cause = failure.getCause();
      if (cause instanceof CommandFailure told) {
        throw told;
      }
      if (cause instanceof ScenarioException problem) {
        throw new CommandFailure(String.valueOf(problem.getMessage()));
      }
      if (cause instanceof ReplayException problem) {
        throw new CommandFailure("--replay " + problem.getMessage());
      }
      throw failure;
    }
  }

  /**
   * Prints what came of it.
   *
   * @param finished null if a step does not end
   */
  private int tell(
      Setting setting,
      Explorer explorer,
      Explorer.@Nullable Report finished,
      boolean wasInterrupted)
      throws CommandFailure {
    Explorer.Report report = finished == null ? explorer.report() : finished;
    PrintStream out = surroundings.out();
    for (Explorer.Found found : report.found()) {
      print(setting, found);
    }
    OutputFile summary = summary();
    if (summary != null) {
      summary.write(ReportJson.of(report, asked()));
    }
    out.println(ExploreProgress.figures(report));
    if (finished == null) {
      surroundings
          .err()
          .println(
              "weblocks: a step has not ended within "
                  + surroundings.stopLimit().toSeconds()
                  + " s: a script of it runs for ever; going on without it");
    } else if (!wasInterrupted && replay == null) {
      out.println(ending(report));
    }
    if (wasInterrupted) {
      surroundings.err().println("weblocks: interrupted");
      return Main.INTERRUPTED;
    }
    if (finished == null) {
      return Main.FAILED;
    }
    return report.found().isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  private String ending(Explorer.Report report) {
    return switch (report.end()) {
      case EXHAUSTED ->
          "Exhausted: all orders were run"
              + (preemptions == null ? "" : " that have no more preemptions")
              + ", but for those that differ in the order of independent steps alone";
      case TOO_LONG -> "Not exhausted: some orders were longer than --max-steps";
      case FINDING -> "Not exhausted: ended at the finding";
      case TIME -> "Not exhausted: ended by --time";
      case SCHEDULES, INTERRUPTED, NONE -> "Not exhausted: ended by --schedules";
    };
  }

  private void print(Setting setting, Explorer.Found found) {
    PrintStream out = surroundings.out();
    out.println(
        Progress.red(surroundings, "finding: " + found.finding().kind().label())
            + (replay != null
                ? ""
                : String.format(Locale.ROOT, ", in schedule %,d", found.schedule())
                    + (found.times() == 1
                        ? ""
                        : String.format(Locale.ROOT, " and %,d others", found.times() - 1))));
    Visible.lines(found.finding().text()).lines().forEach(out::println);
    if (replay == null) {
      out.println(
          "made simpler in "
              + found.shrinkRuns()
              + " runs: from "
              + cost(found.first())
              + " to "
              + cost(found.simplest()));
    }
    found.simplest().lines().forEach(line -> out.println(Visible.line(line)));
    if (replay == null) {
      out.println("replay: " + setting.again() + found.replay().text() + setting.behind());
    }
  }

  private static String cost(Interleaving of) {
    return count(of.preemptions(), "preemption")
        + ", "
        + count(of.switches(), "switch")
        + " and "
        + count(of.choices(), "choice");
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : what.endsWith("ch") ? "es" : "s");
  }

  private Map<String, Object> asked() {
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("strategy", replay == null ? strategy : "replay");
    if (replay == null && !strategy.equals("dfs")) {
      asked.put("seed", order());
    }
    if (replay == null && strategy.equals("pct")) {
      asked.put("depth", depth == null ? 3 : depth);
    }
    if (preemptions != null) {
      asked.put("preemptions", preemptions);
    }
    asked.put("schedules", schedules);
    if (time != null) {
      asked.put("time", time);
    }
    asked.put("maxSteps", maxSteps);
    asked.put("earlyTimers", earlyTimers);
    asked.put("keepGoing", keepGoing);
    return asked;
  }

  private void writeTrace(Explorer explorer, Names names, Explorer.Report report)
      throws CommandFailure {
    if (report.found().isEmpty()) {
      return;
    }
    Explorer.Found first = report.found().getFirst();
    trace.write(
        own.workingDirectory(),
        output -> {
          try (Recording recording =
              output.record(titleOf(first), "replay " + first.replay().text(), names)) {
            explorer.trace(first, recording);
          }
        });
  }

  private static String titleOf(Explorer.Found found) {
    return found.finding().kind().label() + ", its simplest order";
  }
}
