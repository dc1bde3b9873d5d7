package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code setTimeout()} and {@code setInterval()} as script sees them, in virtual time.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timers">HTML</a>
 */
class TimersTest {

  // performance.now() has a resolution of 5 microseconds, so a difference may be short by that much

  private static double[] numbers(String line) {
    return Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void timeouts_are_clamped_to_four_milliseconds_from_the_sixth_nested_level() {
    List<String> log =
        Scenario.logOf(
            """
            const times = [];
            let last = performance.now();
            function tick() {
              const now = performance.now();
              times.push(now - last);
              last = now;
              if (times.length < 12) setTimeout(tick, 0); else console.log(times.join());
            }
            setTimeout(tick, 0);
            """);
    double[] times = numbers(log.get(0));
    for (int i = 0; i < 6; i++) {
      assertTrue(times[i] < 1, "nested level " + i + ": " + times[i]);
    }
    for (int i = 6; i < 12; i++) {
      assertTrue(times[i] >= 3.99 && times[i] < 5, "nested level " + i + ": " + times[i]);
    }
  }

  @Test
  void intervals_are_clamped_as_nested_timeouts_are() {
    List<String> log =
        Scenario.logOf(
            """
            const times = [];
            let last = performance.now();
            const id = setInterval(() => {
              const now = performance.now();
              times.push(now - last);
              last = now;
              if (times.length === 10) { clearInterval(id); console.log(times.join()); }
            }, 1);
            """);
    double[] times = numbers(log.get(0));
    for (int i = 0; i < 6; i++) {
      assertTrue(times[i] >= 1 && times[i] < 2, "repetition " + i + ": " + times[i]);
    }
    for (int i = 6; i < 10; i++) {
      assertTrue(times[i] >= 3.99 && times[i] < 5, "repetition " + i + ": " + times[i]);
    }
  }

  @Test
  void timer_nesting_level_is_kept_by_microtasks_but_not_by_other_tasks() {
    List<String> log =
        Scenario.logOf(
            """
            let depth = 0;
            let last;
            function tick() {
              const now = performance.now();
              if (depth === 7) {
                console.log(now - last >= 3.99 ? 'clamped' : 'not clamped');
                navigator.locks.query().then(() => {
                  const start = performance.now();
                  setTimeout(() =>
                      console.log(performance.now() - start >= 3.99 ? 'clamped' : 'not clamped'), 0);
                });
                return;
              }
              depth++;
              last = now;
              Promise.resolve().then(() => setTimeout(tick, 0));
            }
            tick();
            """);
    assertEquals(List.of("clamped", "not clamped"), log);
  }

  @Test
  void negative_missing_and_invalid_delays_count_as_zero() {
    assertEquals(
        List.of("missing", "undefined", "negative", "NaN", "text", "2**31", "one"),
        Scenario.logOf(
            """
            setTimeout(() => console.log('one'), 1);
            setTimeout(() => console.log('missing'));
            setTimeout(() => console.log('undefined'), undefined);
            setTimeout(() => console.log('negative'), -5);
            setTimeout(() => console.log('NaN'), NaN);
            setTimeout(() => console.log('text'), 'soon');
            setTimeout(() => console.log('2**31'), 2 ** 31);
            """));
  }

  @Test
  void timers_with_equal_deadlines_fire_in_the_order_of_creation() {
    assertEquals(
        List.of("1 a", "1 b", "5 a", "5 b", "5 c"),
        Scenario.logOf(
            """
            setTimeout(() => console.log('5 a'), 5);
            setTimeout(() => console.log('1 a'), 1);
            setTimeout(() => console.log('5 b'), 5);
            setTimeout(() => console.log('1 b'), '1');
            setTimeout(() => console.log('5 c'), 5.9);
            """));
  }

  @Test
  void timeout_cleared_by_a_timeout_of_the_same_deadline_does_not_fire() {
    assertEquals(
        List.of("first", "third"),
        Scenario.logOf(
            """
            let second;
            setTimeout(() => { console.log('first'); clearTimeout(second); }, 3);
            second = setTimeout(() => console.log('second'), 3);
            setTimeout(() => console.log('third'), 3);
            """));
  }

  @Test
  void clear_timeout_and_clear_interval_are_interchangeable_and_ignore_unknown_ids() {
    assertEquals(
        List.of("done"),
        Scenario.logOf(
            """
            clearTimeout(); clearTimeout(0); clearTimeout(-1); clearInterval(12345);
            clearInterval(setTimeout(() => console.log('timeout'), 0));
            clearTimeout(setInterval(() => console.log('interval'), 0));
            setTimeout(() => console.log('done'), 10);
            """));
  }

  @Test
  void interval_cleared_in_its_own_callback_does_not_fire_again() {
    assertEquals(
        List.of("1", "2", "3"),
        Scenario.logOf(
            """
            let count = 0;
            const id = setInterval(() => {
              console.log(String(++count));
              if (count === 3) clearInterval(id);
            }, 10);
            """));
  }

  @Test
  void interval_keeps_its_id_and_continues_after_an_exception() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario
              .window(
                  """
                  let count = 0;
                  const id = setInterval(() => {
                    if (++count === 3) { clearInterval(id); console.log('cleared'); return; }
                    throw new Error('number ' + count);
                  }, 10);
                  """)
              .runForErrors();
      assertEquals(
          List.of("Uncaught Error: number 1", "Uncaught Error: number 2"),
          errors.stream().map(UncaughtError::message).toList());
      assertEquals(List.of("cleared"), scenario.log());
    }
  }

  @Test
  void string_handler_runs_as_a_script_of_the_global_scope() {
    assertEquals(
        List.of("function", "42 true"),
        Scenario.logOf(
            """
            (function () {
              var local = 1;
              setTimeout('var made = 42; function alsoMade() {}', 0);
              setTimeout('console.log(typeof alsoMade); console.log(made, typeof local === "undefined")', 0);
            })();
            """));
  }

  @Test
  void syntax_error_of_a_string_handler_is_reported_when_the_timer_fires() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario
              .window("setTimeout('this is no script', 1); console.log('started');")
              .runForErrors();
      assertEquals(List.of("started"), scenario.log());
      assertEquals(1, errors.size());
      assertTrue(errors.get(0).message().startsWith("Uncaught SyntaxError"), errors.toString());
    }
  }

  @Test
  void handler_gets_extra_arguments_and_the_global_as_this() {
    assertEquals(
        List.of("1,two,true 3 true", "0 true", "x true"),
        Scenario.logOf(
            """
            setTimeout(function (a, b, c) {
              'use strict';
              console.log([a, b, c === globalThis].join(), arguments.length, this === globalThis);
            }, 0, 1, 'two', globalThis);
            setTimeout(function () {
              'use strict';
              console.log(arguments.length, this === globalThis);
            });
            const id = setInterval(function (x) {
              'use strict';
              console.log(x, this === globalThis);
              clearInterval(id);
            }, 0, 'x');
            """));
  }

  @Test
  void ids_of_timeouts_and_intervals_are_distinct_positive_integers() {
    assertEquals(
        List.of("true true"),
        Scenario.logOf(
            """
            const ids = [];
            for (let i = 0; i < 50; i++) {
              ids.push(setTimeout(() => {}, 1));
              const id = setInterval(() => {}, 1);
              ids.push(id);
              clearInterval(id);
            }
            console.log(ids.every(id => Number.isInteger(id) && id > 0), new Set(ids).size === 100);
            """));
  }

  @Test
  void timeout_of_an_hour_takes_no_real_time_and_is_not_early() {
    List<String> log =
        Scenario.logOf(
            """
            const start = performance.now();
            setTimeout(() => console.log(String(performance.now() - start)), 3600000);
            """);
    double elapsed = Double.parseDouble(log.get(0));
    assertTrue(elapsed >= 3_599_999.99 && elapsed < 3_600_001, log.toString());
  }

  @Test
  void handler_that_is_no_function_is_converted_to_text() {
    assertEquals(
        List.of("text"),
        Scenario.logOf("setTimeout({toString() { return 'console.log(\"text\")'; }}, 0);"));
  }

  @Test
  void timers_of_a_worker_that_closed_itself_do_not_fire() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/close.js", "setInterval(() => console.log('never'), 10); close();")
          .window("new Worker('/close.js'); setTimeout(() => console.log('end'), 100)");
      assertEquals(List.of("end"), scenario.run());
    }
  }

  @Test
  void order_of_timers_of_one_global_is_the_same_under_every_schedule() {
    for (long seed = 1; seed <= TestSize.seeds(10); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource(
                "/w.js",
                """
                const log = [];
                setTimeout(() => log.push('3'), 3); setTimeout(() => log.push('1 a'), 1);
                setTimeout(() => { log.push('0'); queueMicrotask(() => log.push('micro')); setTimeout(() => log.push('1 c'), 1); });
                setTimeout(() => log.push('1 b'), 1); AbortSignal.timeout(1).onabort = () => log.push('abort');
                setTimeout(() => console.log(log.join()), 50);
                """)
            .window("for (let i = 0; i < 3; i++) new Worker('/w.js'); onmessage = () => {}");
        assertEquals(
            List.of("0,micro,1 a,1 b,abort,1 c,3"), scenario.run().stream().distinct().toList());
        assertEquals(3, scenario.log().size());
      }
    }
  }

  @Test
  void object_handler_is_converted_to_a_string_when_its_timer_starts() {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> errors =
          scenario
              .window(
                  """
                  let times = 0;
                  setTimeout({ toString() { times++; return 'console.log(times); throw new Error("of a string")'; } }, 5);
                  console.log(times);
                  try { setTimeout({ toString() { throw 'thrown' } }); } catch (e) { console.log(e); }
                  try { setTimeout(); } catch (e) { console.log(e.name); }
                  """)
              .runForErrors();
      assertEquals(List.of("1", "thrown", "TypeError", "1"), scenario.log());
      assertEquals(
          List.of("Uncaught Error: of a string"),
          errors.stream().map(UncaughtError::message).toList());
    }
  }

  @Test
  void delays_wrap_as_32_bit_integers() {
    assertEquals(
        List.of("2**32 + 1", "5"),
        Scenario.logOf(
            """
            setTimeout(() => console.log('5'), 5);
            setTimeout(() => console.log('2**32 + 1'), 2 ** 32 + 1);
            """));
  }

  @Test
  void timer_that_clears_itself_and_starts_another_does_not_run_twice() {
    assertEquals(
        List.of("a", "b"),
        Scenario.logOf(
            """
            const id = setTimeout(() => { clearTimeout(id); console.log('a'); setTimeout(() => console.log('b')); });
            """));
  }
}
