package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events of user input, and animation frames. */
class UiEventsTest {

  @Test
  void script_constructs_events_with_all_of_their_members() {
    assertEquals(
        List.of(
            "true 2 1.5 1.5 3 true false true true false",
            "a KeyA 1 true true 65",
            "2.5 1",
            "true",
            "x"),
        Scenario.logOf(
            """
            const mouse = new MouseEvent('m', {view: window, detail: 2, clientX: 1.5, button: 3, ctrlKey: true,
              modifierCapsLock: true});
            console.log(mouse.view === window, mouse.detail, mouse.clientX, mouse.x, mouse.button, mouse.ctrlKey,
              mouse.altKey, mouse.getModifierState('Control'), mouse.getModifierState('CapsLock'),
              mouse.getModifierState('Shift'));
            const key = new KeyboardEvent('k', {key: 'a', code: 'KeyA', location: 1, repeat: true, isComposing: true,
              keyCode: 65});
            console.log(key.key, key.code, key.location, key.repeat, key.isComposing, key.keyCode);
            const wheel = new WheelEvent('w', {deltaX: 2.5, deltaMode: WheelEvent.DOM_DELTA_LINE});
            console.log(wheel.deltaX, wheel.deltaMode);
            console.log(new FocusEvent('f', {relatedTarget: document}).relatedTarget === document);
            console.log(new CompositionEvent('c', {data: 'x'}).data);
            """));
  }

  @Test
  void init_methods_initialize_an_event_except_during_its_dispatch() {
    assertEquals(
        List.of("m true 4 7 8 true", "m 4"),
        Scenario.logOf(
            """
            const mouse = document.createEvent('MouseEvents');
            mouse.initMouseEvent('m', true, true, window, 4, 5, 6, 7, 8, false, true);
            console.log(mouse.type, mouse.view === window, mouse.detail, mouse.clientX, mouse.clientY, mouse.altKey);
            addEventListener('m', event => event.initUIEvent('other', true, true, null, 9));
            dispatchEvent(mouse);
            console.log(mouse.type, mouse.detail);
            """));
  }

  @Test
  void click_fires_a_mouse_event() {
    assertEquals(
        List.of("MouseEvent true true true false"),
        Scenario.logOf(
            """
            const p = document.createElement('p');
            p.onclick = e => console.log(e.constructor.name, e.view === window, e.bubbles, e.composed, e.isTrusted);
            p.click();
            """));
  }

  @Test
  void animation_frame_callbacks_share_one_time_and_new_ones_run_next_frame() {
    assertEquals(
        List.of("first", "third true", "next true true"),
        Scenario.logOf(
            """
            let time;
            requestAnimationFrame(t => {
              console.log('first');
              time = t;
              cancelAnimationFrame(second);
              requestAnimationFrame(u => console.log('next', u - t > 16, u - t < 17.5));
            });
            const second = requestAnimationFrame(t => console.log('second'));
            requestAnimationFrame(t => console.log('third', t === time));
            """));
  }

  @Test
  void documents_made_by_script_have_no_window_and_run_no_scripts() {
    assertEquals(
        List.of("null null about:blank complete a title", "html BODY true", "done"),
        Scenario.logOf(
            """
            const made = document.implementation.createHTMLDocument('a title');
            console.log(made.defaultView, made.location, made.URL, made.readyState, made.title);
            console.log(made.doctype.name, made.body.tagName, document.implementation === document.implementation);
            const script = made.createElement('script');
            script.text = 'console.log("ran")';
            made.body.append(script);
            made.addEventListener('e', () => console.log('done'));
            addEventListener('e', () => console.log('wrong'));
            made.body.dispatchEvent(new Event('e', {bubbles: true}));
            """));
  }
}
