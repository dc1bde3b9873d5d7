package dev.weblocks.dom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events and event targets by the DOM Standard. */
class EventTest {

  private static void assertLog(String expected, String script) {
    String prefix =
        "const out = []; const say = x => out.push(String(x)); const t = new EventTarget();"
            + "const fire = (type, init) => t.dispatchEvent(new Event(type, init));";
    assertEquals(
        List.of(expected),
        Scenario.logOf(prefix + script + ";setTimeout(() => console.log(out.join(' ')), 50)"));
  }

  @Test
  void event_goes_down_to_its_target_and_bubbles_up_to_the_window() {
    assertLog(
        "window1 document1 html1 script2 script2 html3 document3 window3",
        """
        const script = document.currentScript;
        const path = { window, document, html: document.documentElement, script };
        for (const [name, at] of Object.entries(path)) {
          at.addEventListener('x', e => say(name + e.eventPhase), false);
          at.addEventListener('x', e => say(name + e.eventPhase), true);
        }
        script.dispatchEvent(new Event('x', { bubbles: true }));
        """);
  }

  @Test
  void event_that_does_not_bubble_is_still_captured() {
    assertLog(
        "document target",
        """
        const script = document.currentScript;
        document.addEventListener('x', () => say('document'), true);
        document.addEventListener('x', () => say('never'));
        script.addEventListener('x', () => say('target'));
        script.dispatchEvent(new Event('x'));
        """);
  }

  @Test
  void composed_path_lists_targets_first_and_is_empty_afterwards() {
    assertLog(
        "SCRIPT,HEAD,HTML,#document,window 0 0",
        """
        const script = document.currentScript, e = new Event('x');
        script.addEventListener('x', e => say(e.composedPath().map(n => n === window ? 'window' : n.nodeName)));
        script.dispatchEvent(e);
        say(e.composedPath().length); say(new Event('y').composedPath().length);
        """);
  }

  @Test
  void load_event_of_the_window_does_not_come_from_the_document() {
    assertLog(
        "window true true 2",
        """
        document.addEventListener('load', () => say('document'), true);
        addEventListener('load', e => { say(e.currentTarget === window ? 'window' : '?'); say(e.target === document); say(e.isTrusted); say(e.eventPhase); });
        """);
  }

  @Test
  void capturing_listeners_at_the_target_run_before_the_others() {
    assertLog(
        "c b",
        "t.addEventListener('x', () => say('b')); t.addEventListener('x', () => say('c'), true); fire('x')");
  }

  @Test
  void once_is_removed_before_it_is_called() {
    assertLog(
        "1",
        "let n = 0; t.addEventListener('x', () => { say(++n); fire('x'); }, { once: true }); fire('x'); fire('x')");
  }

  @Test
  void passive_listener_cannot_cancel() {
    assertLog(
        "true false",
        "t.addEventListener('x', e => e.preventDefault(), { passive: true }); say(fire('x', { cancelable: true }));"
            + "t.addEventListener('x', e => e.preventDefault()); say(fire('x', { cancelable: true }))");
  }

  @Test
  void only_cancelable_events_are_canceled() {
    assertLog(
        "true false true false",
        "t.addEventListener('x', e => e.preventDefault()); say(fire('x')); say(fire('x', { cancelable: true }));"
            + "t.addEventListener('y', e => { e.returnValue = true; }); say(fire('y', { cancelable: true }));"
            + "t.addEventListener('z', e => { e.returnValue = false; }); say(fire('z', { cancelable: true }))");
  }

  @Test
  void same_callback_is_added_once_per_type_and_phase() {
    assertLog(
        "x x",
        "const f = () => say('x'); t.addEventListener('x', f); t.addEventListener('x', f, { once: true });"
            + "t.addEventListener('x', f, { capture: true }); t.addEventListener('x', null); fire('x')");
  }

  @Test
  void removal_matches_callback_and_capture_only() {
    assertLog(
        "still",
        "const f = () => say('still'), g = () => say('gone'); t.addEventListener('x', f); t.removeEventListener('x', f, true);"
            + "t.addEventListener('x', g, { passive: true, capture: true }); t.removeEventListener('x', g, { capture: true, once: true });"
            + "t.removeEventListener('x', null); t.removeEventListener('none', f); fire('x')");
  }

  @Test
  void listener_removed_during_dispatch_does_not_run_and_an_added_one_waits() {
    assertLog(
        "a c a c d",
        """
        const b = () => say('b'), d = () => say('d');
        t.addEventListener('x', () => { say('a'); t.removeEventListener('x', b); });
        t.addEventListener('x', b);
        t.addEventListener('x', () => { say('c'); t.addEventListener('x', d); });
        fire('x'); fire('x');
        """);
  }

  @Test
  void aborted_signal_removes_listeners_also_during_dispatch_and_refuses_new_ones() {
    assertLog(
        "a a",
        """
        const c = new AbortController();
        t.addEventListener('x', () => { say('a'); c.abort(); });
        t.addEventListener('x', () => say('b'), { signal: c.signal });
        fire('x');
        t.addEventListener('x', () => say('late'), { signal: c.signal });
        fire('x');
        """);
  }

  @Test
  void signal_option_must_be_a_signal() {
    assertLog(
        "TypeError TypeError",
        "for (const signal of [null, {}]) try { t.addEventListener('x', null, { signal }) } catch (e) { say(e.name) }");
  }

  @Test
  void handle_event_is_looked_up_at_each_call_with_the_object_as_this() {
    assertLog(
        "1 true 2 true",
        """
        const o = { handleEvent(e) { say(1); say(this === o); } };
        t.addEventListener('x', o); fire('x');
        o.handleEvent = function (e) { say(2); say(this === o); }; fire('x');
        """);
  }

  @Test
  void function_is_called_with_the_current_target_as_this() {
    assertLog(
        "true true",
        "t.addEventListener('x', function (e) { say(this === t); say(e.currentTarget === this); }); fire('x')");
  }

  @Test
  void propagation_stops_where_it_is_told_to() {
    assertLog(
        "a b | c",
        """
        const script = document.currentScript;
        document.addEventListener('x', () => say('document'));
        script.addEventListener('x', e => { say('a'); e.stopPropagation(); });
        script.addEventListener('x', e => say('b'));
        script.dispatchEvent(new Event('x', { bubbles: true }));
        say('|');
        script.addEventListener('y', e => { say('c'); e.stopImmediatePropagation(); });
        script.addEventListener('y', e => say('d'));
        script.dispatchEvent(new Event('y', { bubbles: true }));
        """);
  }

  @Test
  void event_whose_propagation_was_stopped_before_is_heard_by_nobody_once() {
    assertLog(
        "true false x",
        "const e = new Event('x'); t.addEventListener('x', () => say('x')); e.stopPropagation(); say(e.cancelBubble); t.dispatchEvent(e); say(e.cancelBubble); t.dispatchEvent(e)");
  }

  @Test
  void handler_returning_false_cancels() {
    assertLog(
        "false true true",
        """
        const s = new AbortController().signal;
        const go = () => say(s.dispatchEvent(new Event('abort', { cancelable: true })));
        s.onabort = () => false; go();
        s.onabort = () => 0; go();
        s.onabort = () => {}; go();
        """);
  }

  @Test
  void handler_keeps_the_place_of_its_first_setting() {
    assertLog(
        "a new b | b again",
        """
        const s = new AbortController().signal, go = () => s.dispatchEvent(new Event('abort'));
        let first = () => say('a');
        s.addEventListener('abort', first);
        s.onabort = () => say('old');
        s.addEventListener('abort', () => say('b'));
        s.onabort = () => say('new');
        go(); say('|');
        s.removeEventListener('abort', first);
        s.onabort = null;
        s.onabort = () => say('again');
        go();
        """);
  }

  @Test
  void handler_takes_functions_and_keeps_objects_without_calling_them() {
    assertLog(
        "null null true null",
        """
        const s = new AbortController().signal, o = { handleEvent() { say('never'); } };
        say(s.onabort); s.onabort = 5; say(s.onabort); s.onabort = o; say(s.onabort === o);
        s.dispatchEvent(new Event('abort')); s.onabort = 'text'; say(s.onabort);
        """);
  }

  @Test
  void event_under_way_cannot_be_dispatched_again_but_later_it_can() {
    assertLog(
        "InvalidStateError true InvalidStateError true",
        "const e = new Event('x'); t.addEventListener('x', () => { try { t.dispatchEvent(e) } catch (x) { say(x.name) } });"
            + "say(t.dispatchEvent(e)); say(t.dispatchEvent(e))");
  }

  @Test
  void init_event_does_nothing_during_dispatch() {
    assertLog(
        "x true y false",
        "const e = new Event('x'); t.addEventListener('x', () => { e.initEvent('z', true); say(e.type); say(!e.bubbles); });"
            + "t.dispatchEvent(e); e.initEvent('y'); say(e.type); say(e.bubbles)");
  }

  @Test
  void is_trusted_is_false_for_events_of_script_and_cannot_be_forged() {
    assertLog(
        "false false true",
        "const e = new Event('x'); say(e.isTrusted); const d = Object.getOwnPropertyDescriptor(e, 'isTrusted'); say(d.configurable);"
            + "say(d.get === Object.getOwnPropertyDescriptor(new Event('y'), 'isTrusted').get)");
  }

  @Test
  void event_of_the_user_agent_that_script_dispatches_again_is_not_trusted() {
    assertLog(
        "true false",
        "const c = new AbortController(); let again; c.signal.onabort = e => { say(e.isTrusted); again = e; }; c.abort();"
            + "t.addEventListener('abort', e => say(e.isTrusted)); t.dispatchEvent(again)");
  }

  @Test
  void exception_of_a_listener_is_reported_and_the_others_run() {
    assertLog(
        "reported b",
        "onerror = () => { say('reported'); return true; }; t.addEventListener('x', () => { throw 1 }); t.addEventListener('x', () => say('b')); fire('x')");
  }

  @Test
  void target_survives_dispatch_and_current_target_does_not() {
    assertLog(
        "null true null 0",
        "const e = new Event('x'); say(e.target); t.dispatchEvent(e); say(e.target === t && e.srcElement === t); say(e.currentTarget); say(e.eventPhase)");
  }

  @Test
  void event_target_can_be_subclassed() {
    assertLog(
        "sub x",
        "class Sub extends EventTarget { say() { say('sub'); } }; const s = new Sub(); s.say(); s.addEventListener('x', e => say(e.type)); s.dispatchEvent(new Event('x'))");
  }

  @Test
  void global_functions_take_the_window_when_there_is_no_this() {
    assertLog(
        "x true",
        "const add = addEventListener; add('x', e => { say('x'); say(e.target === window); }); dispatchEvent(new Event('x'))");
  }

  @Test
  void microtasks_run_between_listeners_of_a_fired_event_and_not_within_a_dispatch_of_script() {
    assertLog(
        "1 2 m1 m2 load 1 m1 2 m2",
        """
        const listen = type => {
          for (const n of [1, 2]) addEventListener(type, () => { say(n); Promise.resolve().then(() => say('m' + n)); });
        };
        listen('x');
        dispatchEvent(new Event('x'));
        addEventListener('load', () => say('load'));
        listen('load');
        """);
  }
}
