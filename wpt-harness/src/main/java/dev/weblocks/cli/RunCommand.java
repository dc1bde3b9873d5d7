package dev.weblocks.cli;

import dev.weblocks.embed.DeadlockReport;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.LockEntry;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Variant;
import dev.weblocks.embed.Window;
import dev.weblocks.explore.Finding;
import dev.weblocks.explore.ReplayException;
import dev.weblocks.explore.ReplaySchedule;
import dev.weblocks.explore.ScriptScenario;
import dev.weblocks.run.DeterminismCheck;
import dev.weblocks.run.Program;
import dev.weblocks.run.Prompt;
import dev.weblocks.run.ScriptRun;
import dev.weblocks.run.Site;
import dev.weblocks.run.SteppedRun;
import dev.weblocks.run.Transcript;
import dev.weblocks.trace.Recording;
import dev.weblocks.wpt.Timers;
import dev.weblocks.wpt.report.Visible;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs scripts of the user. */
@Command(
    name = "run",
    description = {
      "Run scripts, each in an agent of its own: a window of one browser profile, with its own"
          + " event loop. All of them share locks, storage and broadcast channels, as tabs of one"
          + " origin do.",
      "",
      "The command ends when nothing can happen any more: no script runs, and no timer, request or"
          + " message is on its way. If locks are held or waited for then, it shows who holds and"
          + " who waits; whoever waits then waits for ever, which is exit status 1.",
      "",
      "Without SCRIPT and -e it is a prompt if the input is a terminal, and runs the program that it"
          + " reads otherwise. At the prompt, await works at the top level, _ is the last result,"
          + " and let and const declare as var does, so that a name may be declared again. Ctrl-C"
          + " drops what is typed and stops waiting for an await; a script that runs it ends"
          + " together with its page. Ctrl-D ends the prompt, with exit status 0.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Files: fetch(), import, Worker and the like get the files of the script's directory and of"
          + " those below it, and nothing else; relative URLs are relative to the script's"
          + " directory. With scripts of several directories, paths of URLs begin at the closest"
          + " directory that holds all of them. What -e and the input run has the working"
          + " directory.",
      "",
      "Output: console.log(), info() and debug() write to the standard output, warn() and error() to"
          + " the standard error; with more than one agent each line begins with [AGENT].",
      "",
      "Exit status: 0 all went well, 1 an error that no script caught, a deadlock or the end by"
          + " --timeout, the finding of --replay, 2 the command could not do its work, 130 the end by"
          + " Ctrl-C. With --check-deterministic: 0 all runs were the same, whatever came of them, 1"
          + " one was not.",
      "",
      "Examples:",
      "  weblocks run app.js                    one script",
      "  weblocks run --agents 3 worker.js      three tabs that run the same script",
      "  weblocks run writer.js reader.js       two tabs, two scripts",
      "  weblocks run main.mjs                  an ES module; imports are relative to its file",
      "  weblocks run -e \"navigator.locks.request('a', l => console.log(l.name))\"",
      "  weblocks run --timeout 10s hangs.js    who waits for whom after ten seconds",
      "  weblocks run --allow-net example.com fetches.js",
      "  weblocks run --deterministic --seed 7 --trace steps.html a.js b.js",
      "                                         one order of many, and a picture of it",
      "  weblocks run --deterministic --check-deterministic 100 a.js b.js",
      "                                         the same a hundred times?",
      "  weblocks run --watchdog 5s app.js      who has waited for a lock for five seconds",
      "  weblocks run --variant callback-less app.js   other rules for locks",
      "  weblocks run --inspect app.js          debugged with Chrome DevTools",
      "  weblocks run                           a prompt"
    })
final class RunCommand implements Callable<Integer> {

  private static final String INSPECTOR_PORT = "9229";

  /** Why a run is over. */
  private enum Ending {
    AT_REST,
    REPLAYED,
    OUT_OF_TIME,
    /** A step in virtual time has no end. */
    STUCK,
    INTERRUPTED
  }

  /** What follows {@code --inspect} without an equals sign is a script. */
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

  private final Surroundings surroundings;
  private final RunSurroundings own;

  @Spec private CommandSpec spec;

  @Mixin private final ScriptArguments arguments = new ScriptArguments();

  @Option(
      names = "--origin",
      paramLabel = "U",
      description =
          "The origin of the windows, such as http://app.test:8080. Only secure ones, https: and"
              + " localhost, have locks. Default: https://localhost.")
  private String origin = Addresses.DEFAULT_ORIGIN;

  @Option(
      names = "--allow-net",
      paramLabel = "HOST",
      description =
          "Let requests to HOST, or HOST:PORT, go out to the real network. May be given several"
              + " times. Default: none does.")
  private List<String> allowNet = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "End after DURATION, such as 500ms, 10s, 1.5m or 1h, show the locks, and exit with 1."
              + " Default: run as long as it takes.")
  private @Nullable String timeout;

  @Option(
      names = "--inspect",
      paramLabel = "PORT",
      arity = "0..1",
      preprocessor = AttachedOnly.class,
      description =
          "Wait for Chrome DevTools at PORT of this machine, and write the URL that they open."
              + " Default: 9229; 0 takes any that is free.")
  private @Nullable String inspect;

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
          "Run the order that a replay string of 'weblocks explore' tells, up to the finding, as with"
              + " --deterministic. The scripts and their options have to be the same.")
  private @Nullable String replay;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final VariantOptions variantOptions = new VariantOptions();

  @Mixin private final VirtualOptions virtual = new VirtualOptions();

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  RunCommand(Surroundings surroundings, RunSurroundings own) {
    this.surroundings = surroundings;
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
    int inspectorPort = -1;
    if (inspect != null) {
      inspectorPort = read("--inspect=", inspect, Addresses::port);
    }
    Set<Variant> variants = variantOptions.variants();
    checkScheduling();
    ReplaySchedule replayed = replayed();
    if (arguments.areNone() && own.inputIsTerminal()) {
      requireNoneAtPrompt();
      return prompt(checkedOrigin, hosts, inspectorPort, variants);
    }
    List<Program> programs = arguments.programs(own);
    return virtual.runs() > 0
        ? check(checkedOrigin, programs, limit, variants)
        : run(checkedOrigin, hosts, programs, limit, inspectorPort, replayed, variants);
  }

  /** Reads the value of an option; what is wrong with it is told behind the option. */
  private <T> T read(String option, String value, Function<String, T> reader) {
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException wrong) {
      throw usage(option + wrong.getMessage());
    }
  }

  private @Nullable ReplaySchedule replayed() {
    if (replay == null) {
      return null;
    }
    try {
      return new ReplaySchedule(replay);
    } catch (ReplayException wrong) {
      throw usage("--replay '" + replay + "' " + wrong.getMessage());
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Options that mean nothing without a script. */
  private void requireNoneAtPrompt() {
    String option =
        arguments.needsScript() instanceof String given
            ? given
            : timeout != null
                ? "--timeout"
                : deterministic
                    ? "--deterministic"
                    : replay != null
                        ? "--replay"
                        : trace.areGiven() ? "--trace" : virtual.needsScript();
    if (option != null) {
      throw usage(option + " needs a SCRIPT, -e CODE, or a program in the input");
    }
  }

  private void checkScheduling() throws CommandFailure {
    if (replay != null) {
      if (seed != null) {
        throw usage("--seed and --replay exclude each other: the string tells the order");
      }
      if (!origin.equals(Addresses.DEFAULT_ORIGIN)) {
        throw usage("--origin and --replay exclude each other: scripts are explored without one");
      }
      if (virtual.ofSeeds() instanceof String other) {
        throw usage(other + " and --replay exclude each other: the string tells the one order");
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
              + " exclude each other: a network keeps no order");
    }
    if (deterministic && inspect != null) {
      throw usage(
          "--inspect and "
              + (replay == null ? "--deterministic" : "--replay")
              + " exclude each other: a debugger keeps no order");
    }
    virtual.check(arguments, deterministic, trace.areGiven());
    if (trace.problem() instanceof String wrong) {
      throw usage(wrong);
    }
    arguments.requireWritable(trace.output(own.workingDirectory()), own.workingDirectory());
  }

  /** The engine of the agents; with a port that is not negative, one for DevTools. */
  private UserAgent.Environment environment(int inspectorPort) throws CommandFailure {
    if (inspectorPort < 0) {
      return own.environments().get();
    }
    try {
      return UserAgent.Environment.inspected(inspectorPort, surroundings.err());
    } catch (UnsupportedOperationException | IllegalStateException impossible) {
      throw new CommandFailure(
          "--inspect: " + String.valueOf(impossible.getMessage()).lines().findFirst().orElse(""));
    }
  }

  // ---- the run ---------------------------------------------------------------------------------

  private Site site(
      String checkedOrigin, List<Path> directories, Set<String> hosts, Consumer<String> notes) {
    return deterministic
        ? Site.reading(
            checkedOrigin, directories, own.workingDirectory(), hosts, ResourceLoader.http(), notes)
        : new Site(
            checkedOrigin,
            directories,
            own.workingDirectory(),
            hosts,
            ResourceLoader.http(),
            notes);
  }

  private int prompt(
      String checkedOrigin, Set<String> hosts, int inspectorPort, Set<Variant> variants)
      throws CommandFailure {
    try (Terminal terminal = own.prompts().open()) {
      Prompt prompt = new Prompt(terminal, history());
      prompt.out("weblocks, origin " + checkedOrigin + "; Ctrl-C drops what is typed, Ctrl-D ends");
      Site site =
          site(
              checkedOrigin,
              List.of(own.workingDirectory()),
              hosts,
              note -> prompt.err("weblocks: " + note));
      ScriptRun run =
          new ScriptRun(
              site,
              List.of(),
              new ScriptRun.Scheduling(
                  Driver.threadPool(threads()),
                  null,
                  environment(inspectorPort),
                  builder -> builder.variants(variants)),
              prompt);
      try {
        String page = site.addEmptyPage(own.workingDirectory(), 1);
        prompt.run(() -> {
          Window window = run.open("prompt", page);
          window.loaded().toCompletableFuture().join();
          return window;
        });
      } finally {
        close(run::close);
      }
    } catch (IOException e) {
      throw new CommandFailure("the terminal cannot be used: " + e.getMessage());
    }
    return Main.AS_EXPECTED;
  }

  /** As the XDG Base Directory Specification has it; null if nobody says where a home is. */
  private @Nullable Path history() {
    String state = surroundings.variable().apply("XDG_STATE_HOME");
    String home = surroundings.property().apply("user.home");
    Path base =
        state != null && Path.of(state).isAbsolute()
            ? Path.of(state)
            : home == null || home.isEmpty() ? null : Path.of(home, ".local", "state");
    return base == null ? null : base.resolve("weblocks").resolve("run-history");
  }

  private static int threads() {
    return Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  }

  private int run(
      String checkedOrigin,
      Set<String> hosts,
      List<Program> programs,
      @Nullable Duration limit,
      int inspectorPort,
      @Nullable ReplaySchedule replayed,
      Set<Variant> variants)
      throws CommandFailure {
    Site site =
        siteOf(
            checkedOrigin,
            programs,
            hosts,
            note -> surroundings.err().println("weblocks: " + note));
    UserAgent.Environment environment = environment(inspectorPort);
    TraceFile traced = trace.open(own.workingDirectory(), surroundings.err());
    CompletableFuture<Ending> ending = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen = own.interrupts().listen(() -> ending.complete(Ending.INTERRUPTED), ended);
    AtomicBoolean disturbed = new AtomicBoolean();
    TraceFile.NamesOfRun names = new TraceFile.NamesOfRun();
    Recording recording = traced == null ? null : traced.record(titleOf(programs), note(), names);
    Driver driver =
        replayed != null
            ? Driver.deterministic(replayed)
            : deterministic
                ? deterministicDriver(text -> {
                  disturbed.set(true);
                  surroundings.err().println("weblocks: " + text);
                })
                : Driver.threadPool(threads());
    List<String> violations = Collections.synchronizedList(new ArrayList<>());
    LateRequests late = new LateRequests();
    ScriptRun run =
        new ScriptRun(
            site,
            programs,
            scheduling(
                driver,
                environment,
                builder -> {
                  late.configure(builder);
                  builder.variants(variants);
                  if (recording != null) {
                    builder.traceListener(recording);
                  }
                  if (replayed != null) {
                    builder.lockInvariantListener(violations::add);
                  }
                }),
            new Streams());
    names.areOf(run);
    late.of(run);
    Timers.Timer timer;
    Runnable end;
    if (deterministic) {
      CompletableFuture<SteppedRun> started = new CompletableFuture<>();
      timer =
          new Guard(
              limit,
              () -> started.isDone() ? started.join().count() : 0,
              () -> ending.complete(Ending.STUCK));
      SteppedRun stepped = start(run, driver, limit, ending, replayed);
      started.complete(stepped);
      end = stepped::close;
    } else {
      timer =
          limit == null
              ? () -> {}
              : own.timers().schedule(limit, () -> ending.complete(Ending.OUT_OF_TIME));
      run.start();
      run.quiescent().thenRun(() -> ending.complete(Ending.AT_REST));
      end = run::close;
    }
    int status = Main.FAILED;
    try {
      Ending how = ended(ending);
      status =
          replayed != null && how == Ending.REPLAYED
              ? tell(run, replayed, violations)
              : tell(run, how, limit);
      if (disturbed.get() && status == Main.AS_EXPECTED) {
        status = Main.UNEXPECTED;
      }
    } finally {
      // what takes the process down waits for the last words; these are among them
      if (traced != null && !traced.close()) {
        status = Main.FAILED;
      }
      surroundings.out().flush();
      surroundings.err().flush();
      ended.countDown();
      deafen.run();
      timer.cancel();
      close(end);
    }
    return status;
  }

  private Site siteOf(
      String checkedOrigin, List<Program> programs, Set<String> hosts, Consumer<String> notes)
      throws CommandFailure {
    try {
      return site(checkedOrigin, Site.directoriesOf(programs), hosts, notes);
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": run them apart");
    }
  }

  private long order() {
    return replay != null ? ScriptScenario.ID_SEED : seed == null ? 1 : seed;
  }

  /**
   * A driver of the seed.
   *
   * @param disturbance hears what no schedule has decided
   */
  private Driver deterministicDriver(Consumer<String> disturbance) {
    return virtual
        .configure(Driver.newDeterministic().seed(order()))
        .onForeignStep(step -> disturbance.accept(step.text()))
        .build();
  }

  private ScriptRun.Scheduling scheduling(
      Driver driver, UserAgent.Environment environment, Consumer<UserAgent.Builder> configuration) {
    return new ScriptRun.Scheduling(
        driver, deterministic ? new SplittableRandom(order()) : null, environment, configuration);
  }

  /** Starts a run step by step, which says when it has come to rest. */
  private static SteppedRun start(
      ScriptRun run,
      Driver driver,
      @Nullable Duration limit,
      CompletableFuture<Ending> ending,
      @Nullable ReplaySchedule replayed) {
    SteppedRun stepped =
        replayed == null
            ? SteppedRun.start(run, driver, limit)
            : SteppedRun.start(run, driver, limit, replayed::isOver);
    stepped
        .rest()
        .whenComplete((rest, failure) -> {
          if (failure == null) {
            ending.complete(
                stepped.isOutOfTime()
                    ? Ending.OUT_OF_TIME
                    : replayed == null ? Ending.AT_REST : Ending.REPLAYED);
          } else {
            ending.completeExceptionally(failure);
          }
        });
    return stepped;
  }

  /** Looks, each time that the limit of virtual time is over in real time, whether steps end. */
  private final class Guard implements Timers.Timer {
    private final @Nullable Duration limit;
    private final LongSupplier steps;
    private final Runnable onStuck;
    private long seen = -1;
    private boolean cancelled;
    private Timers.Timer next = () -> {};

    Guard(@Nullable Duration limit, LongSupplier steps, Runnable onStuck) {
      this.limit = limit;
      this.steps = steps;
      this.onStuck = onStuck;
      look();
    }

    private synchronized void look() {
      if (limit == null || cancelled) {
        return;
      }
      long now = steps.getAsLong();
      if (now == seen) {
        onStuck.run();
        return;
      }
      seen = now;
      next = own.timers().schedule(limit, this::look);
    }

    @Override
    public synchronized void cancel() {
      cancelled = true;
      next.cancel();
    }
  }

  /** Tells of requests that wait for too long, if that was asked for. */
  private final class LateRequests {
    private final CompletableFuture<ScriptRun> run = new CompletableFuture<>();

    void configure(UserAgent.Builder builder) {
      Duration limit = virtual.watchdog(arguments);
      if (limit != null) {
        builder.lockWatchdog(limit, report -> tell(run.join(), report));
      }
    }

    void of(ScriptRun made) {
      run.complete(made);
    }

    private void tell(ScriptRun run, DeadlockReport report) {
      LockTable table = LockTable.of(run, report.locks(), /* atRest= */ false);
      StringBuilder text = new StringBuilder();
      for (LockEntry request : report.late()) {
        text.append("weblocks: ").append(table.late(request)).append(" (--watchdog)\n");
      }
      run.err(text + table.text());
    }
  }

  // ---- the same again --------------------------------------------------------------------------

  /** Runs all of it again and again, and compares. */
  private int check(
      String checkedOrigin, List<Program> programs, @Nullable Duration limit, Set<Variant> variants)
      throws CommandFailure {
    siteOf(checkedOrigin, programs, Set.of(), note -> {}); // refuses what no site can hold
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<Ending> ending = new CompletableFuture<>();
    PrintStream err = surroundings.err();
    CheckProgress progress = new CheckProgress(surroundings, virtual.runs());
    try (UserAgent.Environment environment = own.environments().get()) {
      DeterminismCheck check =
          DeterminismCheck.start(
              virtual.runs(),
              limit,
              transcript -> attempt(checkedOrigin, programs, environment, variants, transcript),
              progress::same);
      Runnable deafen =
          own.interrupts()
              .listen(
                  () -> {
                    ending.complete(Ending.INTERRUPTED);
                    check.stop();
                  },
                  ended);
      Timers.Timer guard =
          new Guard(
              limit,
              check::count,
              () -> {
                ending.complete(Ending.STUCK);
                check.stop();
              });
      try {
        DeterminismCheck.Outcome outcome = check.outcome().join();
        progress.end();
        return tell(outcome, ending.getNow(Ending.AT_REST));
      } finally {
        surroundings.out().flush();
        err.flush();
        guard.cancel();
        ended.countDown();
        deafen.run();
      }
    }
  }

  private DeterminismCheck.Attempt attempt(
      String checkedOrigin,
      List<Program> programs,
      UserAgent.Environment environment,
      Set<Variant> variants,
      Transcript transcript) {
    Site site =
        site(
            checkedOrigin,
            Site.directoriesOf(programs),
            Set.of(),
            note -> transcript.err("weblocks: " + note));
    Driver driver = deterministicDriver(text -> transcript.err("weblocks: " + text));
    LateRequests late = new LateRequests();
    ScriptRun run =
        new ScriptRun(
            site,
            programs,
            scheduling(
                driver,
                environment,
                builder -> {
                  late.configure(builder);
                  builder.variants(variants);
                  builder.traceListener(transcript.steps());
                }),
            transcript);
    late.of(run);
    return new DeterminismCheck.Attempt(run, driver);
  }

  private int tell(DeterminismCheck.Outcome outcome, Ending how) {
    PrintStream err = surroundings.err();
    Transcript.Difference difference = outcome.difference();
    if (difference != null) {
      int run = outcome.runs();
      err.println(
          "weblocks: run "
              + run
              + " of seed "
              + order()
              + " is another one than run 1, from line "
              + difference.line()
              + " on:");
      difference.before().forEach(line -> err.println("  both    " + Visible.line(line)));
      err.println("  run 1   " + shown(difference.earlier()));
      err.println("  run %-3d %s".formatted(run, shown(difference.later())));
      return Main.UNEXPECTED;
    }
    String same = outcome.runs() + (outcome.runs() == 1 ? " run" : " runs") + " of seed " + order();
    return switch (how) {
      case INTERRUPTED -> {
        err.println("weblocks: interrupted after " + same + ", all the same");
        yield Main.INTERRUPTED;
      }
      case STUCK -> {
        err.println("weblocks: after " + same + ", " + stuck());
        yield Main.UNEXPECTED;
      }
      case AT_REST, REPLAYED, OUT_OF_TIME -> {
        surroundings
            .out()
            .println(
                same
                    + " were the same: "
                    + outcome.lines()
                    + " lines of steps and output, SHA-256 "
                    + outcome.digest());
        yield Main.AS_EXPECTED;
      }
    };
  }

  private static String shown(@Nullable String line) {
    return line == null ? "is over" : Visible.line(line);
  }

  private String stuck() {
    return "a step has not ended within " + timeout + " of real time (--timeout)";
  }

  /** What is run, for people: each script, and how often. */
  private static String titleOf(List<Program> programs) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    programs.forEach(program -> counts.merge(program.label(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " × " + each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static Ending ended(CompletableFuture<Ending> ending) throws CommandFailure {
    try {
      return ending.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof ReplayException problem) {
        throw new CommandFailure("--replay " + problem.getMessage());
      }
      throw failure;
    }
  }

  /** Tells what a replay has come to. */
  private int tell(ScriptRun run, ReplaySchedule replayed, List<String> violations)
      throws CommandFailure {
    try {
      replayed.requireFit();
    } catch (ReplayException problem) {
      throw new CommandFailure("--replay " + problem.getMessage());
    }
    List<LockEntry> locks = run.locks();
    PrintStream err = surroundings.err();
    boolean found =
        switch (replayed.kind()) {
          case INVARIANT -> !violations.isEmpty();
          case ASSERTION, DEFECT -> run.hasFailed();
          case DEADLOCK -> locks.stream().anyMatch(entry -> !entry.isHeld());
          case LIVELOCK -> true; // it was made of as many steps
        };
    if (!found) {
      throw new CommandFailure(
          "--replay does not fit: there is no finding called "
              + replayed.kind().label()
              + " at its end: scripts and options have to be the same");
    }
    violations.forEach(violation -> err.println(Visible.line(violation)));
    boolean atRest = replayed.kind() == Finding.Kind.DEADLOCK;
    if (atRest) {
      err.println("weblocks: nothing can happen any more, but locks are waited for");
    } else if (!locks.isEmpty()) {
      err.println("weblocks: locks at the end of the replay:");
    }
    if (!locks.isEmpty()) {
      err.println(LockTable.of(run, locks, atRest).text());
    }
    err.println("finding: " + replayed.kind().label() + ", replayed");
    return Main.UNEXPECTED;
  }

  private String note() {
    return replay != null
        ? "replayed, virtual time"
        : deterministic ? "seed " + order() + ", virtual time" : "real time";
  }

  private int tell(ScriptRun run, Ending how, @Nullable Duration limit) {
    List<LockEntry> locks = run.locks();
    boolean waiting = locks.stream().anyMatch(entry -> !entry.isHeld());
    PrintStream err = surroundings.err();
    switch (how) {
      case AT_REST -> {
        if (!locks.isEmpty()) {
          err.println(
              "weblocks: nothing can happen any more, but locks are "
                  + (waiting ? "waited for" : "held"));
        }
      }
      case OUT_OF_TIME ->
          err.println("weblocks: not at its end after " + timeout + " (--timeout)" + rest(locks));
      case STUCK -> err.println("weblocks: " + stuck() + rest(locks));
      case INTERRUPTED -> err.println("weblocks: interrupted" + rest(locks));
      case REPLAYED -> throw new IllegalStateException("a replay is told of otherwise");
    }
    if (!locks.isEmpty()) {
      err.println(LockTable.of(run, locks, how == Ending.AT_REST).text());
    }
    return switch (how) {
      case INTERRUPTED -> Main.INTERRUPTED;
      case OUT_OF_TIME, STUCK -> Main.UNEXPECTED;
      case AT_REST, REPLAYED -> waiting || run.hasFailed() ? Main.UNEXPECTED : Main.AS_EXPECTED;
    };
  }

  private static String rest(List<LockEntry> locks) {
    return locks.isEmpty() ? "; no lock is held or waited for" : "; locks:";
  }

  /** A script that cannot be stopped is left to the end of the process. */
  private void close(Runnable end) {
    Thread closer = Thread.ofPlatform().daemon().name("weblocks-run-end").start(end);
    try {
      if (!closer.join(surroundings.stopLimit())) {
        surroundings
            .err()
            .println(
                "weblocks: the scripts have not stopped within "
                    + surroundings.stopLimit().toSeconds()
                    + " s; going on without them");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Streams implements ScriptRun.Output {
    @Override
    public void out(String text) {
      surroundings.out().println(text);
    }

    @Override
    public void err(String text) {
      surroundings.err().println(text);
    }
  }
}
