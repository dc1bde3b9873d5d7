package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.testing.Fetched;
import dev.weblocks.testing.Golden;
import dev.weblocks.testing.NpmPackage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example that tests a polyfill: scripts of {@code --preload}, with the real browser. */
class PreloadExampleTest {

  private static final Path EXAMPLE = Path.of("src/examples/preload");

  @TempDir Path dir;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... args) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    CliEnvironment cli =
        new CliEnvironment(
            out,
            out,
            property -> null,
            variable -> null,
            false,
            CliEnvironment.ofProcess().browsers(),
            Duration.ofMinutes(1));
    return Main.run(cli, args);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void polyfill_passes_the_subtests_that_the_example_lists() throws IOException {
    Path report = dir.resolve("report.json");
    Path polyfill =
        new NpmPackage("navigator.locks")
            .home()
            .resolve("node_modules/navigator.locks/dist/index.umd.js");

    int status =
        run(
            "wpt",
            "--wpt",
            Fetched.wpt().toString(),
            "--no-verify",
            "--deterministic",
            "--preload",
            EXAMPLE.resolve("without-locks.js").toString(),
            "--preload",
            polyfill.toString(),
            "--wptreport",
            report.toString(),
            "/web-locks/*.any.html");

    assertEquals(Main.UNEXPECTED, status, this::printed);
    assertFalse(printed().contains("a preload script failed"), this::printed);
    StringBuilder lines = new StringBuilder();
    int sum = 0;
    for (JsonNode test : new ObjectMapper().readTree(report.toFile()).get("results")) {
      int passed = 0;
      for (JsonNode subtest : test.get("subtests")) {
        passed += subtest.get("status").asText().equals("PASS") ? 1 : 0;
      }
      sum += passed;
      lines.append(
          "%s %d of %d\n"
              .formatted(test.get("test").asText(), passed, test.get("subtests").size()));
    }
    lines.append("together ").append(sum).append('\n');
    Golden.checkFile(EXAMPLE.resolve("expected"), lines.toString());
  }

  @Test
  void preload_failure_is_named_with_file_and_line_in_each_global() throws IOException {
    Path tests = dir.resolve("tests/x");
    Files.createDirectories(tests);
    Files.writeString(
        tests.resolve("seen.https.any.js"),
        "// META: global=window,dedicatedworker,sharedworker,serviceworker\n"
            + "test(() => {}, 'the test does not look at the preload');");
    Path throwing = Files.writeString(dir.resolve("throws.js"), "\nthrow new Error('mine');");
    Path malformed = Files.writeString(dir.resolve("malformed.js"), "\n\nconst = 1;");

    for (Path preload : new Path[] {throwing, malformed}) {
      printed.reset();
      int status =
          run(
              "wpt",
              "--wpt",
              Fetched.wpt().toString(),
              "--no-verify",
              "--deterministic",
              "--tests",
              dir.resolve("tests").toString(),
              "--preload",
              preload.toString(),
              "x/");

      assertEquals(Main.UNEXPECTED, status, this::printed);
      String place = preload.equals(throwing) ? "throws.js:2:" : "malformed.js:3:";
      long named =
          printed()
              .lines()
              .filter(line -> line.contains("a preload script failed") && line.contains(place))
              .count();
      assertEquals(4, named, this::printed);
    }
  }
}
