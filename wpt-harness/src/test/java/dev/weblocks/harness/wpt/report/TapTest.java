package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TapTest {

  @Test
  void tests_and_subtests_are_points_and_expected_failures_are_todo() {
    assertEquals(
        """
        TAP version 13
        1..8
        # product: weblocks
        # start: 1970-01-01T00:00:01Z
        ok 1 - /d/a.html?v
          ---
          duration_ms: 321
          ...
        ok 2 - /d/a.html?v | passes
        not ok 3 - /d/a.html?v | known # TODO it is known
          ---
          status: "FAIL"
          expected: "FAIL"
          message: "so it is"
          ...
        not ok 4 - /d/a.html?v | lucky
          ---
          status: "PASS"
          expected: "FAIL"
          ...
        not ok 5 - /d/a.html?v | slow
          ---
          status: "TIMEOUT"
          expected: "PASS"
          message: "too slow"
          ...
        not ok 6 - /d/a.html?v | wrong
          ---
          status: "FAIL"
          expected: "PASS"
          message: "is wrong"
          ...
        not ok 7 - /d/a.html?v | gone
          ---
          status: "MISSING"
          expected: "FAIL"
          ...
        not ok 8 - /d/e/crash.html
          ---
          status: "CRASH"
          expected: "OK"
          duration_ms: 321
          ...
        # end: 1970-01-01T00:00:02.500Z
        """,
        new Tap().write(Runs.mixed()));
  }

  @Test
  void hostile_text_adds_no_directive_and_no_line() {
    String tap = new Tap().write(Runs.hostile());

    String name =
        "a \\# TODO </script><img src=x onerror='y'>\"&]]> \\\\nU+000d\\\\t\\\\ U+0000U+001b[31m"
            + "U+0085U+202eU+fffe U+d800 \ud83d\ude00";
    assertTrue(tap.contains("\nnot ok 2 - /d/" + name + " | " + name + "\n  ---\n"), tap);
    assertTrue(
        tap.contains(
            "\n  message: \"a # TODO </script><img src=x onerror='y'>\\\"&]]> \\n\\r\\t\\\\ "
                + "\\x00\\x1b[31m\\x85U+202eU+fffe U+d800 \ud83d\ude00\"\n"),
        tap);
    assertEquals(4, tap.lines().filter(line -> line.matches("(ok|not ok|1\\.\\.).*")).count(), tap);
  }

  @Test
  void an_interrupted_run_skips_the_rest_and_bails_out() {
    String tap = new Tap().write(Runs.interrupted());

    assertTrue(tap.contains("\n1..3\n"), tap);
    assertTrue(tap.contains("\nok 3 - /d/b.html # SKIP the run was interrupted\n"), tap);
    assertTrue(tap.endsWith("\nBail out! interrupted: 1 test ran, 1 did not\n"), tap);
  }

  @Test
  void an_empty_run_has_an_empty_plan() {
    assertTrue(new Tap().write(Runs.empty()).startsWith("TAP version 13\n1..0 # SKIP no tests\n"));
  }
}
