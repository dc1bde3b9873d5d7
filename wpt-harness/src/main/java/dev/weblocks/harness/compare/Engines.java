package dev.weblocks.harness.compare;

import dev.weblocks.harness.browser.InstalledBrowser;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The runtimes available on this machine.
 *
 * @param found in the order in which they run
 * @param leftOut the engines that are not available
 */
public record Engines(List<Engine> found, List<LeftOut> leftOut) {

  /** The names of all supported engines, in the order in which they run. */
  public static final List<String> NAMES =
      List.of(Engine.OWN_JIT, Engine.OWN_INTERPRETER, "node", "deno", "chromium", "firefox");

  /**
   * An engine that does not take part.
   *
   * @param reason a phrase for messages
   */
  public record LeftOut(String name, String reason) {}

  /** Copies the lists. */
  public Engines {
    found = List.copyOf(found);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Finds the available runtimes.
   *
   * @param wanted some of {@link #NAMES}
   * @param property lookup of system properties set by the launcher: {@code weblocks.launcher} is
   *     the command that starts Weblocks; {@code weblocks.bench.node} and {@code
   *     weblocks.bench.deno} are programs that the launcher provides, and {@code
   *     weblocks.bench.jit} the {@code java} of a JDK with the optimising compiler
   * @param variable lookup of environment variables, as for {@link InstalledBrowser#find}
   */
  public static Engines find(
      List<String> wanted,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable,
      WorkloadFiles files,
      Processes processes) {
    List<Engine> found = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (String name : NAMES) {
      if (!wanted.contains(name)) {
        continue;
      }
      String program = program(name, property, variable);
      Engine engine =
          switch (name) {
            case "node" -> program == null ? null : node(program, files, processes);
            case "deno" -> program == null ? null : deno(program, files, processes);
            case "chromium", "firefox" -> browser(name, property, variable, files, processes);
            default -> own(name, property, files, processes);
          };
      if (engine != null) {
        found.add(engine);
      } else {
        leftOut.add(
            new LeftOut(
                name,
                name.startsWith(Engine.OWN_INTERPRETER)
                    ? "only the launcher scripts/weblocks can start it"
                    : "it is not installed"));
      }
    }
    return new Engines(found, leftOut);
  }

  private static @Nullable String program(
      String name,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable) {
    String brought = property.apply("weblocks.bench." + name);
    return brought != null && !brought.isEmpty() ? brought : Processes.onPath(name, variable);
  }

  private static @Nullable Engine own(
      String name,
      Function<String, @Nullable String> property,
      WorkloadFiles files,
      Processes processes) {
    String launcher = property.apply("weblocks.launcher");
    if (launcher == null) {
      return null;
    }
    boolean jit = name.equals(Engine.OWN_JIT);
    List<String> start = jit ? List.of(launcher, "--jit") : List.of(launcher);
    return new CommandEngine(
        name,
        processes,
        with(start, "bench-engine", files.directory().toString()),
        with(start, "run", "-e"),
        use ->
            use.equals("run-file")
                ? with(start, "run", files.adapter("seconds.js"))
                : javaProgram(jit, property, use, files.adapter("")));
  }

  /** Returns a command that runs a {@link JavaUse}; empty if there is no JDK for it. */
  private static List<String> javaProgram(
      boolean jit, Function<String, @Nullable String> property, String use, String adapters) {
    String java =
        jit
            ? property.apply("weblocks.bench.jit")
            : Path.of(String.valueOf(property.apply("java.home")), "bin", "java").toString();
    if (java == null) {
      return List.of();
    }
    List<String> command =
        new ArrayList<>(List.of(java, "-Dpolyglot.engine.WarnInterpreterOnly=false"));
    if (jit) {
      command.addAll(List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+EnableJVMCI"));
    }
    String classPath = String.valueOf(property.apply("java.class.path"));
    command.addAll(List.of("-cp", classPath, JavaUse.class.getName(), use, adapters));
    return command;
  }

  private static Engine node(String program, WorkloadFiles files, Processes processes) {
    return new CommandEngine(
        "node",
        processes,
        List.of(program, "--expose-gc", files.adapter("node.js")),
        List.of(program, "-e"),
        use -> List.of(program, files.adapter("seconds.js")));
  }

  private static Engine deno(String program, WorkloadFiles files, Processes processes) {
    List<String> session =
        with(
            List.of(program, "run", "--no-config", "--no-lock", "--v8-flags=--expose-gc"),
            "--allow-read=" + files.directory(),
            files.adapter("deno.js"));
    return new CommandEngine(
        "deno",
        processes,
        session,
        List.of(program, "eval"),
        use -> List.of(program, "run", "--no-config", "--no-lock", files.adapter("seconds.js")));
  }

  private static @Nullable Engine browser(
      String name,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable,
      WorkloadFiles files,
      Processes processes) {
    try {
      InstalledBrowser installed = InstalledBrowser.find(name, property, variable);
      return new PageEngine(name, installed, files.directory(), processes);
    } catch (EngineFailure notInstalled) {
      return null;
    }
  }

  private static List<String> with(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(Arrays.asList(more));
    return all;
  }
}
