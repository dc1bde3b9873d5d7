package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs testharnessreport.js in a minimal page. */
class ReportScriptTest {

  private static final String PAGE = "http://web-platform.test:8000/a.any.html";

  private final Context context = Context.newBuilder("js").build();
  private final ResultCollector collector = new ResultCollector(PAGE, () -> {});

  @AfterEach
  void close() {
    context.close();
  }

  private void load(String before) {
    context.eval(
        "js",
        """
        var self = globalThis, parent = globalThis;
        var location = {href: "%s", origin: "http://web-platform.test:8000"};
        var sent = [], settings, on = {};
        var fetch = (url, init) => {
          sent.push({url, method: init.method, body: init.body});
          return Promise.reject(new TypeError("gone"));
        };
        var setup = (s) => { settings = s; };
        var add_test_state_callback = (f) => { on.state = f; };
        var add_result_callback = (f) => { on.result = f; };
        var add_completion_callback = (f) => { on.completion = f; };
        """
            .formatted(PAGE));
    context.eval("js", before);
    context.eval("js", ReportScript.withTimeoutFactor(2.5));
  }

  private void deliver() {
    Value sent = context.eval("js", "sent");
    for (long i = 0; i < sent.getArraySize(); i++) {
      Value request = sent.getArrayElement(i);
      assertEquals(
          "http://web-platform.test:8000" + WptServer.RESULTS_PATH,
          request.getMember("url").asString());
      assertEquals("POST", request.getMember("method").asString());
      collector.accept(request.getMember("body").asString().getBytes(UTF_8));
    }
  }

  @Test
  void page_is_set_up_without_output_and_with_the_timeout_factor() {
    load("");

    assertFalse(context.eval("js", "settings.output").asBoolean());
    assertEquals(2.5, context.eval("js", "settings.timeout_multiplier").asDouble());
  }

  @Test
  void collector_accepts_all_posts_of_the_script() {
    load("");
    context.eval(
        "js",
        """
        fetch = null; JSON.stringify = null; Promise.prototype.then = null; // tests do such things
        const phases = {INITIAL: 0, STARTED: 1, HAS_RESULT: 2};
        on.state({name: "begun", phase: 1, phases});
        on.state({name: "known", phase: 0, phases});
        on.state({name: "over", phase: 2, phases});
        on.result({name: "bad \\ud800", status: 1, message: "why"});
        """);
    deliver();

    ResultCollector.Snapshot seen = collector.snapshot();
    assertTrue(seen.loaded());
    assertEquals(Map.of("begun", true, "known", false), seen.unfinished());
    assertEquals(
        List.of(new SubtestResult("bad \ud800", SubtestStatus.FAIL, "why")), seen.finished());

    context.eval(
        "js",
        """
        sent.length = 0;
        on.completion([{name: "good", status: 0, message: undefined}], {status: 1, message: "m"});
        """);
    deliver();
    assertEquals(
        Optional.of(
            new ResultCollector.Completion(
                HarnessStatus.ERROR,
                "m",
                List.of(new SubtestResult("good", SubtestStatus.PASS, null)))),
        collector.snapshot().completion());
  }

  @Test
  void a_page_in_a_frame_is_set_up_but_reports_nothing() {
    load("parent = {};");

    assertFalse(context.eval("js", "settings.output").asBoolean());
    assertEquals(0, context.eval("js", "sent.length").asInt());
    assertTrue(context.eval("js", "on.completion === undefined").asBoolean());
  }

  @Test
  void a_window_that_a_test_opened_reports_nothing() {
    load("var opener = {};");

    assertFalse(context.eval("js", "settings.output").asBoolean());
    assertEquals(0, context.eval("js", "sent.length").asInt());
  }

  /** Loads the script for crashtests in a minimal page; {@code pass()} fires its timers. */
  private void loadCrashtest(String before) {
    context.eval(
        "js",
        """
        var self = globalThis, parent = globalThis;
        var location = {href: "%s", origin: "http://web-platform.test:8000"};
        var sent = [], timers = [], on = {}, events = [], names = "test-wait";
        var fetch = (url, init) => {
          sent.push({url, method: init.method, body: init.body});
          return Promise.reject(new TypeError("gone"));
        };
        var setTimeout = (f, delay, ...rest) => { timers.push(() => f(...rest)); };
        var pass = () => timers.splice(0).forEach((timer) => timer());
        var Element = class { getAttribute(name) { return name === "class" ? names : null; } };
        var EventTarget = class {
          addEventListener(type, f) { on[type] = f; }
          dispatchEvent(event) { events.push(event.type); }
        };
        var Event = class { constructor(type) { this.type = type; } };
        var document = {documentElement: new Element()};
        """
            .formatted(PAGE));
    context.eval("js", before);
    context.eval("js", ReportScript.ofCrashtests().text());
  }

  private boolean complete() {
    deliver();
    context.eval("js", "sent.length = 0");
    return collector.snapshot().completion().isPresent();
  }

  @Test
  void crashtest_is_complete_once_loaded_and_no_longer_waiting() {
    loadCrashtest("");
    assertFalse(complete());
    assertTrue(collector.snapshot().loaded());
    context.eval(
        "js",
        """
        fetch = null; JSON.stringify = null; setTimeout = null; // tests do such things
        Element.prototype.getAttribute = null; RegExp.prototype.exec = null;
        on.load(); pass(); pass(); pass();
        """);
    assertFalse(complete());
    assertEquals("TestRendered", context.eval("js", "events.join()").asString());

    context.eval("js", "names = 'test-waiting a-test-wait'; pass();");

    assertTrue(complete());
    assertEquals(
        Optional.of(new ResultCollector.Completion(HarnessStatus.PASS, null, List.of())),
        collector.snapshot().completion());
    assertEquals(0, context.eval("js", "timers.length").asInt());
  }

  @Test
  void a_crashtest_without_root_element_or_class_is_complete_when_loaded() {
    loadCrashtest("names = null;");
    context.eval("js", "document.documentElement = null; on.load();");
    assertFalse(complete());
    context.eval("js", "pass()");

    assertTrue(complete());
    assertEquals(0, context.eval("js", "events.length").asInt());
  }

  @Test
  void frames_workers_and_opened_windows_of_a_crashtest_report_nothing() {
    for (String other : List.of("parent = {};", "var opener = {};", "document = undefined;")) {
      loadCrashtest(other);
      assertEquals(0, context.eval("js", "sent.length").asInt(), other);
    }
  }
}
