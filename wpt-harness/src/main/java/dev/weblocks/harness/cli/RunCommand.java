package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.explore.schedule.ReplayException;
import dev.weblocks.harness.explore.ScriptScenario;
import dev.weblocks.harness.run.Program;
import dev.weblocks.model.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command that runs scripts of the user. */
@Command(
    name = "run",
    description = {
      "Run scripts, each in its own agent: a window of one browser profile, with its own event"
          + " loop. All of them share locks, storage and broadcast channels, as tabs of one origin"
          + " do.",
      "",
      "The command ends when all agents are idle: no script runs, and no timer, request or message"
          + " is pending. If locks are held or requested then, it shows their holders and the"
          + " waiting requests. A request that still waits is a deadlock, which is exit status 1.",
      "",
      "Without SCRIPT and -e it is a prompt if the input is a terminal, and runs the input as a"
          + " program otherwise. At the prompt, await works at the top level, _ is the last result,"
          + " and let and const declare as var does, so that a name may be declared again. Ctrl-C"
          + " discards the input and stops waiting for an await; it ends a running script together"
          + " with its page. Ctrl-D ends the prompt, with exit status 0.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Files: fetch(), import, Worker and the like get the files of the script's directory and of"
          + " those below it, and nothing else; relative URLs are relative to the script's"
          + " directory. With scripts of several directories, paths of URLs begin at the closest"
          + " directory that holds all of them. --root DIR serves all files of DIR instead, and"
          + " paths begin at DIR. Code of -e and of standard input uses the working directory.",
      "",
      "Output: console.log(), info() and debug() write to the standard output, warn() and error() to"
          + " the standard error; with more than one agent each line begins with [AGENT].",
      "",
      "Exit status: 0 success, 1 an uncaught error, a deadlock, the end by --timeout or the"
          + " finding of --replay, 2 the command could not do its work, 130 ended by Ctrl-C. With"
          + " --check-deterministic: 0 all runs were the same, whatever the scripts did, 1 a run"
          + " differed.",
      "",
      "Examples:",
      "  weblocks run app.js                    one script",
      "  weblocks run --agents 3 worker.js      three tabs that run the same script",
      "  weblocks run writer.js reader.js       two tabs, two scripts",
      "  weblocks run -- *.js                   a tab for each; names may begin with -",
      "  weblocks run main.mjs                  an ES module; imports are relative to its file",
      "  weblocks run --root . test/main.mjs    the same, with imports of ../src/lib.js",
      "  weblocks run --root . --node-modules test/main.mjs",
      "                                         packages of npm by their names",
      "  weblocks run -e \"navigator.locks.request('a', l => console.log(l.name))\"",
      "  weblocks run --timeout 10s hangs.js    ends and shows the locks after ten seconds",
      "  weblocks run --allow-net example.com fetches.js",
      "  weblocks run --deterministic --seed 7 --trace steps.html a.js b.js",
      "                                         a reproducible order, and its timeline",
      "  weblocks run --deterministic --check-deterministic 100 a.js b.js",
      "                                         a hundred runs, compared",
      "  weblocks run --watchdog 5s app.js      requests that wait for five seconds",
      "  weblocks run --variant callback-less app.js   other rules for locks",
      "  weblocks run --cluster n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800 app.js",
      "                                         locks shared with other machines",
      "  weblocks run --inspect app.js          debugged with Chrome DevTools",
      "  weblocks run                           a prompt"
    })
final class RunCommand extends CliCommand {

  private static final String INSPECTOR_PORT = "9229";

  /**
   * The parser of {@code --inspect}: a port must follow an equals sign, since the next argument is
   * a script.
   */
  static final class AttachedOnly implements CommandLine.IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> args, CommandSpec commandSpec, ArgSpec argSpec, Map<String, Object> info) {
      if (!"=".equals(info.get("separator"))) {
        args.push(INSPECTOR_PORT);
      }
      return false;
    }
  }

  private final RunEnvironment own;

  @Mixin private final ScriptArguments arguments = new ScriptArguments();

  @Option(
      names = "--origin",
      paramLabel = "U",
      description =
          "The origin of the windows, such as http://app.test:8080. Only secure origins, https:"
              + " and localhost, have locks. Default: https://localhost.")
  private String origin = Addresses.DEFAULT_ORIGIN;

  @Option(
      names = "--allow-net",
      paramLabel = "HOST",
      description =
          "Allow requests to HOST, or HOST:PORT, on the real network. May be given several times."
              + " Default: none.")
  private List<String> allowNet = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "End after DURATION, such as 500ms, 10s, 1.5m or 1h, show the locks, and exit with 1."
              + " Default: no limit.")
  private @Nullable String timeout;

  @Option(
      names = "--turn-limit",
      paramLabel = "DURATION",
      description =
          "End an agent if one of its tasks takes longer than DURATION, such as 10s: a window with"
              + " its frames and workers, or a worker. Its locks are released, and the other agents"
              + " continue. Default: no limit.")
  private @Nullable String turnLimit;

  @Option(
      names = "--hidden",
      paramLabel = "FROM..TO",
      description =
          "Hide the windows from FROM to TO after the start, as a browser does with tabs in the"
              + " background: 5m..10m; 5m.. hides them until the end, and ..5m from the start. The"
              + " run lasts until then. With --deterministic it is virtual time. Default: visible.")
  private @Nullable String hidden;

  @Option(
      names = "--inspect",
      paramLabel = "PORT",
      arity = "0..1",
      preprocessor = AttachedOnly.class,
      description =
          "Wait for Chrome DevTools at PORT of this machine, and print the URL to open there."
              + " Default: 9229; 0 takes any free port.")
  private @Nullable String inspect;

  @Option(
      names = "--wasm",
      description = "Give scripts WebAssembly, except streaming compilation. Default: no.")
  private boolean wasm;

  @Option(
      names = "--deterministic",
      description =
          "Run everything on one thread, step by step, in an order that --seed decides, and in"
              + " virtual time, which jumps to the next timer when nothing else is left. The same"
              + " seed gives the same order and the same output again, on any machine: Date,"
              + " Math.random() and all ids come from --start-time and the seed, the time zone is"
              + " UTC and the language en-US. --timeout is virtual time, too.")
  private boolean deterministic;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of --deterministic, a whole number of 64 bits. Default: 1.")
  private @Nullable Long seed;

  @Option(
      names = "--replay",
      paramLabel = "STRING",
      description =
          "Repeat the order of a replay string of 'weblocks explore', up to the finding. Implies"
              + " --deterministic. The scripts and their options must be the same.")
  private @Nullable String replay;

  @Option(
      names = "--cluster",
      paramLabel = "PEERS",
      converter = ClusterOptions.Members.class,
      description =
          "Share the locks with the programs of other processes and machines, by the lock cluster"
              + " with the members PEERS, such as n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800;"
              + " 'weblocks node' runs them. The command waits for requests that wait.")
  private @Nullable String peers;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      converter = ClusterOptions.Namespace.class,
      description = "The namespace of the locks in the cluster. Default: default.")
  private @Nullable String namespace;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final VariantOptions variantOptions = new VariantOptions();

  @Mixin private final VirtualOptions virtual = new VirtualOptions();

  @Mixin private final HelpOption help = new HelpOption();

  RunCommand(CliEnvironment cli, RunEnvironment own) {
    super(cli);
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure {
    arguments.check();
    String checkedOrigin = read("--origin ", origin, Addresses::origin);
    Set<String> hosts = new HashSet<>();
    for (String host : allowNet) {
      hosts.add(read("--allow-net ", host, Addresses::host));
    }
    Duration limit = timeout == null ? null : arguments.duration("--timeout", timeout);
    Duration limitOfTurns =
        turnLimit == null ? null : arguments.duration("--turn-limit", turnLimit);
    int inspectorPort = -1;
    if (inspect != null) {
      inspectorPort = read("--inspect=", inspect, Addresses::port);
    }
    Set<Variant> variants = variantOptions.variants();
    checkScheduling();
    ReplayedRun replayed = replayed();
    boolean atPrompt = arguments.areNone() && own.inputIsTerminal();
    if (atPrompt) {
      requireNoneAtPrompt();
    }
    List<Program> programs = atPrompt ? List.of() : arguments.programs(own);
    try (LockCluster locks = peers == null ? null : cluster(peers)) {
      return run(
          atPrompt,
          replayed,
          plan(
              programs, checkedOrigin, hosts, variants, locks, limit, limitOfTurns, inspectorPort));
    }
  }

  private RunPlan plan(
      List<Program> programs,
      String checkedOrigin,
      Set<String> hosts,
      Set<Variant> variants,
      @Nullable LockCluster locks,
      @Nullable Duration limit,
      @Nullable Duration limitOfTurns,
      int inspectorPort) {
    return new RunPlan(
        programs,
        checkedOrigin,
        hosts,
        variants,
        locks,
        timeout,
        limit,
        limitOfTurns,
        virtual.watchdog(arguments),
        hidden == null ? null : arguments.hiddenTime("--hidden", hidden),
        inspectorPort,
        wasm,
        deterministic,
        replay != null ? ScriptScenario.ID_SEED : seed == null ? 1 : seed,
        virtual);
  }

  private int run(boolean atPrompt, @Nullable ReplayedRun replayed, RunPlan plan)
      throws CommandFailure {
    if (atPrompt) {
      return new PromptRun(cli, own, plan).run();
    }
    return virtual.runs() > 0
        ? new RepeatedRun(cli, own, plan).run()
        : new SingleRun(cli, own, plan, replayed).run(trace);
  }

  private LockCluster cluster(String members) throws CommandFailure {
    LockCluster.Builder builder = cluster.builder(this, members);
    return cluster.start(this, namespace == null ? builder : builder.namespace(namespace));
  }

  private <T> T read(String option, String value, Function<String, T> reader) {
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException wrong) {
      throw usage(option + wrong.getMessage());
    }
  }

  private @Nullable ReplayedRun replayed() {
    if (replay == null) {
      return null;
    }
    try {
      return new ReplayedRun(replay);
    } catch (ReplayException wrong) {
      throw usage("--replay '" + replay + "' " + wrong.getMessage());
    }
  }

  private void requireNoneAtPrompt() {
    String option =
        arguments.needsScript() instanceof String given
            ? given
            : timeout != null
                ? "--timeout"
                : hidden != null
                    ? "--hidden"
                    : replay != null
                        ? "--replay" // before --deterministic, which it implies
                        : deterministic
                            ? "--deterministic"
                            : trace.areGiven() ? "--trace" : virtual.needsScript();
    if (option != null) {
      throw usage(option + " needs a SCRIPT, -e CODE, or a program on standard input");
    }
  }

  private void checkScheduling() throws CommandFailure {
    if (replay != null) {
      if (seed != null) {
        throw usage("--seed and --replay exclude each other: the replay sets the order");
      }
      if (!origin.equals(Addresses.DEFAULT_ORIGIN)) {
        throw usage("--origin and --replay exclude each other: a replay uses https://localhost");
      }
      if (hidden != null) {
        throw usage("--hidden and --replay exclude each other: an exploration hides no window");
      }
      if (virtual.ofSeeds() instanceof String other) {
        throw usage(other + " and --replay exclude each other: a replay runs one order");
      }
      deterministic = true;
    }
    if (seed != null && !deterministic) {
      throw usage("--seed " + seed + " needs --deterministic");
    }
    if (deterministic && !allowNet.isEmpty()) {
      throw usage(
          "--allow-net and "
              + (replay == null ? "--deterministic" : "--replay")
              + " exclude each other: responses of a network have no fixed order");
    }
    if (deterministic && inspect != null) {
      throw usage(
          "--inspect and "
              + (replay == null ? "--deterministic" : "--replay")
              + " exclude each other: steps of a debugger have no fixed order");
    }
    if (deterministic && peers != null) {
      throw usage(
          "--cluster and "
              + (replay == null ? "--deterministic" : "--replay")
              + " exclude each other: messages have no fixed order");
    }
    String ofCluster = namespace != null ? "--namespace" : cluster.given();
    if (ofCluster != null && peers == null) {
      throw usage(ofCluster + " needs --cluster: name the members");
    }
    if (turnLimit != null && (deterministic || inspect != null)) {
      throw usage(
          "--turn-limit and "
              + (replay != null ? "--replay" : deterministic ? "--deterministic" : "--inspect")
              + " exclude each other: the limit is real time, which "
              + (deterministic ? "must not change such a run" : "passes while a debugger pauses"));
    }
    virtual.check(arguments, deterministic, trace.areGiven());
    if (trace.problem() instanceof String wrong) {
      throw usage(wrong);
    }
    arguments.requireWritable(trace.output(own.workingDirectory()), own.workingDirectory());
  }
}
