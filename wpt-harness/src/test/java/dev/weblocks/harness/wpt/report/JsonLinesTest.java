package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLinesTest {

  private static List<JsonNode> lines(RunReport run) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : new JsonLines().write(run).split("\n", 0)) {
      lines.add(JsonMapper.builder().build().readTree(line));
    }
    return lines;
  }

  private static JsonNode json(String text) throws IOException {
    return JsonMapper.builder().build().readTree(text);
  }

  @Test
  void start_and_end_of_the_run_and_each_test_have_a_line() throws IOException {
    List<JsonNode> lines = lines(Runs.mixed());

    assertEquals(4, lines.size());
    assertEquals(
        json(
            """
            {"event": "run_start", "time": 1000, "run_info": {"product": "weblocks"}, "tests": 2}
            """),
        lines.get(0));
    assertEquals("/d/a.html?v", lines.get(1).get("test").asText());
    assertEquals(
        json(
            """
            {"name": "known", "status": "FAIL", "expected": "FAIL", "unexpected": false,
             "message": "so it is", "known_intermittent": ["PASS"], "reason": "it is known"}
            """),
        lines.get(1).get("subtests").get(1));
    assertEquals(
        json(
            """
            {"event": "test", "test": "/d/e/crash.html", "status": "CRASH", "expected": "OK",
             "unexpected": true, "message": null, "duration": 321, "subtests": []}
            """),
        lines.get(2));
    assertEquals(
        json(
            """
            {"event": "run_end", "time": 2500, "interrupted": false, "ran": 2, "not_run": 0,
             "unexpected": 5, "subtests": 6}
            """),
        lines.get(3));
  }

  @Test
  void hostile_text_stays_on_its_line_and_is_unchanged() throws IOException {
    String text = new JsonLines().write(Runs.hostile());

    assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f), text);
    assertEquals(
        Runs.HOSTILE.replace("\ud800 ", "U+d800 "),
        lines(Runs.hostile()).get(1).at("/subtests/0/name").asText());
  }

  @Test
  void interrupted_run_is_marked_and_names_tests_not_run() throws IOException {
    List<JsonNode> lines = lines(Runs.interrupted());

    assertEquals(
        json(
            """
            {"event": "not_run", "test": "/d/b.html", "reason": "the run was interrupted"}
            """),
        lines.get(2));
    assertEquals(true, lines.get(3).get("interrupted").asBoolean());
  }

  @Test
  void empty_run_has_only_start_and_end_lines() throws IOException {
    assertEquals(2, lines(Runs.empty()).size());
  }
}
