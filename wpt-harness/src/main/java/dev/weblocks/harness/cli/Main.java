package dev.weblocks.harness.cli;

import dev.weblocks.harness.differ.Engines;
import dev.weblocks.harness.differ.browser.BrowserEngine;
import dev.weblocks.harness.wpt.WptSubset;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code weblocks} command.
 *
 * <p>Exit codes: 0 for success, 1 if a test, a script or a check failed, 2 if the command could not
 * do its work, 130 after an interrupt by the user, 141 if the reader of the standard output ended.
 */
@Command(
    name = "weblocks",
    description = "Browser-faithful Web IDL emulation on GraalJS.",
    footer = {
      "",
      "The launcher scripts/weblocks also takes --jit before COMMAND: it uses the",
      "optimising compiler if the JDK has one, which makes long runs faster.",
      "",
      "Exit status: 0 success, 1 a test, a script or a check failed,",
      "2 the command could not do its work (one line on the standard error says why),",
      "130 ended by Ctrl-C, 141 ended as nothing reads the output any more (| head).",
      "",
      "Environment: NO_COLOR turns colours off; WEBLOCKS_JVM holds further flags of the JVM;",
      "WPT_DIR is where 'weblocks wpt' finds its tests.",
      "",
      "Examples:",
      "  weblocks run -e \"navigator.locks.request('a', l => console.log(l.name))\"",
      "  weblocks wpt web-locks/",
      "  weblocks help stress kill"
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class Main implements Runnable {

  static final int AS_EXPECTED = 0;
  static final int UNEXPECTED = 1;
  static final int FAILED = 2;

  /** The exit code after an interrupt by the user; shells report the same for SIGINT. */
  static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec;

  @Mixin private final HelpOption help = new HelpOption();

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean version;

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs the command on the process's own streams.
   *
   * @return the exit code; does not end the process
   */
  public static int run(String... args) {
    return run(CliEnvironment.ofProcess(), args);
  }

  static int run(CliEnvironment cli, String... args) {
    return run(cli, RunEnvironment.ofProcess(), args);
  }

  static int run(CliEnvironment cli, RunEnvironment ofRun, String... args) {
    CommandLine command = command(cli, ofRun, args.length == 0 ? null : args[0]);
    command.setParameterExceptionHandler((problem, arguments) -> {
      cli.note(UsageError.of(problem, List.of(args)));
      return FAILED;
    });
    command.setExecutionExceptionHandler((problem, commandLine, parsed) -> {
      String message =
          problem instanceof CommandFailure
              ? String.valueOf(problem.getMessage())
              : "internal error: " + where(problem);
      cli.note(UsageError.line(message));
      return FAILED;
    });
    int status;
    try {
      status = command.execute(args);
    } catch (OutOfMemoryError e) {
      boolean heap = String.valueOf(e.getMessage()).contains("heap");
      cli.note(
          heap
              ? Ending.outOfMemory("the command does", "")
              : "out of memory: " + e.getMessage() + "; end other processes, or run fewer agents");
      status = FAILED;
    } catch (Error e) {
      cli.note("internal error: " + where(e));
      status = FAILED;
    }
    boolean unwritten = cli.out().checkError();
    if (cli.out() instanceof StandardOutput.Lines lines && lines.hasNoReader()) {
      return StandardOutput.NOT_READ;
    }
    if (unwritten) {
      cli.note("the standard output cannot be written: is the disk full?");
      status = FAILED;
    }
    cli.err().flush();
    return status;
  }

  /** Returns the command line with all commands and options; parses nothing. */
  static CommandLine command(CliEnvironment cli, RunEnvironment ofRun) {
    return command(cli, ofRun, null);
  }

  /**
   * Returns the command line with only the commands that the first argument may name, because
   * reading the options of all commands takes as long as starting the engine.
   *
   * @param first argument of the command line; null for none
   */
  private static CommandLine command(
      CliEnvironment cli, RunEnvironment ofRun, @Nullable String first) {
    CommandLine command = new CommandLine(new Main());
    if ("run".equals(first)) {
      command.addSubcommand(new RunCommand(cli, ofRun));
    } else if ("wpt".equals(first)) {
      command.addSubcommand(new WptCommand(cli));
    } else {
      addAll(command, cli, ofRun);
    }
    Values.register(command);
    takeNoArgumentFiles(command);
    command.getCommandSpec().versionProvider(() -> versionLines(cli));
    command.setOut(new PrintWriter(cli.out(), true, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(cli.err(), true, StandardCharsets.UTF_8));
    command.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            cli.colors() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    return command;
  }

  /** Arguments come from the command line alone: a script called {@code @a.js} is a script. */
  private static void takeNoArgumentFiles(CommandLine command) {
    command.setExpandAtFiles(false);
    command.getSubcommands().values().forEach(Main::takeNoArgumentFiles);
  }

  private static void addAll(CommandLine command, CliEnvironment cli, RunEnvironment ofRun) {
    command.addSubcommand(new RunCommand(cli, ofRun));
    command.addSubcommand(new WptCommand(cli));
    command.addSubcommand(new ExploreCommand(cli, ofRun));
    command.addSubcommand(
        new DifferCommand(
            cli,
            ofRun,
            Engines.all(
                ofRun.environments(), BrowserEngine.makers(cli.property(), cli.variable()))));
    command.addSubcommand(new CompareCommand(cli));
    command.addSubcommand(new MergeCommand(cli));
    command.addSubcommand(
        new CommandLine(new VariantsCommand(cli))
            .addSubcommand(new VariantsCompareCommand(cli, ofRun))
            .addSubcommand(new VariantsMeasureCommand(cli)));
    command.addSubcommand(
        new CommandLine(new StressCommand())
            .addSubcommand(new StressCommand.Kill(cli, ofRun.interrupts()))
            .addSubcommand(new FramesCommand(cli, ofRun.interrupts()))
            .addSubcommand(new SoakCommand(cli, ofRun.interrupts()))
            .addSubcommand(new ClusterStressCommand(cli, ofRun.interrupts())));
    command.addSubcommand(new NodeCommand(cli, ofRun.interrupts()));
    command.addSubcommand(
        new CommandLine(new ClusterCommand())
            .addSubcommand(new ClusterCommand.Trial(cli, ofRun.interrupts()))
            .addSubcommand(new ClusterCommand.Status(cli, ofRun.interrupts()))
            .addSubcommand(new ClusterReplaceCommand(cli))
            .addSubcommand(new ClusterSecretCommand(cli)));
    command.addSubcommand(new ClusterAgentCommand(cli, ofRun));
    command.addSubcommand(new BenchCommand(cli, ofRun));
    command.addSubcommand(new BenchEngineCommand(cli, ofRun));
    command.addSubcommand(new IdlCommand(cli, ofRun));
    command.addSubcommand(new CompletionCommand(cli));
    command.addSubcommand(new HelpCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command is given");
  }

  /** Returns a problem and its place in the code as one line for a bug report. */
  private static String where(Throwable problem) {
    StackTraceElement[] frames = problem.getStackTrace();
    return problem + (frames.length == 0 ? "" : " at " + frames[0]);
  }

  private static String[] versionLines(CliEnvironment cli) {
    String version = Main.class.getPackage().getImplementationVersion();
    List<String> lines = new ArrayList<>();
    lines.add("weblocks " + (version == null ? "(development build)" : version));
    try (Engine engine =
        Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      boolean interprets = engine.getImplementationName().equals("Interpreted");
      lines.add(
          "GraalJS "
              + engineVersion()
              + (interprets ? ", interpreter" : ", optimising compiler: ")
              + (interprets ? "" : engine.getImplementationName()));
    }
    lines.add(
        "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.vm.name"));
    lines.add("web-platform-tests " + pin(cli));
    return lines.toArray(String[]::new);
  }

  /**
   * Returns the version stated in the engine's jar. The engine's own API reports a development
   * build for artifacts from Maven.
   */
  private static String engineVersion() {
    try (InputStream in =
        Engine.class.getResourceAsStream("/META-INF/graalvm/org.graalvm.polyglot/version")) {
      return in == null
          ? "of unknown version"
          : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "of unknown version (" + e.getMessage() + ")";
    }
  }

  private static String pin(CliEnvironment cli) {
    try {
      return new WptSubset(cli.home().resolve("wpt-subset")).commit().orElse("(no pin)");
    } catch (IOException e) {
      return "(the pin cannot be read: " + e.getMessage() + ")";
    }
  }
}
