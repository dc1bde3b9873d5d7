package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples about Web Locks in {@code src/examples/web-locks}: each command in their {@code
 * .expected} files is run, and must print the output given there.
 */
class RunExamplesTest {

  private static final Path EXAMPLES = Path.of("src/examples/web-locks").toAbsolutePath();
  private static final String COMMAND = "$ weblocks ";

  static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".expected"))
          .sorted()
          .toList();
    }
  }

  private static List<String> commands(String name) throws IOException {
    return Files.readAllLines(EXAMPLES.resolve(name)).stream()
        .filter(line -> line.startsWith(COMMAND))
        .toList();
  }

  private static String printedBy(String command) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int status =
        Main.run(
            new CliEnvironment(
                both,
                both,
                property -> null,
                variable -> null,
                false,
                (jobs, preloads, locks) -> {
                  throw new AssertionError("no browser is needed");
                },
                Duration.ofMinutes(2)),
            CliBed.environment(EXAMPLES, ""),
            command.substring(COMMAND.length()).split(" ", -1));
    String text = printed.toString(StandardCharsets.UTF_8);
    assertTrue(status == 0 || status == 1, command + " ends with " + status + ": " + text);
    assertFalse(text.contains("Uncaught"), command + ": " + text);
    return text;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void each_example_prints_the_expected_output(String name) throws IOException {
    List<String> commands = commands(name);
    assertFalse(commands.isEmpty(), name + " has no command");
    StringBuilder session = new StringBuilder();
    for (String command : commands) {
      session.append(command).append('\n').append(printedBy(command));
    }
    Path expected = EXAMPLES.resolve(name);
    if (Boolean.getBoolean("golden.rebaseline")) {
      Files.writeString(expected, session);
      return;
    }
    assertEquals(
        Files.readString(expected),
        session.toString(),
        () -> name + " differs; if that is meant, run scripts/rebaseline");
  }

  @Test
  void each_script_belongs_to_an_example() throws IOException {
    List<String> texts = new ArrayList<>();
    Set<String> scripts = new TreeSet<>();
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".js") || name.endsWith(".html")) {
          scripts.add(name);
        }
        if (!name.equals("README.md")) {
          texts.add(Files.readString(file));
        }
      }
    }
    scripts.removeIf(name -> texts.stream().anyMatch(text -> text.contains(name)));
    assertEquals(Set.of(), scripts, "no command and no script runs them");
  }
}
