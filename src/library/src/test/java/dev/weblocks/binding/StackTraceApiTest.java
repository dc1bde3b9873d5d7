package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code Error.captureStackTrace()} and {@code Error.stackTraceLimit}, which browsers have and
 * packages use without a check.
 */
class StackTraceApiTest {

  private static final String HTTP_ERROR =
      """
      class HttpError extends Error {
        constructor(status) {
          super('status ' + status);
          Error.captureStackTrace(this, HttpError);
        }
      }
      function fail(status) { return new HttpError(status) }
      const object = {};
      (function inner() { Error.captureStackTrace(object) })();
      const lines = error => error.stack.split('\\n').map(line => line.trim().replace(/ \\(.*/, ''));
      """;

  private static final String SHOWN =
      "[...lines(fail(404)).slice(0, 2), ...lines(object).slice(0, 2), Error.stackTraceLimit].join()";

  private static final String EXPECTED = "Error: status 404,at fail,Error,at inner,10";

  @Test
  void windows_and_workers_of_all_kinds_capture_stack_traces() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/dedicated.js", HTTP_ERROR + "postMessage(" + SHOWN + ")")
          .resource(
              "/shared.js", HTTP_ERROR + "onconnect = e => e.ports[0].postMessage(" + SHOWN + ")")
          .resource(
              "/service.js", HTTP_ERROR + "onmessage = e => e.source.postMessage(" + SHOWN + ")");
      scenario.window(
          HTTP_ERROR
              + "console.log('window', "
              + SHOWN
              + ");"
              + """
              const log = kind => event => console.log(kind, event.data);
              new Worker('/dedicated.js').onmessage = log('dedicated');
              new SharedWorker('/shared.js').port.onmessage = log('shared');
              navigator.serviceWorker.onmessage = log('service');
              navigator.serviceWorker.register('/service.js')
                .then(registration => (registration.installing ?? registration.active).postMessage(1));
              const frame = document.createElement('iframe');
              document.documentElement.append(frame);
              const ofFrame = {};
              frame.contentWindow.Error.captureStackTrace(ofFrame);
              console.log('frame', ofFrame.stack.split('\\n')[0], frame.contentWindow.Error.stackTraceLimit);
              """);
      scenario.run();
      List<String> lines = scenario.log();
      for (String kind : List.of("window", "dedicated", "shared", "service")) {
        assertTrue(lines.contains(kind + " " + EXPECTED), kind + ": " + lines);
      }
      assertTrue(lines.contains("frame Error 10"), lines.toString());
    }
  }

  @Test
  void limit_of_stack_traces_applies_to_all_later_errors() {
    assertEquals(
        List.of("2 0 3"),
        Scenario.logOf(
            """
            const deep = n => n === 0 ? new Error('deep') : deep(n - 1);
            const frames = error => error.stack.split('\\n').length - 1;
            Error.stackTraceLimit = 2;
            const two = frames(deep(20));
            Error.stackTraceLimit = 0;
            const none = frames(deep(20));
            Error.stackTraceLimit = 3;
            try { (function f(n) { n === 0 ? null.x : f(n - 1) })(20) } catch (error) { console.log(two, none, frames(error)) }
            """));
  }

  @Test
  void pages_cannot_format_stacks_and_get_no_functions_of_frames() {
    assertEquals(
        List.of("undefined true false 0"),
        Scenario.logOf(
            """
            'use strict';
            let calls = 0;
            const before = Error.prepareStackTrace;
            Error.prepareStackTrace = (error, frames) => { calls++; return frames };
            const stack = new Error('mine').stack;
            const target = {};
            Error.captureStackTrace(target);
            let replaced = true;
            try { Object.defineProperty(Error, 'prepareStackTrace', { value() { calls++ } }) } catch { replaced = false }
            Error.prepareStackTrace = before;
            console.log(before, typeof stack === 'string' && typeof target.stack === 'string', replaced, calls);
            """));
  }

  @Test
  void limit_of_zero_hides_no_position_and_no_trace() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource(
          "/late.js",
          "Error.stackTraceLimit = 0;\nsetTimeout(() => {\n  null.x\n}); console.trace()");
      scenario.window(
          """
          onerror = (message, url, line, column) => console.log(message, url, line, column);
          const script = document.createElement('script');
          script.src = '/late.js';
          document.documentElement.append(script);
          """);
      scenario.runForErrors();
      assertEquals(
          List.of(
              "Trace\n    at https://one.test/late.js:4:5",
              "Uncaught TypeError: Cannot read property 'x' of null https://one.test/late.js 3 3"),
          scenario.log());
    }
  }

  @Test
  void accessor_in_place_of_the_limit_is_not_called() {
    assertEquals(
        List.of("0"),
        Scenario.logOf(
            """
            let calls = 0;
            Object.defineProperty(Error, 'stackTraceLimit', { get() { calls++; return 1 }, set() { calls++ } });
            new Error('mine').stack;
            navigator.locks.request().catch(error => error.stack);
            try { new URL('not a URL') } catch (error) { error.stack }
            console.log(calls);
            """));
  }
}
