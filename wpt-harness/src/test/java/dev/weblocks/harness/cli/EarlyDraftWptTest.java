package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.testing.Fetched;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of the early draft, run by {@code weblocks wpt --tests}: all pass, and each step of the
 * text is exercised by one of them. If the web-platform-tests, which contain the harness, are not
 * in the cache, only the list is checked.
 */
class EarlyDraftWptTest {

  private static final Path TESTS = Path.of("wpt-harness/tests");
  private static final Path OURS = TESTS.resolve("early-draft");

  /** The steps of each algorithm of the text; 5a and 5b are the conditions that a step lists. */
  private static final Map<String, String> STEPS =
      Map.ofEntries(
          Map.entry("Lock", "1"),
          Map.entry("grantable", "1 2 3 4 5a 5b 6a 6b"),
          Map.entry("Lock.prototype.scope", "0"),
          Map.entry("Lock.prototype.mode", "0"),
          Map.entry("acquire", "1 2 3 4 5 6"),
          Map.entry(
              "request a lock",
              "1 2 3 4 5 5.1 5.2 5.3 6 7 7.1 7.2 7.3 7.4 8 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 8.9 9"
                  + " 9.1 9.2 9.3 9.4 10"),
          Map.entry(
              "queryState",
              "1 2 3 4 4.1 4.2 4.2.1 4.2.2 4.2.3 4.2.4 4.3 4.4 4.4.1 4.4.2 4.4.3 4.4.4 4.5 4.6 4.7"
                  + " 4.8 5"),
          Map.entry("forceRelease", "1 2 3 4 5 5.1"),
          Map.entry("TODO", "1 2 3"));

  @TempDir Path dir;

  /** A line of the list: a step, and the subtest that exercises it. */
  private record Exercise(String heading, String step, String file, String subtest) {}

  private static List<Exercise> list() throws IOException {
    List<Exercise> exercises = new ArrayList<>();
    for (String line : Files.readAllLines(OURS.resolve("steps.txt"))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" \\| ", 3);
        assertEquals(3, parts.length, line);
        int comma = parts[0].lastIndexOf(", ");
        assertTrue(comma > 0, line);
        exercises.add(
            new Exercise(
                parts[0].substring(0, comma),
                parts[0].substring(comma + 2),
                parts[1].strip(),
                parts[2].strip()));
      }
    }
    return exercises;
  }

  @Test
  void list_of_tested_steps_has_each_step_of_the_early_draft_once() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (Exercise exercise : list()) {
      listed.merge(exercise.heading(), exercise.step(), (all, step) -> all + " " + step);
    }
    assertEquals(new TreeMap<>(STEPS), listed);
  }

  @Test
  void idl_of_the_tests_equals_that_of_the_library() throws IOException {
    assertEquals(
        Files.readString(
            Path.of(
                "src/library/src/main/resources/dev/weblocks/locks/earlydraft/early-draft.idl")),
        Files.readString(TESTS.resolve("interfaces/early-draft.idl")));
  }

  /** Runs the command; returns its output. */
  private static String run(int status, String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    CliEnvironment process = CliEnvironment.ofProcess();
    CliEnvironment cli =
        new CliEnvironment(
            out,
            out,
            property -> null,
            variable -> null,
            false,
            process.browsers(),
            Duration.ofMinutes(1));
    int ended = Main.run(cli, args);
    String text = printed.toString(StandardCharsets.UTF_8);
    assertEquals(status, ended, text);
    return text;
  }

  @Test
  void all_tests_pass_and_exercise_all_steps() throws IOException {
    Path wpt = Fetched.wpt();
    Path report = dir.resolve("report.json");

    run(
        0,
        "wpt",
        "--wpt",
        wpt.toString(),
        "--no-verify",
        "--tests",
        TESTS.toString(),
        "--spec-variant",
        "early-draft",
        "--timeout-multiplier",
        "10",
        "--wptreport",
        report.toString(),
        "early-draft/");

    Map<String, Set<String>> passed = new LinkedHashMap<>();
    Set<String> ids = new TreeSet<>();
    for (JsonNode test : new ObjectMapper().readTree(report.toFile()).get("results")) {
      String id = test.get("test").asText();
      ids.add(id);
      assertEquals("OK", test.get("status").asText(), id);
      assertFalse(test.get("subtests").isEmpty(), id);
      Set<String> ofFile = passed.computeIfAbsent(sourceOf(id), key -> new LinkedHashSet<>());
      for (JsonNode subtest : test.get("subtests")) {
        assertEquals("PASS", subtest.get("status").asText(), id + ": " + subtest);
        ofFile.add(subtest.get("name").asText());
      }
    }
    for (String global : List.of(".html", ".worker.html", ".sharedworker.html")) {
      assertTrue(ids.contains("/early-draft/request.https.any" + global), ids.toString());
    }
    for (Exercise exercise : list()) {
      Set<String> ofFile = passed.getOrDefault(exercise.file(), Set.of());
      assertTrue(
          ofFile.contains(exercise.subtest()),
          () -> exercise + " is none of the subtests that passed: " + ofFile);
    }
  }

  /** Returns the name of a test's source file. */
  private static String sourceOf(String id) {
    return id.replace("/early-draft/", "").replaceFirst("[.]any[.](?:[a-z]+[.])?html$", ".any.js");
  }

  @Test
  void tests_fail_under_the_working_draft() throws IOException {
    Path wpt = Fetched.wpt();
    String text =
        run(
            1,
            "wpt",
            "--wpt",
            wpt.toString(),
            "--no-verify",
            "--tests",
            TESTS.toString(),
            "early-draft/acquire.https.any.html");
    assertTrue(text.contains("acquire is not a function"), text);
  }
}
