package dev.weblocks.harness.differ.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.harness.cli.Main;
import dev.weblocks.harness.differ.EngineSettings;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.testing.Fetched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tests of {@code wpt-harness/tests/browsers}, in Weblocks and in installed browsers. The file
 * {@code results.txt} beside them has the results of browsers that are not a pass, with the major
 * version that they were observed in.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrowserTestsTest {

  private static final Path TESTS = Path.of("wpt-harness/tests");
  private static final String FOLDER = "/browsers/";
  private static final Path RESULTS = TESTS.resolve("browsers/results.txt");

  /** The part of testharness.js that is left to the embedder: reports when the page is complete. */
  private static final String REPORT =
      """
      setup({output: false, timeout_multiplier: 2});
      if (self === parent && !self.opener) {
        add_completion_callback((tests, {status, message}) => fetch('/report', {
          method: 'POST',
          body: JSON.stringify({complete: true, logs: {
            harness: [String(status), String(message)],
            results: tests.map(each => ['PASS', 'FAIL', 'TIMEOUT', 'NOTRUN', 'PRECONDITION_FAILED'][
                each.status] + ' ' + each.name),
            messages: tests.filter(each => each.message).map(each => each.name + ': ' + each.message),
          }}),
        }));
      }
      """;

  @TempDir Path dir;

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.list(TESTS.resolve("browsers"))) {
      return all.filter(each -> each.toString().endsWith(".html")).sorted().toList();
    }
  }

  /** Returns a program that runs a test. */
  private static ProgramFiles program(Path source) throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(TESTS.resolve("browsers"))) {
      all.filter(Files::isRegularFile)
          .forEach(each -> files.put("/" + TESTS.relativize(each), read(each)));
    }
    String harness = "/resources/testharness.js";
    files.put(harness, read(Path.of(Fetched.wpt() + harness)));
    files.put("/resources/testharnessreport.js", REPORT);
    files.put(
        ProgramFiles.INDEX,
        "<script>location.replace('%s')</script>".formatted(FOLDER + source.getFileName()));
    return new ProgramFiles(files);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the results of each test that are not a pass, as lines of {@code results.txt}. */
  private static List<String> failures(String file, Collection<String> results) {
    return results.stream()
        .filter(result -> !result.startsWith("PASS "))
        .map(result -> file + " " + result)
        .toList();
  }

  /** Returns the expected failures of a browser. */
  private static List<String> expected(String browser) throws IOException {
    String prefix = browser + " ";
    return Files.readAllLines(RESULTS).stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .sorted()
        .toList();
  }

  @Test
  void weblocks_passes_all_tests() throws IOException {
    Path report = dir.resolve("report.json");
    int status =
        Main.run(
            "wpt",
            "--wpt=" + Fetched.wpt(),
            "--no-verify",
            "--tests=" + TESTS,
            "--timeout-multiplier=10",
            "--wptreport=" + report,
            FOLDER);

    List<String> run = new ArrayList<>();
    for (JsonNode test : new ObjectMapper().readTree(report.toFile()).get("results")) {
      run.add(test.get("test").asText());
      List<String> results = new ArrayList<>();
      for (JsonNode subtest : test.get("subtests")) {
        results.add(subtest.get("status").asText() + " " + subtest.get("name").asText());
      }
      assertEquals(List.of(), failures(test.get("test").asText(), results));
    }
    assertEquals(0, status);
    assertEquals(sources().stream().map(each -> FOLDER + each.getFileName()).toList(), run);
  }

  @Tag("full") // a change of Weblocks does not affect it
  @ParameterizedTest
  @ValueSource(strings = {"chromium", "firefox"})
  void installed_browser_has_the_recorded_results(String name) throws Exception {
    BrowserEngine engine;
    try {
      engine =
          BrowserEngine.start(
              name,
              System::getProperty,
              System::getenv,
              new EngineSettings(null, 3, 10, Duration.ofSeconds(200)),
              true);
    } catch (EngineFailure e) {
      assumeTrue(!e.reason().contains("not installed"), name + ": " + e.reason());
      throw e;
    }
    List<String> failures = new ArrayList<>();
    StringBuilder messages = new StringBuilder();
    String browser;
    try (engine) {
      browser = name + "-" + engine.version().replaceFirst("[.].*", "");
      List<ProgramFiles> programs = new ArrayList<>();
      for (Path source : sources()) {
        programs.add(program(source));
      }
      List<Observation> observations = engine.run(programs);
      for (int i = 0; i < programs.size(); i++) {
        Observation observation = observations.get(i);
        String file = sources().get(i).getFileName().toString();
        if (!observation.lines("harness").equals(List.of("0", "null"))) {
          failures.add(file + " harness " + observation.lines("harness"));
        }
        failures.addAll(failures(file, observation.lines("results")));
        observation.lines("messages").forEach(each -> messages.append("\n").append(each));
      }
    }
    Collections.sort(failures);
    List<String> expected = expected(browser);
    assumeTrue(
        read(RESULTS).contains("\n" + browser + " ") || expected.equals(failures),
        () -> "the results of " + browser + " are not recorded: " + failures);
    assertEquals(
        String.join("\n", expected), String.join("\n", failures), () -> browser + messages);
  }
}
