package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import org.jspecify.annotations.Nullable;

/**
 * The format of the Test Anything Protocol, version 13. Each test is a test point, and so is each
 * of its subtests, with its name after a vertical bar. An expected failure is {@code not ok … #
 * TODO reason}. An unexpected pass is {@code not ok}, because consumers do not treat a {@code TODO}
 * that passes as a failure. An interrupted run ends with {@code Bail out!}.
 */
public final class Tap implements ReportFormat {

  @Override
  public String write(RunReport run) {
    StringBuilder tap = new StringBuilder("TAP version 13\n");
    long points = run.tests().stream().flatMap(Test::results).count() + run.notRun().size();
    tap.append("1..").append(points);
    if (points == 0) {
      tap.append(" # SKIP no tests");
    }
    tap.append('\n');
    run.info().forEach((key, value) -> comment(tap, key + ": " + value));
    if (run.start() != null) {
      comment(tap, "start: " + run.start());
    }
    int number = 0;
    for (Test test : run.tests()) {
      point(tap, ++number, test.key(), test, test);
      for (Subtest subtest : test.subtests()) {
        point(tap, ++number, test.key() + " | " + subtest.name(), subtest, null);
      }
    }
    for (NotRun notRun : run.notRun()) {
      tap.append("ok ").append(++number).append(" - ").append(escape(notRun.key()));
      tap.append(" # SKIP ").append(HarmlessText.line(notRun.reason())).append('\n');
    }
    if (run.end() != null) {
      comment(tap, "end: " + run.end());
    }
    if (run.interrupted()) {
      tap.append("Bail out! ").append(run.howFar()).append('\n');
    }
    return tap.toString();
  }

  private static void comment(StringBuilder tap, String text) {
    tap.append("# ").append(HarmlessText.line(text)).append('\n');
  }

  private static void point(
      StringBuilder tap, int number, String description, Result result, @Nullable Test timed) {
    boolean asExpected = !result.unexpected();
    tap.append(asExpected && result.passes() ? "ok " : "not ok ").append(number);
    tap.append(" - ").append(escape(description));
    if (asExpected && !result.passes()) {
      String reason = result.expected().reason();
      tap.append(" # TODO ").append(HarmlessText.line(reason == null ? "expected" : reason));
    }
    tap.append('\n');
    boolean talks = !asExpected || !result.passes() || result.message() != null;
    if (talks || timed != null && timed.duration() != null) {
      tap.append("  ---\n");
      if (talks) {
        entry(tap, "status", result.status());
        entry(tap, "expected", result.expected().status());
      }
      if (result.message() != null) {
        entry(tap, "message", result.message());
      }
      if (timed != null && timed.duration() != null) {
        tap.append("  duration_ms: ").append(timed.duration().toMillis()).append('\n');
      }
      tap.append("  ...\n");
    }
  }

  private static void entry(StringBuilder tap, String key, String value) {
    tap.append("  ").append(key).append(": ").append(quote(value)).append('\n');
  }

  /** Escapes text in a test point, where a hash begins a directive. */
  private static String escape(String text) {
    return HarmlessText.line(text).replace("\\", "\\\\").replace("#", "\\#");
  }

  /**
   * Returns a double-quoted scalar of YAML. Uses only escapes known to consumers in Perl, where
   * possible.
   */
  private static String quote(String text) {
    StringBuilder yaml = new StringBuilder("\"");
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '"' -> yaml.append("\\\"");
            case '\\' -> yaml.append("\\\\");
            case '\n' -> yaml.append("\\n");
            case '\t' -> yaml.append("\\t");
            case '\r' -> yaml.append("\\r");
            default -> {
              if (Character.isISOControl(point)) {
                yaml.append("\\x%02x".formatted(point));
              } else {
                yaml.append(HarmlessText.line(Character.toString(point)));
              }
            }
          }
        });
    return yaml.append('"').toString();
  }
}
