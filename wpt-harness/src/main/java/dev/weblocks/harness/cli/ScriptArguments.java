package dev.weblocks.harness.cli;

import dev.weblocks.file.RegularFile;
import dev.weblocks.harness.run.HiddenTime;
import dev.weblocks.harness.run.ImportMapFile;
import dev.weblocks.harness.run.Imports;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.Site;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.Texts;
import dev.weblocks.harness.wpt.WholeFile;
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

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description =
          "Serve the files of DIR, which contains all scripts, as the paths of the origin: import"
              + " and fetch() also get files beside and above a script. Nothing outside of DIR is"
              + " read. Default: the directory of each script.")
  private @Nullable String root;

  @Option(
      names = "--import-map",
      paramLabel = "FILE",
      description =
          "Resolve module specifiers with the import map FILE, as <script type=importmap> in the"
              + " page of each script does. Addresses in it are relative to FILE. Default: none.")
  private @Nullable String importMap;

  @Option(
      names = "--node-modules",
      description =
          "Resolve bare module specifiers as Node.js does: packages in directories node_modules,"
              + " from the directory of the importing script up to the root, with the conditions"
              + " browser, import and default. Only ES modules can be imported. Default: no.")
  private boolean nodeModules;

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
    return agents != 1
        ? "--agents"
        : module
            ? "--module"
            : root != null
                ? "--root"
                : importMap != null ? "--import-map" : nodeModules ? "--node-modules" : null;
  }

  /** Returns these arguments quoted for a shell, each with a preceding blank. */
  String words() {
    StringBuilder words = new StringBuilder();
    if (module) {
      words.append(" --module");
    }
    if (root != null) {
      words.append(" --root ").append(quoted(root));
    }
    if (importMap != null) {
      words.append(" --import-map ").append(quoted(importMap));
    }
    if (nodeModules) {
      words.append(" --node-modules");
    }
    if (agents != 1) {
      words.append(" --agents ").append(agents);
    }
    codes.forEach(code -> words.append(" -e ").append(quoted(code)));
    scripts.forEach(script -> words.append(' ').append(quoted(argument(script))));
    return words.toString();
  }

  /** Returns the name of a script that a command line does not take for an option. */
  private static String argument(String script) {
    return script.startsWith("-") && !script.equals("-") ? "./" + script : script;
  }

  /** Returns a word for a shell. */
  static String quoted(String word) {
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

  HiddenTime hiddenTime(String option, String text) {
    try {
      return Values.hiddenTime(text);
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
    Imports imports = imports(own);
    if (scripts.indexOf("-") != scripts.lastIndexOf("-")) {
      throw usage("'-' is given twice: standard input can be read only once");
    }
    int number = 0;
    for (String code : codes) {
      number++;
      String label = codes.size() == 1 ? "[eval]" : "[eval " + number + "]";
      programs.add(
          new Program(
              label, own.workingDirectory(), "weblocks-eval-" + number, code, module, imports));
    }
    for (String script : scripts) {
      programs.add(script.equals("-") ? ofInput(own, imports) : ofFile(own, script, imports));
    }
    if (programs.isEmpty()) {
      programs.add(ofInput(own, imports));
    }
    requireInside(programs, imports);
    List<Program> all = new ArrayList<>();
    programs.forEach(program -> all.addAll(Collections.nCopies(agents, program)));
    return all;
  }

  /** Reads and checks the options that decide about imports. */
  private Imports imports(RunEnvironment own) throws CommandFailure {
    Path directory = null;
    if (root != null) {
      directory = path(own, "--root ", root);
      if (!Files.isDirectory(directory)) {
        throw new CommandFailure(
            "--root '"
                + root
                + (Files.exists(directory) ? "' is not a directory" : "' does not exist")
                + ": name a directory that contains the scripts");
      }
    }
    return new Imports(directory, importMap == null ? null : map(own, importMap), nodeModules);
  }

  private Path path(RunEnvironment own, String option, String value) throws CommandFailure {
    if (value.isEmpty()) {
      throw usage(option + "'': a name is needed");
    }
    try {
      return own.workingDirectory().resolve(value).normalize();
    } catch (InvalidPathException e) {
      throw new CommandFailure(option + "'" + value + "' is not a path: " + e.getReason());
    }
  }

  private ImportMapFile map(RunEnvironment own, String name) throws CommandFailure {
    Path file = path(own, "--import-map ", name);
    try {
      return ImportMapFile.of(file, Texts.ofFile(file));
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure("--import-map " + name + ":" + wrong.getMessage());
    } catch (IOException e) {
      throw new CommandFailure(
          "--import-map '"
              + name
              + "' cannot be read: "
              + IoProblem.text(e)
              + "; name a JSON file");
    }
  }

  /** Checks that the served directories contain the programs and the import map. */
  private void requireInside(List<Program> programs, Imports imports) throws CommandFailure {
    Path directory = imports.root();
    for (Program program : programs) {
      if (directory != null && !program.directory().startsWith(directory)) {
        throw new CommandFailure(
            program.label()
                + " is in "
                + program.directory()
                + ", outside of --root '"
                + root
                + "': name a directory that contains it");
      }
    }
    ImportMapFile map = imports.importMap();
    if (map != null) {
      Path served = Site.commonDirectory(Site.directoriesOf(programs));
      if (!map.path().startsWith(served)) {
        throw new CommandFailure(
            "--import-map '"
                + importMap
                + "' is outside of "
                + served
                + ": name a directory that contains it and the scripts with --root");
      }
    }
  }

  private static byte[] input(RunEnvironment own) throws IOException, CommandFailure {
    byte[] bytes = own.in().readNBytes(RegularFile.MAX_TEXT + 1);
    if (bytes.length > RegularFile.MAX_TEXT) {
      throw new CommandFailure(
          "the script on the standard input is longer than "
              + RegularFile.MAX_TEXT
              + " bytes: split it");
    }
    return bytes;
  }

  private Program ofInput(RunEnvironment own, Imports imports) throws CommandFailure {
    try {
      return new Program(
          "[stdin]",
          own.workingDirectory(),
          "weblocks-stdin",
          new String(input(own), StandardCharsets.UTF_8),
          module,
          imports);
    } catch (IOException e) {
      throw new CommandFailure("the standard input cannot be read: " + e.getMessage());
    }
  }

  private Program ofFile(RunEnvironment own, String script, Imports imports) throws CommandFailure {
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
          Texts.ofFile(file),
          module || script.endsWith(".mjs"),
          imports);
    } catch (MalformedInputException e) {
      throw new CommandFailure("'" + script + "' is not UTF-8 text: save the script in UTF-8");
    } catch (IOException e) {
      throw new CommandFailure("'" + script + "' cannot be read: " + IoProblem.text(e));
    }
  }
}
