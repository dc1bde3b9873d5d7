package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code scripts/fetch-npm} in a home of its own, with an {@code npm} that each test writes. */
class FetchNpmTest {
  private static final String SCRIPT = "scripts/fetch-npm";

  /** Creates node_modules in the folder that follows --prefix. */
  private static final String WORKING_NPM =
      """
      while [ "$1" != --prefix ]; do shift; done
      mkdir "$2/node_modules"
      """;

  /** Prints to the script's own output when it starts, and again if it outlives the script. */
  private static final String HANGING_NPM =
      """
      echo started >&8
      (sleep 20; echo survived >&8) &
      wait
      echo survived >&8
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit fills it in
  private Path dir;

  private record Result(int status, String out, List<String> err) {}

  @BeforeEach
  void make_a_home() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
    String pins = "src/library/src/test/npm/package";
    for (String file : List.of(SCRIPT, "scripts/lib.sh", pins + ".json", pins + "-lock.json")) {
      Path copy = dir.resolve("home").resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of(file), copy);
    }
    write_command("bin/npm", WORKING_NPM);
  }

  @Test
  void packages_are_fetched_into_the_folder_that_option_print_dir_prints() throws Exception {
    Path cache = Path.of(fetch(Map.of(), "--print-dir").out());
    assertFalse(Files.exists(cache), "--print-dir fetched");

    Result result = fetch(Map.of());

    assertEquals(0, result.status(), () -> result.err().toString());
    assertTrue(Files.isDirectory(cache.resolve("node_modules")), cache.toString());
    assertEquals(List.of(cache), cached());
  }

  @Test
  void second_fetch_does_not_call_npm() throws Exception {
    assertEquals(0, fetch(Map.of()).status());
    write_command("bin/npm", "exit 1\n");

    assertEquals(new Result(0, "", List.of()), fetch(Map.of()));
  }

  @Test
  void failure_is_reported_in_one_line_with_the_reason_of_npm() throws Exception {
    write_command(
        "bin/npm",
        """
        exec >&2
        echo 'npm error code ENOTFOUND'
        echo 'npm error syscall getaddrinfo'
        echo 'npm error errno ENOTFOUND'
        echo 'npm error network request to http://registry.test/ failed'
        yes 'npm error network     at Socket' | head -n 20000 # more than a pipe holds
        exit 7
        """);

    assert_fails(
        "npm failed with status 7: network request to http://registry.test/ failed",
        fetch(Map.of()));
  }

  @Test
  void failure_leaves_nothing_in_the_cache() throws Exception {
    write_command("bin/npm", WORKING_NPM + "exit 1\n");

    assert_fails("npm failed with status 1", fetch(Map.of()));
    assertEquals(List.of(), cached());
  }

  @Test
  void missing_npm_is_reported() throws Exception {
    for (String tool : List.of("bash", "dirname", "sha256sum", "shasum", "cut")) {
      for (String folder : path().split(File.pathSeparator)) {
        Path found = Path.of(folder, tool);
        if (Files.isExecutable(found)) {
          write_command("tools/" + tool, "exec '" + found + "' \"$@\"\n");
        }
      }
    }

    String tools = dir.resolve("tools").toString();
    assert_fails("npm is not installed (package npm)", fetch(Map.of("PATH", tools)));
  }

  @Test
  void npm_and_its_children_are_ended_when_it_times_out() throws Exception {
    write_command("bin/npm", HANGING_NPM);

    Result result = fetch(Map.of("NPM_PATIENCE", "1"));

    assert_fails("npm did not finish within 1 s; raise NPM_PATIENCE", result);
    assertFalse(result.out().contains("survived"), "npm was not ended");
    assertEquals(List.of(), cached());
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void interrupted_fetch_leaves_nothing_and_the_next_one_fetches(String signal, int status)
      throws Exception {
    // A shell cannot trap a signal that its parent ignores, as a build in the background may.
    Process traps = new ProcessBuilder("bash", "-c", "trap -p " + signal).start();
    assumeTrue(result_of(traps).out().isEmpty(), "SIG" + signal + " is ignored");
    write_command("bin/npm", HANGING_NPM);
    Process process = start(Map.of());
    assertEquals("started", process.inputReader(UTF_8).readLine());

    String kill = "kill -" + signal + " " + process.pid();
    assertEquals(0, new ProcessBuilder("bash", "-c", kill).start().waitFor());

    assertEquals(new Result(status, "", List.of()), result_of(process)); // npm has ended too
    assertEquals(List.of(), cached());
    write_command("bin/npm", WORKING_NPM);
    assertEquals(0, fetch(Map.of()).status());
    assertEquals(1, cached().size());
  }

  @Test
  void cache_that_cannot_be_created_is_reported() throws Exception {
    String cache = Files.createFile(dir.resolve("file")).resolve("cache").toString();

    String message = "cannot write in the cache folder " + cache + "/weblocks/npm";
    assert_fails(message, fetch(Map.of("XDG_CACHE_HOME", cache)));
  }

  @Test
  void packages_with_empty_files_are_refused_and_not_cached() throws Exception {
    write_command(
        "bin/npm",
        WORKING_NPM + "mkdir \"$2/node_modules/a\"; : >\"$2/node_modules/a/package.json\"\n");

    assert_fails(
        "npm left empty files in " + dir.resolve("cache/weblocks/npm") + ": is the disk full?",
        fetch(Map.of()));
    assertEquals(List.of(), cached());
  }

  @Test
  void timeout_that_is_no_number_is_refused() throws Exception {
    assert_fails(
        "NPM_PATIENCE is '1m': give it whole seconds", fetch(Map.of("NPM_PATIENCE", "1m")));
  }

  @Test
  void unknown_argument_is_named_in_the_error() throws Exception {
    assert_fails("unknown argument '--all' (scripts/fetch-npm --help)", fetch(Map.of(), "--all"));
  }

  private static void assert_fails(String message, Result result) {
    assertEquals(List.of("fetch-npm: " + message), result.err());
    assertEquals(2, result.status());
  }

  /** Returns the entries of the cache folder other than the lock. */
  private List<Path> cached() throws IOException {
    try (Stream<Path> entries = Files.list(dir.resolve("cache/weblocks/npm"))) {
      return entries.filter(entry -> !entry.endsWith("lock")).toList();
    }
  }

  private void write_command(String path, String body) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body);
    assertTrue(file.toFile().setExecutable(true));
  }

  private static String path() {
    return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  private Result fetch(Map<String, String> environment, String... arguments) throws Exception {
    return result_of(start(environment, arguments));
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    // The script redirects the output of npm, but not descriptor 8. So standard output is closed
    // only when npm and its children have ended too.
    List<String> command = new ArrayList<>(List.of("bash", "-c", "exec bash \"$@\" 8>&1", "bash"));
    command.add(dir.resolve("home").resolve(SCRIPT).toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("NPM_PATIENCE");
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("cache").toString());
    builder.environment().put("PATH", dir.resolve("bin") + File.pathSeparator + path());
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Waits for the end of a process; leaves out the line that reports progress. */
  private static Result result_of(Process process) throws Exception {
    // Both outputs fit into the pipe buffers, so reading them in turn cannot deadlock.
    String out = process.inputReader(UTF_8).lines().collect(Collectors.joining("\n"));
    Stream<String> err = process.errorReader(UTF_8).lines();
    List<String> errors = err.filter(line -> !line.startsWith("fetch-npm: fetching ")).toList();
    return new Result(process.waitFor(), out, errors);
  }
}
