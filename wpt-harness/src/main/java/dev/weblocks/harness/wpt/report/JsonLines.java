package dev.weblocks.harness.wpt.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.report.RunReport.Expected;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      ArrayNode subtests = node.putArray("subtests");
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
    line(lines, end);
    return lines.toString();
  }

  /**
   * Returns the report that {@link #write} wrote. Ignores unknown fields.
   *
   * @param events the objects on the lines
   * @throws IllegalArgumentException if they are no report, or only the beginning of one
   */
  public static RunReport read(List<JsonNode> events) {
    JsonNode start = events.getFirst();
    JsonNode end = events.getLast();
    if (!nameOf(start).equals(RUN_START) || !nameOf(end).equals(RUN_END)) {
      throw new IllegalArgumentException("the run has no start or no end");
    }
    Map<String, String> info = new LinkedHashMap<>();
    start
        .required("run_info")
        .properties()
        .forEach(fact -> info.put(fact.getKey(), fact.getValue().asText()));
    List<Test> tests = new ArrayList<>();
    List<NotRun> notRun = new ArrayList<>();
    for (JsonNode event : events.subList(1, events.size() - 1)) {
      switch (nameOf(event)) {
        case "test" -> tests.add(test(event));
        case "not_run" -> notRun.add(notRun(event));
        default -> throw new IllegalArgumentException("unknown event");
      }
    }
    return new RunReport(
        info, time(start), time(end), tests, notRun, end.required("interrupted").asBoolean());
  }

  /** Returns the name of an event; empty if the object is no event. */
  public static String nameOf(JsonNode event) {
    return event.path("event").asText();
  }

  private static Test test(JsonNode event) {
    List<Subtest> subtests = new ArrayList<>();
    for (JsonNode each : event.required("subtests")) {
      String status = each.required("status").asText();
      if (!status.equals(RunReport.MISSING)) {
        status = SubtestStatus.valueOf(status).name();
      }
      subtests.add(
          new Subtest(
              each.required("name").asText(), status, textOrNull(each, "message"), expected(each)));
    }
    JsonNode duration = event.required("duration");
    return new Test(
        event.required("test").asText(),
        event.path("subsuite").asText(),
        HarnessStatus.valueOf(event.required("status").asText()).name(),
        textOrNull(event, "message"),
        duration.isNull() ? null : Duration.ofMillis(duration.asLong()),
        expected(event),
        subtests);
  }

  private static NotRun notRun(JsonNode event) {
    String kind = textOrNull(event, "kind");
    String reason = event.required("reason").asText();
    if (kind != null && !reason.startsWith(NotRun.NOT_SUPPORTED)) {
      throw new IllegalArgumentException("a supported test has a kind");
    }
    return new NotRun(event.required("test").asText(), "", kind, reason);
  }

  private static Expected expected(JsonNode result) {
    List<String> intermittent = new ArrayList<>();
    result.path("known_intermittent").forEach(each -> intermittent.add(each.asText()));
    return new Expected(
        result.required("expected").asText(), intermittent, textOrNull(result, "reason"));
  }

  private static @Nullable Instant time(JsonNode event) {
    JsonNode time = event.required("time");
    return time.isNull() ? null : Instant.ofEpochMilli(time.asLong());
  }

  private static @Nullable String textOrNull(JsonNode node, String key) {
    JsonNode value = node.path(key);
    return value.isTextual() ? value.asText() : null;
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
