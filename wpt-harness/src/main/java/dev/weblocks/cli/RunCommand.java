package dev.weblocks.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.LockEntry;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.run.Program;
import dev.weblocks.run.Prompt;
import dev.weblocks.run.ScriptRun;
import dev.weblocks.run.Site;
import dev.weblocks.run.StepTrace;
import dev.weblocks.run.SteppedRun;
import dev.weblocks.wpt.Timers;
import dev.weblocks.wpt.report.IoProblem;
import dev.weblocks.wpt.report.Visible;
import dev.weblocks.wpt.report.WholeFile;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
          + " --timeout, 2 the command could not do its work, 130 the end by Ctrl-C.",
      "",
      "Examples:",
      "  weblocks run app.js                    one script",
      "  weblocks run --agents 3 worker.js      three tabs that run the same script",
      "  weblocks run writer.js reader.js       two tabs, two scripts",
      "  weblocks run main.mjs                  an ES module; imports are relative to its file",
      "  weblocks run -e \"navigator.locks.request('a', l => console.log(l.name))\"",
      "  weblocks run --timeout 10s hangs.js    who waits for whom after ten seconds",
      "  weblocks run --allow-net example.com fetches.js",
      "  weblocks run --deterministic --seed 7 --trace steps.jsonl a.js b.js",
      "                                         one order of many, and what happened in it",
      "  weblocks run --inspect app.js          debugged with Chrome DevTools",
      "  weblocks run                           a prompt"
    })
final class RunCommand implements Callable<Integer> {

  private static final int INTERRUPTED = 130;
  private static final int MAX_HOST = 255;
  private static final String INSPECTOR_PORT = "9229";

  /** A host as URLs have it, and maybe a port. */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?(?::(\\d{1,5}))?");

  /** Why a run is over. */
  private enum Ending {
    AT_REST,
    OUT_OF_TIME,
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
  private String origin = "https://localhost";

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
              + " seed gives the same order again, except for what scripts make of Date and"
              + " Math.random().")
  private boolean deterministic;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of --deterministic, a whole number of 64 bits. Default: 1.")
  private @Nullable Long seed;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write every task, microtask checkpoint and lock step to FILE, as JSON lines with step,"
              + " kind, actor and detail.")
  private @Nullable Path trace;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  RunCommand(Surroundings surroundings, RunSurroundings own) {
    this.surroundings = surroundings;
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure {
    arguments.check();
    String checkedOrigin = checkedOrigin();
    Set<String> hosts = checkedHosts();
    Duration limit = timeout == null ? null : arguments.duration("--timeout", timeout);
    int inspectorPort = inspect == null ? -1 : checkedPort(inspect);
    checkScheduling();
    if (arguments.areNone() && own.inputIsTerminal()) {
      requireNoneAtPrompt();
      return prompt(checkedOrigin, hosts, inspectorPort);
    }
    List<Program> programs = arguments.programs(own);
    return run(checkedOrigin, hosts, programs, limit, inspectorPort);
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
                : deterministic ? "--deterministic" : trace != null ? "--trace" : null;
    if (option != null) {
      throw usage(option + " needs a SCRIPT, -e CODE, or a program in the input");
    }
  }

  private void checkScheduling() throws CommandFailure {
    if (seed != null && !deterministic) {
      throw usage("--seed " + seed + " needs --deterministic");
    }
    if (deterministic && !allowNet.isEmpty()) {
      throw usage("--allow-net and --deterministic exclude each other: a network keeps no order");
    }
    if (deterministic && inspect != null) {
      throw usage("--inspect and --deterministic exclude each other: a debugger keeps no order");
    }
    if (trace != null) {
      requireWritable(trace);
    }
  }

  private void requireWritable(Path file) throws CommandFailure {
    try {
      Path target = own.workingDirectory().resolve(file);
      WholeFile.requireWritable(target);
      if (arguments.isScript(own.workingDirectory(), target)) {
        throw new CommandFailure(
            "--trace "
                + Visible.line(file.toString())
                + " is a script of this run: name another file");
      }
    } catch (IOException e) {
      throw traceFailure(file, e);
    }
  }

  private static CommandFailure traceFailure(Path file, IOException problem) {
    return new CommandFailure(
        "--trace "
            + Visible.line(file.toString())
            + " cannot be written: "
            + IoProblem.text(problem)
            + "; name another file");
  }

  // ---- what was asked for ----------------------------------------------------------------------

  private String checkedOrigin() {
    String hint = "--origin '" + origin + "' is no origin; one looks like https://localhost";
    URI uri;
    try {
      uri = new URI(origin);
    } catch (URISyntaxException malformed) {
      throw usage(hint);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    int port = uri.getPort();
    boolean clean =
        uri.getUserInfo() == null
            && uri.getQuery() == null
            && uri.getFragment() == null
            && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
    if (!scheme.equals("https") && !scheme.equals("http")
        || host == null
        || !clean
        || port == 0
        || port > 65_535
        || !isPlainHost(host)) {
      throw usage(hint);
    }
    boolean defaultPort = port < 0 || port == (scheme.equals("https") ? 443 : 80);
    return scheme + "://" + host.toLowerCase(Locale.ROOT) + (defaultPort ? "" : ":" + port);
  }

  /** Whether a host stays as it is in a URL: a name, or an IPv4 address of four parts. */
  private static boolean isPlainHost(String host) {
    if (!HOST.matcher(host).matches()
        || host.length() > MAX_HOST
        || host.contains("..")
        || host.contains("xn--")) {
      return false;
    }
    boolean numeric = Character.isDigit(host.charAt(host.lastIndexOf('.') + 1));
    String part = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    return !numeric || host.matches(part + "(\\." + part + "){3}");
  }

  private Set<String> checkedHosts() {
    Set<String> hosts = new HashSet<>();
    for (String host : allowNet) {
      Matcher matcher = HOST.matcher(host);
      if (!matcher.matches()
          || host.length() > MAX_HOST
          || matcher.group(1) != null && Integer.parseInt(matcher.group(1)) > 65_535) {
        throw usage(
            "--allow-net '"
                + host
                + "' is no host; one looks like example.com or example.com:8080");
      }
      hosts.add(host.toLowerCase(Locale.ROOT));
    }
    return hosts;
  }

  private int checkedPort(String text) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
      throw usage("--inspect='" + text + "' is no port; use a number from 0 to 65535");
    }
    return Integer.parseInt(text);
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
    return new Site(
        checkedOrigin, directories, own.workingDirectory(), hosts, ResourceLoader.http(), notes);
  }

  private int prompt(String checkedOrigin, Set<String> hosts, int inspectorPort)
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
                  Driver.threadPool(threads()), null, environment(inspectorPort), builder -> {}),
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
      int inspectorPort)
      throws CommandFailure {
    Site site;
    try {
      site =
          site(
              checkedOrigin,
              Site.directoriesOf(programs),
              hosts,
              note -> surroundings.err().println("weblocks: " + note));
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": run them apart");
    }
    UserAgent.Environment environment = environment(inspectorPort);
    StepTrace steps = openTrace();
    CompletableFuture<Ending> ending = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen = own.interrupts().listen(() -> ending.complete(Ending.INTERRUPTED), ended);
    Timers.Timer timer =
        limit == null
            ? () -> {}
            : own.timers().schedule(limit, () -> ending.complete(Ending.OUT_OF_TIME));
    long order = seed == null ? 1 : seed;
    Driver driver = deterministic ? Driver.deterministic(order) : Driver.threadPool(threads());
    ScriptRun run =
        new ScriptRun(
            site,
            programs,
            new ScriptRun.Scheduling(
                driver,
                deterministic ? new SplittableRandom(order) : null,
                environment,
                builder -> {
                  if (steps != null) {
                    builder.traceListener(steps);
                  }
                }),
            new Streams());
    Runnable end = start(run, driver, ending);
    int status = Main.FAILED;
    try {
      status = tell(run, ending.join(), limit);
    } finally {
      // what takes the process down waits for the last words; these are among them
      if (steps != null && !close(steps)) {
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

  /** Starts a run, which says when it has come to rest; returns what ends it. */
  private Runnable start(ScriptRun run, Driver driver, CompletableFuture<Ending> ending) {
    if (!deterministic) {
      run.start();
      run.quiescent().thenRun(() -> ending.complete(Ending.AT_REST));
      return run::close;
    }
    SteppedRun stepped = SteppedRun.start(run, driver);
    stepped
        .rest()
        .whenComplete((rest, failure) -> {
          if (failure == null) {
            ending.complete(Ending.AT_REST);
          } else {
            ending.completeExceptionally(failure);
          }
        });
    return stepped::close;
  }

  private @Nullable StepTrace openTrace() throws CommandFailure {
    if (trace == null) {
      return null;
    }
    try {
      return new StepTrace(WholeFile.open(own.workingDirectory().resolve(trace)));
    } catch (IOException e) {
      throw traceFailure(trace, e);
    }
  }

  /** False, with a line that says so, if not all of the trace could be written. */
  private boolean close(StepTrace steps) {
    try {
      steps.close();
      return true;
    } catch (IOException e) {
      surroundings
          .err()
          .println("weblocks: --trace " + trace + " cannot be written: " + IoProblem.text(e));
      return false;
    }
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
      case INTERRUPTED -> err.println("weblocks: interrupted" + rest(locks));
    }
    if (!locks.isEmpty()) {
      err.println(
          new LockTable(
                  locks,
                  entry -> run.label(entry.agent(), entry.url()),
                  run::withNames,
                  how == Ending.AT_REST)
              .text());
    }
    return switch (how) {
      case INTERRUPTED -> INTERRUPTED;
      case OUT_OF_TIME -> Main.UNEXPECTED;
      case AT_REST -> waiting || run.hasFailed() ? Main.UNEXPECTED : Main.AS_EXPECTED;
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
