package dev.weblocks.global;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.UncaughtError;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Uncaught exceptions and unhandled rejections, as events and at the embedder. */
class ErrorReportingTest {

  private static void assertLog(String expected, String script) {
    String prefix = "const out = []; const say = x => out.push(String(x));";
    assertEquals(
        List.of(expected),
        Scenario.logOf(prefix + script + ";setTimeout(() => console.log(out.join(' ')), 50)"));
  }

  private static List<String> uncaught(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.window(script).runForErrors().stream().map(UncaughtError::message).toList();
    }
  }

  @Test
  void onerror_gets_five_arguments_and_handles_the_error_by_returning_true() {
    assertLog(
        "5 Uncaught_RangeError:_far https://one.test/window-0.html true true true",
        """
        onerror = function (...args) {
          say(args.length); say(args[0].replaceAll(' ', '_')); say(args[1]);
          say(args[2] > 0 && args[3] > 0); say(args[4] instanceof RangeError); say(this === window);
          return true;
        };
        setTimeout(() => { throw new RangeError('far'); });
        """);
  }

  @Test
  void error_event_has_the_details_and_canceling_marks_the_error_handled() {
    assertLog(
        "Uncaught_x true x true true",
        """
        addEventListener('error', e => {
          say(e.message.replaceAll(' ', '_')); say(e instanceof ErrorEvent); say(e.error); say(e.isTrusted); say(e.cancelable);
          e.preventDefault();
        });
        setTimeout(() => { throw 'x'; });
        """);
  }

  @Test
  void error_reaches_the_embedder_if_the_handler_does_not_return_true() {
    assertEquals(
        List.of("Uncaught Error: one"), uncaught("onerror = () => 1; throw new Error('one')"));
    assertEquals(
        List.of("Uncaught Error: two"), uncaught("onerror = () => false; throw new Error('two')"));
    assertEquals(List.of(), uncaught("onerror = () => true; throw new Error('three')"));
    assertEquals(List.of(), uncaught("onerror = e => true; reportError('four')"));
  }

  @Test
  void every_kind_of_thrown_value_has_a_message() {
    assertEquals(List.of("Uncaught text"), uncaught("throw 'text'"));
    assertEquals(List.of("Uncaught null"), uncaught("throw null"));
    assertEquals(List.of("Uncaught undefined"), uncaught("throw undefined"));
    assertEquals(List.of("Uncaught Symbol(s)"), uncaught("throw Symbol('s')"));
    assertEquals(List.of("Uncaught [object Object]"), uncaught("throw {}"));
    assertEquals(
        List.of("Uncaught exception that cannot be shown as text"),
        uncaught("throw { toString() { throw 1 } }"));
    assertEquals(
        List.of("Uncaught AbortError: gone"),
        uncaught("throw new DOMException('gone', 'AbortError')"));
    assertEquals(List.of("Uncaught Error"), uncaught("throw new Error()"));
    assertEquals(
        List.of("Uncaught Mine: m"),
        uncaught("class Mine extends Error {}; Mine.prototype.name = 'Mine'; throw new Mine('m')"));
  }

  @Test
  void error_in_an_error_handler_does_not_fire_the_handler_again() {
    assertEquals(
        List.of("Uncaught inner", "Uncaught outer"),
        uncaught("onerror = () => { throw 'inner' }; throw 'outer'"));
  }

  @Test
  void report_error_reports_the_error_and_script_continues() {
    assertLog(
        "true after TypeError",
        "const o = {}; onerror = (m, f, l, c, e) => { say(e === o); return true; }; reportError(o); say('after'); try { reportError() } catch (e) { say(e.name) }");
  }

  @Test
  void exception_of_a_timer_is_reported_before_its_microtasks() {
    assertLog(
        "error micro",
        "onerror = () => { say('error'); return true; }; setTimeout(() => { Promise.resolve().then(() => say('micro')); throw 1; })");
  }

  @Test
  void unhandled_rejection_is_an_event_with_promise_and_reason() {
    assertLog(
        "mine true true true",
        """
        const p = Promise.reject('mine');
        onunhandledrejection = e => { say(e.reason); say(e.promise === p); say(e.cancelable); say(e instanceof PromiseRejectionEvent); e.preventDefault(); };
        """);
    assertEquals(
        List.of("Uncaught (in promise) Error: lost"),
        uncaught("Promise.reject(new Error('lost'))"));
    assertEquals(List.of(), uncaught("onunhandledrejection = () => false; Promise.reject(1)"));
  }

  @Test
  void rejection_handled_in_the_same_task_is_not_reported() {
    assertEquals(
        List.of(),
        uncaught("const p = Promise.reject(1); Promise.resolve().then(() => p.catch(() => {}))"));
  }

  @Test
  void error_event_constructed_by_script_keeps_large_positions() {
    assertLog(
        "4294967295 4294967295 m f undefined",
        "const e = new ErrorEvent('error', { lineno: 2 ** 32 - 1, colno: -1, message: 'm', filename: 'f' }); say(e.lineno); say(e.colno); say(e.message); say(e.filename); say(e.error)");
  }

  @Test
  void promise_rejection_event_requires_its_promise() {
    assertLog(
        "TypeError TypeError true",
        "try { new PromiseRejectionEvent('x') } catch (e) { say(e.name) }; try { new PromiseRejectionEvent('x', {}) } catch (e) { say(e.name) };"
            + "const o = {}; say(new PromiseRejectionEvent('x', { promise: o }).promise === o)");
  }

  @Test
  void stack_for_the_embedder_names_the_page() {
    try (Scenario scenario = new Scenario(1)) {
      UncaughtError error =
          scenario.window("function f() { throw new Error('x') }; f()").runForErrors().getFirst();
      assertEquals("https://one.test/window-0.html", error.url());
      assertTrue(error.line() >= 1, error.toString());
      assertTrue(String.valueOf(error.stack()).contains("window-0.html"), error.toString());
    }
  }

  @Test
  void console_shows_numbers_as_script_does() {
    assertEquals(
        List.of("2 0.5 1e+21 NaN -7 5n 2 true null undefined"),
        Scenario.logOf(
            "console.log(4 * 0.5, 0.5, 1e21, NaN, -7, 5n, new ErrorEvent('x', { lineno: 2 }).lineno, true, null, undefined)"));
  }

  @Test
  void report_error_uses_the_creation_position_for_errors_and_call_position_otherwise() {
    assertLog(
        "Uncaught_Error:_far https://one.test/window-0.html 2:3 true Uncaught_5 https://one.test/window-0.html 4:1 5",
        """
        onerror = (m, f, l, c, e) => { say(m.replaceAll(' ', '_')); say(f); say((l - first) + ':' + c); say(e instanceof Error || e); return true; };
        const first = (() => { try { null.f } catch (e) { return +/html:(\\d+)/.exec(e.stack)[1] } })();
        const e = (() =>
          new Error('far'))();
        reportError(e);
        reportError(5);
        """);
  }

  @Test
  void thrown_value_is_reported_with_the_position_of_the_throw() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario.window("\n\n  throw 'first'").window("setTimeout('\\n throw 2')").runForErrors();
      assertEquals(
          List.of("Uncaught first", "Uncaught 2"),
          errors.stream().map(UncaughtError::message).toList());
      assertEquals("https://one.test/window-0.html", errors.get(0).url());
      assertEquals(List.of(3, 2), errors.stream().map(UncaughtError::line).toList());
      assertEquals(List.of(3, 2), errors.stream().map(UncaughtError::column).toList());
    }
  }

  @Test
  void value_thrown_by_a_handler_never_gets_the_position_of_another_throw() {
    assertEquals(
        List.of("Uncaught inner 0", "Uncaught outer 1"),
        uncaughtWithLines("onerror = () => { throw 'inner' }; throw 'outer'"));
    assertEquals(
        List.of("Uncaught in a listener 0", "Uncaught at last 1"),
        uncaughtWithLines(
            "addEventListener('x', () => { throw 'in a listener' }); dispatchEvent(new Event('x')); throw 'at last'"));
  }

  private static List<String> uncaughtWithLines(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.window(script).runForErrors().stream()
          .map(error -> error.message() + " " + error.line())
          .toList();
    }
  }

  @Test
  void unhandled_error_of_a_worker_fires_at_its_owner_without_the_value() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/w.js", "onerror = () => console.log('inside'); throw new Error('x');")
          .window(
              """
              const w = new Worker('/w.js');
              w.onerror = e => console.log('object', e.error, e.message);
              onerror = (m, f, l, c, e) => { console.log("owner", e, m, f); return true; };
              """);
      assertEquals(
          List.of(
              "inside",
              "object null Uncaught Error: x",
              "owner null Uncaught Error: x https://one.test/w.js"),
          scenario.run());
    }
  }

  @Test
  void error_event_has_an_undefined_error_by_default() {
    assertLog(
        "undefined null undefined 0 0",
        "say(new ErrorEvent('x').error); say(new ErrorEvent('x', { error: null }).error); say(new ErrorEvent('x', { error: undefined }).error);"
            + "const e = new ErrorEvent('x'); say(e.lineno); say(e.colno)");
  }

  @Test
  void rejection_handled_in_a_later_task_is_still_reported() {
    assertEquals(
        List.of("Uncaught (in promise) late"),
        uncaught("const p = Promise.reject('late'); setTimeout(() => p.catch(() => {}), 10)"));
  }

  @Test
  void rejections_are_reported_in_order_and_once() {
    assertLog(
        "1 2 3",
        """
        onunhandledrejection = e => { say(e.reason); e.preventDefault(); };
        Promise.reject(1);
        Promise.reject(2);
        setTimeout(() => Promise.reject(3), 5);
        """);
  }

  @Test
  void microtask_has_no_this_and_reports_its_exception_before_the_next() {
    assertLog(
        "true a 1 b",
        """
        onerror = (m, f, l, c, e) => { say(e); return true; };
        queueMicrotask(function () { 'use strict'; say(this === undefined && arguments.length === 0); });
        queueMicrotask(() => { say('a'); throw 1; });
        queueMicrotask(() => say('b'));
        """);
  }

  @Test
  void queue_microtask_requires_a_function() {
    assertLog(
        "TypeError TypeError TypeError",
        "for (const f of [undefined, null, 'say(1)']) try { queueMicrotask(f) } catch (e) { say(e.name) }");
  }

  @Test
  void reporting_logging_and_cloning_an_error_run_no_page_code() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario
              .window(
                  """
                  const hits = [];
                  const note = what => hits.push(what);
                  const accessors = Object.defineProperties(new Error('plain'), {
                    name: {get() { note('name'); return 'n' }}, message: {get() { note('message'); return 'm' }}});
                  const converted = Object.assign(new Error('plain'), {
                    name: {toString() { note('toString'); return 'n' }}, message: {toString() { note('toString'); return 'm' }}});
                  const traps = new Proxy({}, {get: (_, name) => (_, key) => { note(name + ' ' + String(key)) }});
                  const proxied = Object.setPrototypeOf(new Error('plain'), new Proxy({}, traps));
                  class Odd extends Error {
                    static get name() { note('constructor name') }
                    get name() { note('inherited name') }
                  }
                  const odd = new Odd('odd');
                  class Named extends Error { get name() { note('inherited name') } }
                  const exception = new DOMException('d', 'AbortError');
                  for (const [key, proto] of [['name', DOMException.prototype], ['message', DOMException.prototype]])
                    Object.defineProperty(proto, key, {get() { note('DOMException ' + key) }});
                  for (const each of [accessors, converted, proxied, odd, new Named('named'), exception]) {
                    reportError(each);
                    console.log(each);
                    console.assert(false, each);
                    const target = new EventTarget();
                    target.addEventListener('x', () => { throw each });
                    target.dispatchEvent(new Event('x'));
                    Promise.reject(each);
                  }
                  structuredClone(exception);
                  setTimeout(() => console.log('hits: ' + hits), 5);
                  """)
              .runForErrors();
      List<String> log = scenario.log();
      assertEquals("hits: ", log.getLast());
      List<String> distinct = errors.stream().map(UncaughtError::message).distinct().toList();
      assertEquals(
          List.of(
              "Uncaught Error",
              "Uncaught Error: plain",
              "Uncaught Error: odd",
              "Uncaught Named: named",
              "Uncaught AbortError: d",
              "Uncaught (in promise) Error",
              "Uncaught (in promise) Error: plain",
              "Uncaught (in promise) Error: odd",
              "Uncaught (in promise) Named: named",
              "Uncaught (in promise) AbortError: d"),
          distinct);
      for (UncaughtError error : errors) {
        assertTrue(String.valueOf(error.stack()).contains("window-0.html"), error.toString());
      }
    }
  }

  @Test
  void clone_of_an_error_has_a_stack_without_extra_getter_calls() {
    assertLog(
        "name Error|m true",
        """
        const error = Object.defineProperty(new Error('m'), 'name', {get() { say('name'); return 'RangeX' }});
        const lines = structuredClone(error).stack.split('\\n');
        say(lines[0].replace(': ', '|')); say(lines[1].includes('window-0.html'));
        """);
  }

  @Tag("overflow")
  @Test
  void endless_recursion_through_listeners_is_reported_to_an_error_handler() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario
              .window(
                  """
                  const target = new EventTarget();
                  let handled = 0;
                  onerror = () => { handled++ };
                  target.addEventListener('x', () => target.dispatchEvent(new Event('x')));
                  target.dispatchEvent(new Event('x'));
                  console.log(handled > 0);
                  """)
              .runForErrors();
      assertEquals(List.of("true"), scenario.log());
      assertEquals(
          List.of("Uncaught RangeError: Maximum call stack size exceeded"),
          errors.stream().map(UncaughtError::message).distinct().toList());
    }
  }
}
