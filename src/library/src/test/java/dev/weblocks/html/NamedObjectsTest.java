package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Named properties of a window for its frames and elements. */
class NamedObjectsTest {

  @Test
  void element_is_a_global_by_its_id_while_in_the_document() {
    assertEquals(
        List.of("undefined false", "true true true", "undefined", "ReferenceError"),
        Scenario.logOf(
            """
            const made = document.createElement('div');
            made.id = 'thing';
            console.log(typeof thing, 'thing' in window);
            document.documentElement.append(made);
            console.log(thing === made, window.thing === made, 'thing' in window);
            made.id = 'other';
            console.log(typeof thing);
            try { thing; } catch (error) { console.log(error.name); }
            """));
  }

  @Test
  void global_name_of_several_elements_is_a_live_collection() {
    assertEquals(
        List.of("HTMLCollection 2", "1"),
        Scenario.logOf(
            """
            const form = document.createElement('form');
            form.setAttribute('name', 'twice');
            const p = document.createElement('p');
            p.id = 'twice';
            const p2 = document.createElement('p');
            p2.setAttribute('name', 'twice'); // no name of a window
            document.documentElement.append(form, p, p2);
            const list = twice;
            console.log(list.constructor.name, list.length);
            form.remove();
            console.log(list.length);
            """));
  }

  @Test
  void frame_takes_precedence_over_elements_of_the_same_name() {
    assertEquals(
        List.of("true"),
        Scenario.logOf(
            """
            const div = document.createElement('div');
            div.id = 'both';
            const frame = document.createElement('iframe');
            frame.name = 'both';
            document.documentElement.append(div, frame);
            console.log(both === frame.contentWindow);
            """));
  }

  @Test
  void properties_of_the_window_shadow_named_elements() {
    assertEquals(
        List.of("function function function", "5 true", "true"),
        Scenario.logOf(
            """
            for (const id of ['setTimeout', 'addEventListener', 'hasOwnProperty', 'mine', 'declared']) {
              const div = document.createElement('div');
              div.id = id;
              document.documentElement.append(div);
            }
            console.log(typeof setTimeout, typeof addEventListener, typeof hasOwnProperty);
            (0, eval)('mine = 5');
            console.log(mine, Object.hasOwn(window, 'mine'));
            delete window.mine;
            console.log(mine === document.getElementById('mine'));
            """));
  }
}
