package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checkouts of WPT that are not at the pinned revision. */
class OtherRevisionTest extends CliBed {

  private static final String NO_HANDLER =
      "the handler /new/resources/h.py has no implementation in Java";

  private String checkout;

  @BeforeEach
  void pinAnotherRevision() throws IOException {
    checkout = dir.resolve("wpt").toString();
    wpt.file("area/a.any.js", "")
        .file("new/deep/b.window.js", "")
        .file("new/c.html", "<script src=/resources/testharness.js></script>");
    subset("hashes.sha256", "0".repeat(64) + "  area/a.any.js\n");
  }

  private void subset(String path, String text) throws IOException {
    Path file = dir.resolve("wpt-subset").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String note() {
    return "weblocks: '%s' is not the pinned revision: files are not verified, expectations apply where they match\n"
        .formatted(checkout);
  }

  @Test
  void tests_of_a_named_checkout_run_with_a_note() {
    assertEquals(0, run("wpt", "--wpt", checkout), this::err);

    assertEquals(note(), err());
    assertTrue(out().startsWith("Tests: 4 (OK 4)\n"), this::out);
  }

  @Test
  void environment_variable_names_a_checkout_too() {
    variables.put("WPT_DIR", checkout);
    properties.remove("weblocks.wpt.dir");

    assertEquals(0, run("wpt", "new/deep"), this::err);

    assertEquals(note(), err());
    assertTrue(out().startsWith("Tests: 1 (OK 1)\n"), this::out);
  }

  @Test
  void expectations_that_do_not_match_are_ignored() throws IOException {
    subset(
        "expectations/area/a.any.js.json",
        """
        {"/area/a.any.html": {"subtests": {
            "gone": {"status": "FAIL", "reason": "r", "link": "README.md"}}},
         "/area/old.html": {"status": "ERROR", "reason": "r", "link": "README.md"}}
        """);
    subset(
        "expectations/area/gone.any.js.json",
        """
        {"*": {"status": "ERROR", "reason": "r", "link": "README.md"}}
        """);

    assertEquals(0, run("wpt", "--wpt", checkout), this::out);
  }

  @Test
  void expectations_that_match_apply() throws IOException {
    subset(
        "expectations/area/a.any.js.json",
        """
        {"*": {"subtests": {
            "it works": {"status": "FAIL", "reason": "r", "link": "README.md"}}}}
        """);

    assertEquals(1, run("wpt", "--wpt", checkout, "area"), this::out);
    assertTrue(out().contains("PASS (expected FAIL) it works"), this::out);
  }

  @Test
  void tests_of_handlers_without_replacement_are_left_out_with_the_reason() throws IOException {
    wpt.file("new/resources/h.py", "")
        .file("new/resources/helper.js", "fetch(`${base}/resources/h.py`)")
        .file("new/direct.any.js", "fetch('resources/h.py?x=1')")
        .file("new/included.window.js", "// META: script=resources/helper.js")
        .file(
            "new/page.html",
            "<script src=/resources/testharness.js></script><script src=resources/helper.js></script>")
        .file("new/known.any.js", "fetch('/common/redirect.py')")
        .file("common/redirect.py", "")
        .file("area/a.any.js", "fetch('/new/resources/h.py')");
    Path report = dir.resolve("report.json");

    assertEquals(0, run("wpt", "--wpt", checkout, "--wptreport", report.toString()), this::out);

    String summary = out();
    assertTrue(summary.startsWith("Tests: 6 (OK 6)\n"), summary);
    assertTrue(
        summary.contains(
            "Not supported: 4 (dedicatedworker 1, page 1, window 1, window script 1)\n  4: "
                + NO_HANDLER
                + "\n"),
        summary);
    String skipped = "";
    for (JsonNode result :
        JsonMapper.builder().build().readTree(Files.readAllBytes(report)).get("results")) {
      if (result.get("test").asText().equals("/new/page.html")) {
        skipped = result.get("status").asText() + " " + result.get("message").asText();
      }
    }
    assertEquals("SKIP not supported: " + NO_HANDLER, skipped);

    forget();
    assertEquals(0, run("wpt", "--wpt", checkout, "--list", "new/page.html"), this::err);
    assertEquals("/new/page.html\tnot supported: " + NO_HANDLER + "\n", out());

    forget();
    assertEquals(2, run("wpt", "--wpt", checkout, "new/page.html"));
    assertEquals(
        note() + "weblocks: no test to run. Not supported: 1 (page 1): " + NO_HANDLER + "\n",
        err());
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // quadratic time is an hour
  void tests_with_long_words_are_listed_in_linear_time() throws IOException {
    wpt.file("new/resources/h.py", "")
        .file("new/long.any.js", "x".repeat(4_000_000) + "\nfetch('resources/h.py')")
        .file("new/many.any.js", "a.py-".repeat(500_000));

    assertEquals(0, run("wpt", "--wpt", checkout, "--list", "new/"), this::err);

    assertTrue(
        out().contains("/new/long.any.html\tnot supported: " + NO_HANDLER + "\n"), this::out);
    assertTrue(out().contains("/new/many.any.html\n"), this::out);
  }

  @Test
  void expectations_are_not_updated_from_another_revision() {
    assertFails(
        ("'%s' is not the pinned revision, whose results --update-expectations records: run"
                + " scripts/fetch-wpt, or take it as it is with --no-verify")
            .formatted(checkout),
        "wpt",
        "--update-expectations",
        "--wpt",
        checkout);
  }

  @Test
  void reports_of_another_revision_do_not_name_the_pinned_one() throws IOException {
    subset("pin", "commit = 1234\n");
    Path report = dir.resolve("report.json");

    assertEquals(0, run("wpt", "--wpt", checkout, "--wptreport", report.toString()), this::err);

    assertFalse(Files.readString(report).contains("1234"));
  }

  @Test
  void unknown_directory_of_the_fetched_part_gives_a_hint() {
    assertFails(
        "unknown test 'css/x'; --list shows all; only a part of WPT is fetched: name a checkout with"
            + " --wpt to run its other tests",
        "wpt",
        "--no-verify",
        "css/x");
  }
}
