package dev.weblocks.dom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
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
  void event_is_captured_down_to_its_target_and_bubbles_up_to_window() {
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
  void load_event_of_the_window_does_not_pass_through_the_document() {
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
  void listener_with_once_is_removed_before_it_is_called() {
    assertLog(
        "1",
        "let n = 0; t.addEventListener('x', () => { say(++n); fire('x'); }, { once: true }); fire('x'); fire('x')");
  }

  @Test
  void passive_listener_cannot_cancel_the_event() {
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
  void listeners_removed_or_added_during_a_dispatch_do_not_run_in_it() {
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
  void aborted_signal_removes_listeners_even_during_dispatch_and_refuses_new_ones() {
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
  void handle_event_is_read_and_called_on_the_listener_at_each_event() {
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
  void stop_propagation_and_stop_immediate_propagation_stop_the_event() {
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
  void event_stopped_before_dispatch_reaches_listeners_only_at_its_second_dispatch() {
    assertLog(
        "true false x",
        "const e = new Event('x'); t.addEventListener('x', () => say('x')); e.stopPropagation(); say(e.cancelBubble); t.dispatchEvent(e); say(e.cancelBubble); t.dispatchEvent(e)");
  }

  @Test
  void handler_that_returns_false_cancels_the_event() {
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
  void replaced_handler_keeps_its_place_until_it_is_removed() {
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
  void handler_accepts_functions_and_stores_objects_without_calling_them() {
    assertLog(
        "null null true null",
        """
        const s = new AbortController().signal, o = { handleEvent() { say('never'); } };
        say(s.onabort); s.onabort = 5; say(s.onabort); s.onabort = o; say(s.onabort === o);
        s.dispatchEvent(new Event('abort')); s.onabort = 'text'; say(s.onabort);
        """);
  }

  @Test
  void event_cannot_be_dispatched_again_during_its_dispatch() {
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
  void event_of_the_user_agent_is_untrusted_after_script_redispatches_it() {
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
  void target_stays_set_after_dispatch_and_current_target_is_null() {
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
  void event_target_functions_called_without_this_apply_to_the_window() {
    assertLog(
        "x true",
        "const add = addEventListener; add('x', e => { say('x'); say(e.target === window); }); dispatchEvent(new Event('x'))");
  }

  @Test
  void microtasks_run_between_listeners_of_fired_events_but_not_of_dispatched_ones() {
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

  @Test
  void window_event_is_the_event_whose_listener_runs() {
    assertLog(
        "undefined true inner true undefined false",
        """
        say(event);
        const outer = new Event('outer');
        t.addEventListener('outer', () => {
          say(window.event === outer);
          t.addEventListener('inner', () => say(window.event.type));
          fire('inner');
          say(window.event === outer);
        });
        t.dispatchEvent(outer);
        say(window.event);
        say(Object.getOwnPropertyDescriptor(window, 'event') === undefined);
        """);
  }

  @Test
  void window_event_is_set_during_handle_event_lookup_and_error_reporting() {
    assertLog(
        "x x error undefined",
        """
        t.addEventListener('x', { get handleEvent() { say(event.type); return () => { say(event.type); throw 1; }; } });
        addEventListener('error', e => { say(event.type); e.preventDefault(); });
        fire('x');
        say(event);
        """);
  }

  @Test
  void window_event_is_replaceable_and_undefined_in_workers() {
    assertLog(
        "mine", "window.event = 'mine'; t.addEventListener('x', () => say(event)); fire('x')");
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/w.js",
              "addEventListener('message', () => console.log('event' in self)); dispatchEvent(new Event('message'))")
          .window("new Worker('/w.js')");
      assertEquals(List.of("false"), scenario.run());
    }
  }

  @Test
  void custom_event_carries_any_detail() {
    assertLog(
        "null null 5 true true x true false",
        """
        say(new CustomEvent('x').detail); say(new CustomEvent('x', { detail: undefined }).detail);
        say(new CustomEvent('x', { detail: 5 }).detail);
        const o = {}; const e = new CustomEvent('x', { detail: o, bubbles: true });
        say(e.detail === o); say(e instanceof Event); say(e.type); say(e.bubbles); say(e.cancelable);
        """);
  }

  @Test
  void init_custom_event_does_nothing_during_dispatch() {
    assertLog(
        "1 2 y true null",
        """
        const e = new CustomEvent('x', { detail: 1 });
        t.addEventListener('x', () => { e.initCustomEvent('z', false, false, 3); say(e.detail); });
        t.dispatchEvent(e);
        e.initCustomEvent('y', true, true, 2); say(e.detail); say(e.type); say(e.bubbles && e.cancelable);
        e.initCustomEvent('y'); say(e.detail);
        """);
  }

  @Test
  void events_can_be_subclassed() {
    assertLog(
        "Sub 7 x true sub",
        """
        class Sub extends CustomEvent {
          constructor() { super('x', { detail: 7 }); }
          get [Symbol.toStringTag]() { return 'Sub'; }
          sub() { return 'sub'; }
        }
        t.addEventListener('x', e => { say(Object.prototype.toString.call(e).slice(8, -1)); say(e.detail); say(e.type); say(e instanceof Sub); say(e.sub()); });
        t.dispatchEvent(new Sub());
        """);
  }

  @Test
  void created_event_must_be_initialized_before_it_is_dispatched() {
    assertLog(
        "|false InvalidStateError x y true",
        """
        const e = document.createEvent('eVEnt');
        say(e.type + '|' + e.isTrusted);
        try { t.dispatchEvent(e) } catch (x) { say(x.name) }
        t.addEventListener('x', () => say('x'));
        e.initEvent('x'); t.dispatchEvent(e);
        const c = document.createEvent('CustomEvent'); c.initCustomEvent('y', true, true, 1); say(c.type); say(c instanceof CustomEvent);
        """);
  }

  @Test
  void only_events_of_exposed_interfaces_are_created() {
    assertLog(
        "Event Event Event MessageEvent MouseEvent NotSupportedError NotSupportedError NotSupportedError",
        """
        for (const name of ['Events', 'HTMLEvents', 'SVGEvents', 'MessageEvent', 'MouseEvents', 'DragEvent', 'ErrorEvent', 'customevent\u0130'])
          try { say(document.createEvent(name)[Symbol.toStringTag]) } catch (x) { say(x.name) }
        """);
  }

  @Test
  void scroll_listeners_are_passive_on_window_and_tree_roots() {
    assertLog(
        "true,false true,false true,false true,false false,false true,true",
        """
        const go = (target, type, options) => {
          let results = [];
          for (const o of [options, { passive: false }]) {
            const listener = e => e.preventDefault();
            target.addEventListener(type, listener, o);
            results.push(target.dispatchEvent(new Event(type, { cancelable: true })));
            target.removeEventListener(type, listener, o);
          }
          return results.join();
        };
        addEventListener('load', () => {
          say(go(window, 'touchstart')); say(go(document, 'wheel')); say(go(document.documentElement, 'mousewheel')); say(go(document.body, 'touchmove'));
          say(go(document.body, 'click'));
          say(go(document.head, 'wheel') === 'false,false' && 'true,true');
        });
        """);
  }

  @Test
  void propagation_stopped_while_capturing_reaches_neither_target_nor_handlers() {
    assertLog(
        "window2",
        """
        const root = document.documentElement;
        addEventListener('x', e => { say('window' + (e.eventPhase + 1)); e.stopPropagation(); }, true);
        root.addEventListener('x', () => say('never'), true);
        root.addEventListener('x', () => say('never'));
        document.addEventListener('x', () => say('never'));
        root.dispatchEvent(new Event('x', { bubbles: true }));
        """);
  }

  @Test
  void cancel_bubble_cannot_be_reset_to_false() {
    assertLog(
        "true target false",
        """
        const root = document.documentElement, e = new Event('x', { bubbles: true });
        root.addEventListener('x', e => { e.cancelBubble = true; e.cancelBubble = false; say(e.cancelBubble); });
        root.addEventListener('x', () => say('target'));
        document.addEventListener('x', () => say('never'));
        root.dispatchEvent(e);
        say(e.cancelBubble);
        """);
  }

  @Test
  void init_event_resets_an_event() {
    assertLog(
        "false false null y x",
        """
        const e = new Event('x', { cancelable: true });
        t.addEventListener('x', e => { e.preventDefault(); e.stopPropagation(); });
        t.dispatchEvent(e);
        e.stopImmediatePropagation();
        e.initEvent('y');
        say(e.defaultPrevented); say(e.cancelBubble); say(e.target); say(e.type);
        t.addEventListener('y', () => say('x')); t.dispatchEvent(e);
        """);
  }

  @Tag("overflow")
  @Test
  void event_is_reset_after_a_dispatch_that_overflowed_the_stack() {
    assertLog(
        "0 null 0 undefined true",
        """
        onerror = () => true;
        let deepest;
        t.addEventListener('x', () => { deepest = new Event('x'); t.dispatchEvent(deepest); });
        const e = new Event('x');
        t.dispatchEvent(e);
        say(e.eventPhase); say(e.currentTarget); say(e.composedPath().length); say(window.event);
        const u = new EventTarget(); u.addEventListener('x', () => say(true)); u.dispatchEvent(e);
        """);
  }

  @Tag("alone")
  @Test
  void removed_listener_is_not_retained_by_its_signal() {
    try (Scenario scenario = Scenario.withCollector(1)) {
      scenario.window(
          """
          const c = new AbortController(), t = new EventTarget();
          const refs = [];
          for (let i = 0; i < 100; i++) {
            const listener = () => i;
            refs.push(new WeakRef(listener));
            t.addEventListener('x', listener, { signal: c.signal, once: true });
          }
          t.dispatchEvent(new Event('x'));
          setInterval(() => {
            if (refs.some(ref => ref.deref() === undefined)) console.log('collected');
          }, 10);
          globalThis.kept = c;
          """);
      for (int attempt = 0; attempt < 50 && scenario.log().isEmpty(); attempt++) {
        System.gc();
        scenario.runFor(20);
      }
      assertEquals("collected", scenario.log().getFirst());
    }
  }

  @Test
  void listener_added_again_after_removal_is_a_new_listener_for_the_signal() {
    assertLog(
        "once",
        """
        const c = new AbortController(), f = () => say('once');
        t.addEventListener('x', f, { signal: c.signal });
        t.removeEventListener('x', f);
        t.addEventListener('x', f);
        c.abort();
        fire('x');
        """);
  }
}
