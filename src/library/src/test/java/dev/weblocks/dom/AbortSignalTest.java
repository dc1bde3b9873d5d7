package dev.weblocks.dom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.weblocks.embed.Scenario;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** AbortController and AbortSignal by the DOM Standard. */
class AbortSignalTest {

  private static void assertLog(String expected, String script) {
    String prefix =
        "const out = []; const say = x => out.push(String(x)); const c = new AbortController();";
    assertEquals(
        List.of(expected),
        Scenario.logOf(prefix + script + ";setTimeout(() => console.log(out.join(' ')), 50)"));
  }

  @Test
  void abort_sets_a_reason_and_happens_only_once() {
    assertLog(
        "false undefined event true AbortError 20 same",
        "say(c.signal.aborted); say(c.signal.reason); c.signal.onabort = () => say('event'); c.abort(); say(c.signal.aborted);"
            + "const r = c.signal.reason; say(r.name); say(r.code); c.abort('other'); say(c.signal.reason === r ? 'same' : 'other')");
  }

  @Test
  void abort_error_belongs_to_the_realm_of_the_function() {
    assertEquals(
        List.of("true true"),
        Scenario.logOf(
            """
            onload = () => {
              const other = document.body.appendChild(document.createElement('iframe')).contentWindow;
              const controller = new AbortController();
              other.AbortController.prototype.abort.call(controller);
              console.log(controller.signal.reason instanceof other.DOMException,
                  other.AbortSignal.abort.call(AbortSignal).reason instanceof other.DOMException);
            };
            """));
  }

  @Test
  void any_value_except_undefined_is_a_reason() {
    assertLog(
        "null 0 AbortError",
        "const of = r => { const c = new AbortController(); c.abort(r); return c.signal.reason; }; say(of(null)); say(of(0)); say(of(undefined).name)");
  }

  @Test
  void throw_if_aborted_throws_the_reason() {
    assertLog(
        "nothing true",
        "c.signal.throwIfAborted(); say('nothing'); const r = {}; c.abort(r); try { c.signal.throwIfAborted() } catch (e) { say(e === r) }");
  }

  @Test
  void static_abort_makes_an_aborted_signal_without_event() {
    assertLog(
        "true AbortError x TypeError",
        "say(AbortSignal.abort().aborted); say(AbortSignal.abort().reason.name); say(AbortSignal.abort('x').reason); try { new AbortSignal() } catch (e) { say(e.name) }");
  }

  @Test
  void timeout_aborts_with_a_timeout_error() {
    assertLog(
        "false abort TimeoutError 23 true",
        "const s = AbortSignal.timeout(5); say(s.aborted); s.onabort = e => { say('abort'); say(s.reason.name); say(s.reason.code); say(e.isTrusted); }");
  }

  @Test
  void timeout_requires_a_number_in_range() {
    assertLog(
        "TypeError TypeError TypeError",
        "for (const ms of [-1, NaN, 2 ** 53]) try { AbortSignal.timeout(ms) } catch (e) { say(e.name) }; AbortSignal.timeout(2 ** 53 - 1)");
  }

  @Test
  void timeout_fires_its_event_before_promise_reactions() {
    assertLog(
        "abort rejected",
        "navigator.locks.request('x', () => new Promise(() => {}));"
            + "const signal = AbortSignal.timeout(5); navigator.locks.request('x', { signal }, () => {}).catch(() => say('rejected'));"
            + "signal.onabort = () => say('abort')");
  }

  @Test
  void signal_made_by_any_takes_the_reason_of_the_first_aborted_signal() {
    assertLog(
        "b false c true true",
        "say(AbortSignal.any([c.signal, AbortSignal.abort('b'), AbortSignal.abort('d')]).reason);"
            + "const any = AbortSignal.any([c.signal, new AbortController().signal]); say(any.aborted); c.abort('c'); say(any.reason);"
            + "say(AbortSignal.any([]).aborted === false); say(AbortSignal.any([any]).aborted)");
  }

  @Test
  void source_fires_before_its_dependents_which_are_already_aborted() {
    assertLog(
        "source true true one two",
        """
        const one = AbortSignal.any([c.signal]), two = AbortSignal.any([one]);
        two.onabort = () => say('two');
        one.onabort = () => say('one');
        c.signal.onabort = () => { say('source'); say(one.aborted); say(two.aborted); };
        c.abort();
        """);
  }

  @Test
  void signal_that_depends_on_a_dependent_follows_the_original_sources() {
    assertLog(
        "once",
        "const d = new AbortController(); const one = AbortSignal.any([c.signal, d.signal]), two = AbortSignal.any([one, c.signal]);"
            + "two.onabort = () => say('once'); d.abort(); c.abort()");
  }

  @Test
  void dependents_abort_in_the_order_of_their_creation_whatever_links_them() {
    assertLog(
        "1x 2x 3x 4x",
        """
        const d = new AbortController();
        const one = AbortSignal.any([c.signal]);
        const two = AbortSignal.any([d.signal, one]);
        const three = AbortSignal.any([c.signal]);
        const four = AbortSignal.any([two, three, one]);
        for (const [i, s] of [four, three, two, one].entries())
          s.onabort = () => say(4 - i + s.reason);
        c.abort('x');
        d.abort('y');
        """);
  }

  @Test
  void long_chain_of_signals_has_two_links_each_and_needs_no_stack() {
    long before = threads().getCurrentThreadAllocatedBytes();
    assertLog(
        "x true",
        """
        let s = c.signal;
        for (let i = 0; i < 5000; i++) s = AbortSignal.any([s, new AbortController().signal]);
        s.addEventListener('abort', () => say(s.reason));
        c.abort('x');
        say(AbortSignal.any([s]).aborted);
        """);
    long bytes = threads().getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 500_000_000, bytes + " bytes; a link to each source of each takes 1.2 GB");
  }

  private static ThreadMXBean threads() {
    return (ThreadMXBean) ManagementFactory.getThreadMXBean();
  }

  @Test
  void listener_that_aborts_a_sibling_does_not_change_the_reason() {
    assertLog(
        "first",
        "const d = new AbortController(); const any = AbortSignal.any([c.signal, d.signal]); c.signal.onabort = () => d.abort('second'); c.abort('first'); say(any.reason)");
  }

  @Test
  void controller_returns_the_same_signal_each_time() {
    assertLog("true", "say(c.signal === c.signal && c.signal instanceof EventTarget)");
  }

  @Tag("alone")
  @Test
  void dependent_signal_with_a_listener_survives_garbage_collection() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          const c = new AbortController();
          AbortSignal.any([c.signal]).addEventListener('abort', () => console.log('listener'));
          AbortSignal.any([AbortSignal.any([c.signal])]).onabort = () => console.log('handler');
          navigator.locks.request('a', () => new Promise(() => {}));
          navigator.locks.request('a', {signal: AbortSignal.any([c.signal])}, () => {})
              .catch(e => console.log(e.name));
          setTimeout(() => c.abort(), 1000);
          """);
      scenario.runFor(500);
      System.gc();
      assertEquals(List.of("listener", "handler", "AbortError"), scenario.run());
    }
  }

  @Tag("alone")
  @Test
  void timeout_signal_with_a_listener_survives_garbage_collection() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          AbortSignal.timeout(1000).onabort = () => console.log('handler');
          AbortSignal.any([AbortSignal.timeout(1001)])
              .addEventListener('abort', e => console.log('dependent', e.target.reason.name));
          navigator.locks.request('a', () => new Promise(() => {}));
          navigator.locks.request('a', {signal: AbortSignal.timeout(1002)}, () => {})
              .catch(e => console.log(e.name));
          """);
      scenario.runFor(500);
      System.gc();
      assertEquals(List.of("handler", "dependent TimeoutError", "TimeoutError"), scenario.run());
    }
  }

  @Test
  void timeouts_fire_in_order_up_to_the_end_of_the_clock() {
    assertEquals(
        List.of("100 years", "200 years"),
        Scenario.logOf(
            """
            for (const years of [1000, 200, 2 ** 53 / 31536e6 - 1, 100]) {
              AbortSignal.timeout(years * 31536e6).onabort = () => console.log(years + ' years');
            }
            """));
  }

  @Test
  void loop_of_longest_timeouts_ends_a_deterministic_run() {
    for (String start :
        List.of(
            "AbortSignal.timeout(2 ** 53 - 1).onabort = again", "setTimeout(again, 2 ** 31 - 1)")) {
      try (Scenario scenario = new Scenario(1)) {
        scenario.window("const again = () => { " + start + " }; again()");
        scenario.runSteps(10_000);
        assertEquals(List.of(), scenario.errors());
      }
    }
  }

  /** Returns whether a script leaves its user agent quiescent within a second. */
  private static boolean rests(String script) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/text", "text").resourceThatHangs("/hangs").window(script).runFor(1_000);
      assertEquals(List.of(), scenario.errors());
      return scenario.userAgent().quiescent().isDone();
    }
  }

  @Test
  void timeout_that_script_cannot_observe_does_not_prevent_quiescence() {
    for (String script :
        List.of(
            "AbortSignal.timeout(15000)",
            "window.s = AbortSignal.any([AbortSignal.timeout(15000)])",
            "navigator.locks.request('n', {signal: AbortSignal.timeout(15000)}, () => {})",
            "navigator.locks.request('n', {signal: AbortSignal.timeout(15000)}, () => new Promise(() => {}))",
            "addEventListener('x', () => {}, {signal: AbortSignal.timeout(15000)})",
            "fetch('/text', {signal: AbortSignal.timeout(15000)})",
            "fetch('/text', {signal: AbortSignal.timeout(15000)}).then(r => r.text())",
            "const s = AbortSignal.timeout(15000); s.onabort = () => {}; s.onabort = null",
            """
            const c = new AbortController();
            AbortSignal.any([AbortSignal.timeout(15000), c.signal]).onabort = () => {};
            c.abort();
            """,
            """
            onload = () => {
              const frame = document.body.appendChild(document.createElement('iframe'));
              frame.contentWindow.AbortSignal.timeout(15000).onabort = () => {};
              frame.remove();
            };
            """)) {
      assertTrue(rests(script), script);
    }
  }

  @Test
  void timeout_that_script_observes_prevents_quiescence() {
    for (String script :
        List.of(
            "AbortSignal.timeout(15000).onabort = () => {}",
            "AbortSignal.any([AbortSignal.timeout(15000)]).addEventListener('abort', () => {})",
            """
            navigator.locks.request('n', () => new Promise(() => {}));
            navigator.locks.request('n', {signal: AbortSignal.timeout(15000)}, () => {}).catch(() => {});
            """,
            "fetch('/hangs', {signal: AbortSignal.timeout(15000)}).catch(() => {})",
            "const s = AbortSignal.timeout(15000); setTimeout(() => console.log(s.aborted), 15001)")) {
      assertFalse(rests(script), script);
    }
  }

  @Tag("alone")
  @Test
  void timeout_signals_without_listeners_are_collected_before_they_are_due() {
    try (Scenario scenario = Scenario.withCollector(1)) {
      scenario.window(
          """
          const refs = Array.from({length: 100}, () => new WeakRef(AbortSignal.timeout(1e9)));
          setInterval(() => {
            if (refs.some(ref => ref.deref() === undefined)) console.log('collected');
          }, 10);
          """);
      for (int attempt = 0; attempt < 50 && scenario.log().isEmpty(); attempt++) {
        System.gc();
        scenario.runFor(20);
      }
      assertEquals("collected", scenario.log().getFirst());
    }
  }

  @Tag("alone")
  @Test
  void dependent_signals_without_listeners_are_collected_before_their_source() {
    try (Scenario scenario = Scenario.withCollector(1)) {
      scenario.window(
          """
          const c = new AbortController();
          const refs = Array.from({length: 100}, () => new WeakRef(AbortSignal.any([c.signal])));
          const used = AbortSignal.any([c.signal]);
          const listener = () => {};
          used.addEventListener('abort', listener);
          used.removeEventListener('abort', listener);
          setInterval(() => {
            if (refs.some(ref => ref.deref() === undefined)) console.log('collected');
          }, 10);
          """);
      for (int attempt = 0; attempt < 50 && scenario.log().isEmpty(); attempt++) {
        System.gc();
        scenario.runFor(20);
      }
      assertEquals("collected", scenario.log().getFirst());
    }
  }

  @Tag("alone")
  @Test
  void signals_combined_again_with_the_same_source_are_collected() {
    try (Scenario scenario = Scenario.withCollector(1)) {
      scenario.window(
          """
          const c = new AbortController(), refs = [];
          let last = new AbortController().signal;
          for (let i = 0; i < 100; i++) {
            last = AbortSignal.any([last, c.signal]);
            refs.push(new WeakRef(last));
          }
          window.kept = last;
          setInterval(() => {
            if (refs.slice(0, 50).some(ref => ref.deref() === undefined)) console.log('collected');
          }, 10);
          """);
      for (int attempt = 0; attempt < 50 && scenario.log().isEmpty(); attempt++) {
        System.gc();
        scenario.runFor(20);
      }
      assertEquals("collected", scenario.log().getFirst());
    }
  }
}
