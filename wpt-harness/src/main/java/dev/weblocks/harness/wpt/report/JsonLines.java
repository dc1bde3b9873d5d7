package dev.weblocks.harness.wpt.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The format with one JSON object on a line for each event: the start of the run, each test with
 * its subtests, each test that did not run, and the end. The text is ASCII, because some characters
 * outside of ASCII end a line.
 */
public final class JsonLines implements ReportFormat {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Override
  public String write(RunReport run) {
    StringBuilder lines = new StringBuilder();
    ObjectNode start = event("run_start", run.start());
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
      line(
          lines,
          JSON.createObjectNode()
              .put("event", "not_run")
              .put("test", notRun.id())
              .put("reason", notRun.reason()));
    }
    ObjectNode end = event("run_end", run.end());
    end.put("interrupted", run.interrupted());
    end.put("ran", run.tests().size());
    end.put("not_run", run.notRun().size());
    end.put("unexpected", run.unexpected());
    line(lines, end);
    return lines.toString();
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
