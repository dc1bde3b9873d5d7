package dev.weblocks.harness.wpt.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.JsonFields;
import dev.weblocks.harness.wpt.JsonFields.WrongFieldException;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format with one JSON object on a line for each event: the start of the run, each test with
 * its subtests, each test that did not run, and the end. The text is ASCII, because some characters
 * outside of ASCII end a line.
 */
public final class JsonLines implements ReportFormat {

  /** The name of the first event. */
  public static final String RUN_START = "run_start";

  private static final String RUN_END = "run_end";
  private static final String SUBTESTS = "subtests";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Override
  public String write(RunReport run) {
    StringBuilder lines = new StringBuilder();
    ObjectNode start = event(RUN_START, run.start());
    ObjectNode info = start.putObject("run_info");
    run.info().forEach(info::put);
    start.put("tests", run.tests().size() + run.notRun().size());
    line(lines, start);
    for (Test test : run.tests()) {
      ObjectNode node = JSON.createObjectNode().put("event", "test").put("test", test.id());
      if (!test.subsuite().isEmpty()) {
        node.put("subsuite", test.subsuite());
      }
      put(node, test);
      node.put("duration", test.duration() == null ? null : test.duration().toMillis());
      ArrayNode subtests = node.putArray(SUBTESTS);
      for (Subtest subtest : test.subtests()) {
        put(subtests.addObject().put("name", subtest.name()), subtest);
      }
      line(lines, node);
    }
    for (NotRun notRun : run.notRun()) {
      ObjectNode node = JSON.createObjectNode().put("event", "not_run").put("test", notRun.id());
      if (notRun.kind() != null) {
        node.put("kind", notRun.kind());
      }
      line(lines, node.put("reason", notRun.reason()));
    }
    ObjectNode end = event(RUN_END, run.end());
    end.put("interrupted", run.interrupted());
    end.put("ran", run.tests().size());
    end.put("not_run", run.notRun().size());
    end.put("unexpected", run.unexpected());
    end.put(SUBTESTS, subtests(run));
    line(lines, end);
    return lines.toString();
  }

  /**
   * Returns the report that {@link #write} wrote. Ignores unknown fields.
   *
   * @param events the objects on the lines
   * @throws WrongFieldException if they are no report, only a part of one, or if its counts differ
   *     from the counts that it states
   */
  public static RunReport read(List<JsonNode> events) {
    JsonNode start = events.getFirst();
    JsonNode end = events.getLast();
    if (!nameOf(start).equals(RUN_START) || !nameOf(end).equals(RUN_END)) {
      throw new WrongFieldException("it has no start or no end of the run");
    }
    Map<String, String> info = new LinkedHashMap<>();
    JsonNode facts = JsonFields.object(start, "run_info");
    facts.fieldNames().forEachRemaining(key -> info.put(key, facts.path(key).asText()));
    List<Test> tests = new ArrayList<>();
    List<NotRun> notRun = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (JsonNode event : events.subList(1, events.size() - 1)) {
      switch (nameOf(event)) {
        case "test" -> {
          Test test = test(event);
          requireNew(keys, test.key());
          tests.add(test);
        }
        case "not_run" -> {
          NotRun each = notRun(event);
          requireNew(keys, each.key());
          notRun.add(each);
        }
        default -> throw new WrongFieldException("it has an unknown event");
      }
    }
    RunReport run =
        new RunReport(
            info, time(start), time(end), tests, notRun, JsonFields.flag(end, "interrupted"));
    JsonFields.requireEqual("\"tests\"", JsonFields.count(start, "tests"), keys.size());
    JsonFields.requireEqual("\"ran\"", JsonFields.count(end, "ran"), tests.size());
    JsonFields.requireEqual("\"not_run\"", JsonFields.count(end, "not_run"), notRun.size());
    JsonFields.requireEqual(
        "\"unexpected\"", JsonFields.count(end, "unexpected"), run.unexpected());
    if (end.has(SUBTESTS)) { // reports of older versions do not have it
      JsonFields.requireEqual(
          "\"" + SUBTESTS + "\"", JsonFields.count(end, SUBTESTS), subtests(run));
    }
    return run;
  }

  private static void requireNew(Set<String> keys, String key) {
    if (!keys.add(key)) {
      throw new WrongFieldException("it has " + key + " twice");
    }
  }

  private static int subtests(RunReport run) {
    return run.tests().stream().mapToInt(test -> test.subtests().size()).sum();
  }

  /** Returns the name of an event; empty if the object is no event. */
  public static String nameOf(JsonNode event) {
    return event.path("event").asText();
  }

  private static Test test(JsonNode event) {
    List<Subtest> subtests = new ArrayList<>();
    for (JsonNode each : JsonFields.list(event, SUBTESTS)) {
      String status = JsonFields.text(each, "status");
      if (!status.equals(RunReport.MISSING)) {
        status = JsonFields.name(SubtestStatus.class, each, "status").name();
      }
      Subtest subtest =
          new Subtest(
              JsonFields.text(each, "name"),
              status,
              JsonFields.textOrNull(each, "message"),
              expected(each));
      requireAsStated(each, subtest);
      subtests.add(subtest);
    }
    Test test =
        new Test(
            JsonFields.text(event, "test"),
            event.has("subsuite") ? JsonFields.text(event, "subsuite") : "",
            JsonFields.name(HarnessStatus.class, event, "status").name(),
            JsonFields.textOrNull(event, "message"),
            JsonFields.isAbsent(event, "duration")
                ? null
                : Duration.ofMillis(JsonFields.integer(event, "duration")),
            expected(event),
            subtests);
    requireAsStated(event, test);
    return test;
  }

  private static void requireAsStated(JsonNode event, Result result) {
    if (JsonFields.flag(event, "unexpected") != result.unexpected()) {
      throw new WrongFieldException("\"unexpected\" contradicts the expected status");
    }
  }

  private static NotRun notRun(JsonNode event) {
    String kind = JsonFields.textOrNull(event, "kind");
    String reason = JsonFields.text(event, "reason");
    if (kind != null && !reason.startsWith(NotRun.NOT_SUPPORTED)) {
      throw new WrongFieldException("a supported test has a \"kind\"");
    }
    return new NotRun(JsonFields.text(event, "test"), "", kind, reason);
  }

  private static Expected expected(JsonNode result) {
    return new Expected(
        JsonFields.text(result, "expected"),
        result.has("known_intermittent")
            ? JsonFields.texts(result, "known_intermittent")
            : List.of(),
        JsonFields.textOrNull(result, "reason"));
  }

  private static @Nullable Instant time(JsonNode event) {
    return JsonFields.isAbsent(event, "time")
        ? null
        : Instant.ofEpochMilli(JsonFields.integer(event, "time"));
  }

  private static ObjectNode event(String name, @Nullable Instant time) {
    return JSON.createObjectNode()
        .put("event", name)
        .put("time", time == null ? null : time.toEpochMilli());
  }

  private static void put(ObjectNode node, Result result) {
    node.put("status", result.status());
    node.put("expected", result.expected().status());
    node.put("unexpected", result.unexpected());
    node.put("message", result.message());
    if (!result.expected().intermittent().isEmpty()) {
      ArrayNode intermittent = node.putArray("known_intermittent");
      result.expected().intermittent().forEach(intermittent::add);
    }
    if (result.expected().reason() != null) {
      node.put("reason", result.expected().reason());
    }
  }

  private static void line(StringBuilder lines, ObjectNode event) {
    try {
      lines.append(JSON.writeValueAsString(event)).append('\n');
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an event cannot be written as JSON: " + e.getMessage(), e);
    }
  }
}
