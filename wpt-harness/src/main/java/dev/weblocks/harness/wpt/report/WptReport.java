package dev.weblocks.harness.wpt.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;

/**
 * The format of wptrunner's {@code --log-wptreport}. {@code expected} is present only if it differs
 * from the status; times are in milliseconds since 1970, durations in milliseconds. Tests that did
 * not run have the status {@code SKIP}, like disabled tests in wptrunner. An interruption of the
 * run, which wptrunner cannot express, is a field of {@code run_info}.
 */
public final class WptReport implements ReportFormat {

  /** The key in {@code run_info} that marks an interrupted run. */
  static final String INTERRUPTED = "interrupted";

  static final String SKIP = "SKIP";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public String write(RunReport run) {
    ObjectNode report = JSON.createObjectNode();
    ObjectNode info = report.putObject("run_info");
    // the updater of wptrunner fails at a condition with an absent key
    info.put("debug", false).put("verify", false).put("wasm", false).put("headless", true);
    info.put("automation", false).put("has_sandbox", true).putNull("display");
    info.put("android_version", "").put("apple_catalina", false);
    info.put("win10_2009", false).put("win11_2009", false);
    run.info().forEach((key, value) -> putFact(info, key, value));
    if (run.interrupted()) {
      info.put(INTERRUPTED, true);
    }
    if (run.start() != null) {
      report.put("time_start", run.start().toEpochMilli());
    }
    ArrayNode results = report.putArray("results");
    run.tests().forEach(test -> put(results.addObject(), test));
    for (NotRun notRun : run.notRun()) {
      ObjectNode node = results.addObject();
      node.put("test", notRun.id());
      node.put("subsuite", notRun.subsuite());
      node.put("status", SKIP);
      node.put("message", notRun.reason());
      node.put("duration", 0);
      node.putArray("subtests");
    }
    report.putObject("subsuites");
    if (run.end() != null) {
      report.put("time_end", run.end().toEpochMilli());
    }
    return report + "\n";
  }

  private static void putFact(ObjectNode info, String key, String value) {
    if (key.equals("bits") && value.matches("[0-9]{1,4}")) {
      info.put(key, Integer.parseInt(value));
    } else if (value.equals("true") || value.equals("false")) {
      info.put(key, value.equals("true"));
    } else if (!key.equals(RunReport.THIS_CHUNK)) { // dashboards merge chunks only if these agree
      info.put(key, value);
    }
  }

  private static void put(ObjectNode node, Test test) {
    node.put("test", test.id());
    node.put("subsuite", test.subsuite());
    putResult(node, test);
    if (test.duration() != null) {
      node.put("duration", test.duration().toMillis());
    }
    ArrayNode subtests = node.putArray("subtests");
    for (Subtest subtest : test.subtests()) {
      if (!subtest.missing()) { // wptrunner has no such status
        ObjectNode entry = subtests.addObject();
        entry.put("name", subtest.name());
        putResult(entry, subtest);
      }
    }
  }

  private static void putResult(ObjectNode node, Result result) {
    node.put("status", result.status());
    node.put("message", result.message());
    if (!result.status().equals(result.expected().status())) {
      node.put("expected", result.expected().status());
    }
    ArrayNode intermittent = node.putArray("known_intermittent");
    result.expected().intermittent().forEach(intermittent::add);
  }
}
