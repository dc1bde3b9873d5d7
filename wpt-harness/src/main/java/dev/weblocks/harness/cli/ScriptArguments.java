package dev.weblocks.harness.cli;

import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.Site;
import dev.weblocks.harness.wpt.report.IoProblem;
import dev.weblocks.harness.wpt.report.WholeFile;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The scripts of the user and the number of agents: arguments of all commands that run scripts. */
final class ScriptArguments {

  private static final int MAX_AGENTS = 10_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "SCRIPT",
      arity = "0..*",
      description =
          "A file, or - for the standard input. A file whose name ends in .mjs is a module.")
  private List<String> scripts = new ArrayList<>();

  @Option(
      names = {"-e", "--eval"},
      paramLabel = "CODE",
      description = "Run CODE as a script. May be given several times.")
  private List<String> codes = new ArrayList<>();

  @Option(
      names = "--agents",
      paramLabel = "N",
      description = "Run each script N times, each time in its own agent. Default: 1.")
  private int agents = 1;

  @Option(names = "--module", description = "Run all scripts as ES modules.")
  private boolean module;

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  ScriptArguments() {}

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  void check() {
    String range = Values.outOfRange("--agents", agents, 1, MAX_AGENTS);
    if (range != null) {
      throw usage(range);
    }
    for (String code : codes) {
      if (code.isBlank()) {
        throw usage("--eval '" + code + "': CODE is needed");
      }
    }
  }

  /** Returns whether no program is named; standard input is then the program. */
  boolean areNone() {
    return scripts.isEmpty() && codes.isEmpty();
  }

  @Nullable String needsScript() {
    return agents != 1 ? "--agents" : module ? "--module" : null;
  }

  /** Returns these arguments quoted for a shell, each with a preceding blank. */
  String words() {
    StringBuilder words = new StringBuilder();
    if (module) {
      words.append(" --module");
    }
    if (agents != 1) {
      words.append(" --agents ").append(agents);
    }
    codes.forEach(code -> words.append(" -e ").append(quoted(code)));
    scripts.forEach(script -> words.append(' ').append(quoted(script)));
    return words.toString();
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /**
   * Checks that a file can be written and is not one of the scripts, without changing anything.
   *
   * @param output null for none
   * @throws CommandFailure if the file cannot be written, or is a script
   */
  void requireWritable(@Nullable OutputFile output, Path workingDirectory) throws CommandFailure {
    if (output == null) {
      return;
    }
    output.requireWritable();
    try {
      if (isScript(workingDirectory, output.path())) {
        throw new CommandFailure(output.label() + " is a script of this run: name another file");
      }
    } catch (IOException e) {
      throw output.unwritable(e);
    }
  }

  private boolean isScript(Path workingDirectory, Path file) throws IOException {
    for (String script : scripts) {
      try {
        if (!script.equals("-")
            && WholeFile.identity(workingDirectory.resolve(script))
                .equals(WholeFile.identity(file))) {
          return true;
        }
      } catch (InvalidPathException noScript) {
        // reported when scripts are read
      }
    }
    return false;
  }

  /**
   * Parses the duration in an option.
   *
   * @param option such as {@code --timeout}, for the message
   * @throws ParameterException if the text is not a valid duration
   */
  Duration duration(String option, String text) {
    try {
      return Values.duration(text);
    } catch (IllegalArgumentException wrong) {
      throw usage(option + " " + wrong.getMessage());
    }
  }

  /**
   * Reads the programs, or standard input if none is named. Repeats each {@code --agents} times.
   *
   * @throws CommandFailure if a program cannot be read
   */
  List<Program> programs(RunEnvironment own) throws CommandFailure {
    List<Program> programs = new ArrayList<>();
    if (scripts.indexOf("-") != scripts.lastIndexOf("-")) {
      throw usage("'-' is given twice: standard input can be read only once");
    }
    int number = 0;
    for (String code : codes) {
      number++;
      String label = codes.size() == 1 ? "[eval]" : "[eval " + number + "]";
      programs.add(
          new Program(label, own.workingDirectory(), "weblocks-eval-" + number, code, module));
    }
    for (String script : scripts) {
      programs.add(script.equals("-") ? ofInput(own) : ofFile(own, script));
    }
    if (programs.isEmpty()) {
      programs.add(ofInput(own));
    }
    List<Program> all = new ArrayList<>();
    programs.forEach(program -> all.addAll(Collections.nCopies(agents, program)));
    return all;
  }

  private Program ofInput(RunEnvironment own) throws CommandFailure {
    try {
      return new Program(
          "[stdin]",
          own.workingDirectory(),
          "weblocks-stdin",
          new String(own.in().readAllBytes(), StandardCharsets.UTF_8),
          module);
    } catch (IOException e) {
      throw new CommandFailure("the standard input cannot be read: " + e.getMessage());
    }
  }

  private Program ofFile(RunEnvironment own, String script) throws CommandFailure {
    Path file;
    try {
      file = own.workingDirectory().resolve(script).normalize();
    } catch (InvalidPathException e) {
      throw new CommandFailure("'" + script + "' is not a path: " + e.getReason());
    }
    if (script.isEmpty()) {
      throw usage("a SCRIPT is empty: leave it out, or name a file");
    }
    if (Files.isDirectory(file)) {
      throw new CommandFailure("'" + script + "' is a directory: name a script in it");
    }
    if (!Files.exists(file)) {
      throw new CommandFailure(
          "'" + script + "' does not exist: name a file, or - for standard input");
    }
    Path directory = file.getParent();
    Path name = file.getFileName();
    if (directory == null || name == null) {
      throw new CommandFailure("'" + script + "' is not a file: name a script");
    }
    try {
      return new Program(
          Site.shown(own.workingDirectory(), file),
          directory,
          name.toString(),
          Files.readString(file),
          module || script.endsWith(".mjs"));
    } catch (MalformedInputException e) {
      throw new CommandFailure("'" + script + "' is not UTF-8 text: save the script in UTF-8");
    } catch (IOException e) {
      throw new CommandFailure("'" + script + "' cannot be read: " + IoProblem.text(e));
    }
  }
}
