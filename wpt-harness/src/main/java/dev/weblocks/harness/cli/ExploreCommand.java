package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Replay;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.model.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs scripts under many schedules. */
@Command(
    name = "explore",
    description = {
      "Run scripts repeatedly, each time in another order of their steps, until one order fails."
          + " Each SCRIPT is an agent, as with 'weblocks run'; each task, timer, message and lock"
          + " step of an agent is a step, and which one comes next is a choice.",
      "",
      "A failure is a finding. It ends the exploration, is minimized, and is shown step by step,"
          + " with a string that repeats it: weblocks run --replay.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Findings:",
      "  assertion  an uncaught exception or an unhandled rejection: a script asserts a condition"
          + " by throwing if it does not hold; in a web-platform-test, an unexpected result",
      "  deadlock   all agents are idle, but a lock request is pending",
      "  invariant  a guarantee of Web Locks was violated (an exclusive lock is the only lock of"
          + " its name, grants follow the order of the queue, no grantable request waits, an ended"
          + " client holds no lock): checked after each lock step; a violation is a defect of"
          + " Weblocks",
      "  livelock   the run has not ended after --max-steps steps",
      "  defect     an internal error of Weblocks",
      "",
      "Strategies:",
      "  random  draws each choice uniformly",
      "  pct     draws a priority for each agent, and (--depth - 1) steps at which the priority of"
          + " the running agent drops below all others. If a bug needs d = --depth constraints on"
          + " the order, each schedule finds it with a probability of at least 1/(n*k^(d-1)), for n"
          + " agents and k steps",
      "  dfs     all orders, one after the other, but only one of those that differ only in the"
          + " order of independent steps. Steps are independent unless they use the same storage,"
          + " message ports or channels, or queue work for the same agent or the lock task queue."
          + " Ends after the last order: then no order within the bounds has a finding",
      "",
      "Loading is not explored: all scripts are loaded before the first one starts. Time is"
          + " virtual, and a step takes no time.",
      "",
      "--trace writes a trace of the first finding, with the simplest order of steps.",
      "",
      "Exit status: 0 no finding, 1 a finding, 2 the command could not do its work, 130 ended by"
          + " Ctrl-C, which shows the summary so far.",
      "",
      "Examples:",
      "  weblocks explore --module pay.js save.js      two tabs in up to 1,000 orders",
      "  weblocks explore --strategy dfs a.js b.js     in all orders",
      "  weblocks explore --strategy pct --depth 3 --seed 7 --agents 3 counter.js",
      "  weblocks explore --schedules 1000000 --time 10m --keep-going --json found.json a.js b.js",
      "  weblocks explore --shard 2/4 --json part-2.json a.js b.js   one machine of four",
      "  weblocks explore --cluster 3 a.mjs b.mjs      two machines, and a cluster that fails",
      "  weblocks explore --wpt /web-locks/steal.https.any.html"
    })
final class ExploreCommand extends CliCommand {

  private static final int MAX_STEPS = 1_000_000;
  private static final int MAX_DEPTH = 100;
  private static final int MAX_JOBS = 1_000;
  private static final int MAX_PREEMPTIONS = 1_000;
  private static final List<String> STRATEGIES = List.of("random", "pct", "dfs");

  private final RunEnvironment own;

  @Mixin private final ScriptArguments arguments = new ScriptArguments();

  @Option(
      names = "--wpt",
      paramLabel = "TEST-PATH",
      description =
          "Explore a web-platform-test instead of scripts, such as"
              + " /web-locks/held.https.any.html: results that are not expected are findings.")
  private @Nullable String wpt;

  @Option(
      names = "--cluster",
      paramLabel = "N",
      description =
          "Run each script as if on a machine of its own, with locks of a simulated cluster of N"
              + " members, 1 to 9. The order decides which messages are late, lost or repeated,"
              + " when leaders and members fail, and when leases end.")
  private @Nullable Integer cluster;

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
      description = "The depth d of the bugs that --strategy pct looks for. Default: 3.")
  private @Nullable Integer depth;

  @Option(
      names = "--preemptions",
      paramLabel = "K",
      description =
          "How often a schedule of --strategy dfs may switch away from an agent that has work."
              + " Default: no limit.")
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
          "Start no further order after DURATION, such as 500ms, 10s, 1.5m or 1h. Default: no"
              + " limit.")
  private @Nullable String time;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      description = "How many steps one order may have. Default: 10000.")
  private int maxSteps = 10_000;

  @Option(
      names = "--early-timers",
      description =
          "Let time advance to the next timer while there is other work, as on a slow machine."
              + " Default: it advances when nothing else is left.")
  private boolean earlyTimers;

  @Option(
      names = "--keep-going",
      description = "Do not end at the first finding; show each kind of finding once.")
  private boolean keepGoing;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "How many orders of --strategy random and pct run at once. The findings do not depend on"
              + " it. Default: the number of processors.")
  private @Nullable Integer jobs;

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description =
          "Run only part K of N, for N machines. The parts together run each order once; 'weblocks"
              + " merge' makes one report of their files of --json. With --strategy dfs, each part"
              + " runs at most --schedules orders. Default: all.")
  private @Nullable Shard shard;

  @Option(
      names = "--replay",
      paramLabel = "STRING",
      description =
          "Run only the order of a replay string, and show it step by step. The scripts and their"
              + " options must be the same.")
  private @Nullable String replay;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final VariantOptions variantOptions = new VariantOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Write a summary to FILE as JSON.")
  private @Nullable Path json;

  @Mixin private final HelpOption help = new HelpOption();

  ExploreCommand(CliEnvironment cli, RunEnvironment own) {
    super(cli);
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure {
    check();
    Set<Variant> variants = variantOptions.variants();
    Replay replayed = replayed();
    Duration limit = time == null ? null : arguments.duration("--time", time);
    ExplorePlan plan =
        new ExplorePlan(
            strategy,
            seed == null ? 1 : seed,
            depth == null ? 3 : depth,
            preemptions,
            schedules,
            time,
            limit,
            maxSteps,
            earlyTimers,
            keepGoing,
            jobs == null ? Runtime.getRuntime().availableProcessors() : jobs,
            shard,
            replayed);
    ExploredScenario scenario = scenario(variants);
    try {
      return new ExploreRun(cli, own, plan, scenario).run(trace, summary());
    } finally {
      cli.endScripts(scenario::close);
    }
  }

  private ExploredScenario scenario(Set<Variant> variants) throws CommandFailure {
    String words = variantOptions.words();
    return wpt == null
        ? ExploredScenario.ofScripts(
            cli,
            own,
            arguments.programs(own),
            variants,
            cluster == null ? 0 : cluster,
            words + (cluster == null ? "" : " --cluster " + cluster) + arguments.words())
        : ExploredScenario.ofTest(cli, own, wpt, variants, words);
  }

  private void check() throws CommandFailure {
    if (wpt == null) {
      arguments.check();
      if (arguments.areNone() && own.inputIsTerminal()) {
        throw usage("no script is given; name a SCRIPT, -e CODE, or a test with --wpt");
      }
    } else if (wpt.isEmpty()) {
      throw usage("--wpt '': a TEST-PATH is needed");
    } else if (wpt.indexOf('\0') >= 0) {
      throw usage("--wpt '" + wpt + "' is not a TEST-PATH: Nul character not allowed");
    } else if (!arguments.areNone()) {
      throw usage("--wpt and scripts exclude each other: leave one out");
    } else if (arguments.needsScript() instanceof String option) {
      throw usage("--wpt and " + option + " exclude each other: leave one out");
    }
    if (!STRATEGIES.contains(strategy)) {
      throw usage(
          "--strategy '%s' is unknown; strategies are %s"
              .formatted(strategy, String.join(", ", STRATEGIES)));
    }
    requireRange("--cluster", cluster, 1, 9);
    if (cluster != null && wpt != null) {
      throw usage("--wpt and --cluster exclude each other: leave one out");
    }
    requireRange("--schedules", schedules, 1, Integer.MAX_VALUE);
    requireRange("--max-steps", maxSteps, 1, MAX_STEPS);
    requireStrategy("--seed", seed, "random", "pct");
    requireStrategy("--depth", depth, "pct");
    requireStrategy("--preemptions", preemptions, "dfs");
    requireStrategy("--jobs", jobs, "random", "pct");
    requireStrategy("--shard", shard, "random", "pct", "dfs");
    requireRange("--jobs", jobs, 1, MAX_JOBS);
    requireRange("--depth", depth, 1, MAX_DEPTH);
    requireRange("--preemptions", preemptions, 0, MAX_PREEMPTIONS);
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
    return OutputFile.of("--json", json, own.workingDirectory());
  }

  private void requireStrategy(String option, @Nullable Object value, String... strategies) {
    if (value != null && replay != null) {
      throw usage(option + " and --replay exclude each other: a replay runs one order");
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
}
