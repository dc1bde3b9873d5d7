package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.SharedEnvironment;
import dev.weblocks.harness.differ.Engine;
import dev.weblocks.harness.differ.Engines;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code weblocks differ}. */
class DifferCommandTest extends CliBed {

  private static final Observation WRONG =
      new Observation(true, new TreeMap<>(Map.of("main", List.of("nonsense"))));

  private Runnable interrupt = () -> {};

  /** Runs the command with an engine that answers as the function says. */
  private int run(Function<ProgramFiles, Observation> answer, String... arguments) {
    Engine engine =
        new Engine() {
          @Override
          public String name() {
            return "fake";
          }

          @Override
          public List<Observation> run(List<ProgramFiles> programs) {
            return programs.stream().map(answer).toList();
          }

          @Override
          public void close() {}
        };
    RunEnvironment real = RunEnvironment.ofProcess();
    RunEnvironment own =
        new RunEnvironment(
            real.in(),
            false,
            dir,
            real.timers(),
            (action, ended) -> {
              interrupt = action;
              return () -> {};
            },
            real.prompts(),
            () -> SharedEnvironment.ENVIRONMENT);
    TreeMap<String, Engines.Maker> makers = new TreeMap<>();
    makers.put("fake", settings -> engine);
    makers.put(
        "broken",
        settings -> {
          throw new IOException("no browser is installed");
        });
    CommandLine command = new CommandLine(new DifferCommand(cli(), own, Engines.of(makers)));
    Values.register(command);
    command.setExecutionExceptionHandler((problem, line, parsed) -> {
      cli().note(problem.getMessage());
      return 2;
    });
    return command.execute(arguments);
  }

  @Test
  void programs_that_conform_are_counted() {
    assertEquals(
        0,
        run("differ", "--programs", "4", "--seed", "3", "--deterministic", "--seeds", "2"),
        this::err);
    assertTrue(
        out().matches("(?s).*8 of 8 programs: [0-9]+ conform, .* in [0-9.]+ s\n"), this::out);
  }

  @Test
  void program_that_differs_is_shrunk_and_saved() throws IOException {
    assertEquals(
        1,
        run(files -> WRONG, "--engine", "fake", "--programs", "1", "--save", "found"),
        this::err);
    assertTrue(out().startsWith("differs seed 1: main logged 'nonsense', "), this::out);
    assertTrue(out().contains("  begin('main', 3, 2);\n"), this::out);
    assertTrue(
        out().contains("1 of 1 programs: 0 conform, 0 known, 0 undecided, 1 differ"), this::out);
    Path saved = dir.resolve("found/seed-1");
    assertTrue(Files.readString(saved.resolve("index.html")).contains("begin('main'"));
    assertTrue(Files.readString(saved.resolve("runtime.js")).contains("function begin"));
    String text = Files.readString(saved.resolve("difference.txt"));
    assertTrue(text.contains("== lines in fake\nmain:\n  nonsense\n"), text);
  }

  @Test
  void program_without_a_report_differs() {
    assertEquals(
        1, run(files -> Observation.NOTHING, "--engine", "fake", "--programs", "1"), this::err);
    assertTrue(out().startsWith("differs seed 1: the engine did not report in time"), this::out);
  }

  @Test
  void replay_prints_the_program_and_the_lines_of_both_sides() {
    assertEquals(0, run("differ", "--replay", "4", "--deterministic"), this::err);
    assertTrue(out().startsWith("// main, the main window\nbegin('main', 3, 2);\n"), this::out);
    assertTrue(out().contains("\n== lines in weblocks\n"), this::out);
    assertTrue(out().contains("\nconforms seed 4: conforms\n"), this::out);
  }

  @Test
  void interrupt_ends_the_run_with_a_summary() {
    assertEquals(
        130,
        run(
            files -> {
              interrupt.run();
              return WRONG;
            },
            "--engine",
            "fake"),
        this::err);
    assertTrue(out().startsWith("0 of 200 programs: "), this::out);
    assertEquals("weblocks: interrupted\n", err());
  }

  @Test
  void engine_that_does_not_start_ends_the_command() {
    assertFails(
        "--engine 'zzz' is unknown; engines are chromium, firefox, weblocks (weblocks differ --help)",
        "differ",
        "--engine",
        "zzz");
    forget();
    assertEquals(2, run(files -> WRONG, "--engine", "broken"));
    assertEquals("weblocks: no browser is installed\n", err());
  }

  @Test
  void options_that_contradict_each_other_are_refused() {
    assertFails(
        "--seeds 3 needs --deterministic (weblocks differ --help)", "differ", "--seeds", "3");
    assertFails(
        "--replay and --seed or --programs exclude each other: a replay runs one program"
            + " (weblocks differ --help)",
        "differ",
        "--replay",
        "3",
        "--seed",
        "1");
    assertFails(
        "--seed 9223372036854775807: only 1 programs have this seed or a later one (weblocks differ"
            + " --help)",
        "differ",
        "--seed",
        "9223372036854775807");
  }
}
