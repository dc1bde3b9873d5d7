package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.UncaughtError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Event handlers in content attributes. */
class HandlerAttributesTest {

  private static List<String> logOf(String html) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.resource("/page.html", html).open("/page.html").run();
    }
  }

  @Test
  void handler_attributes_of_the_body_set_handlers_of_the_window() {
    assertEquals(
        List.of("true true load true true"),
        logOf(
            "<body onload='console.log([this === window, event === window.event, event.type, onload === document.body.onload, typeof document.body.onmessage === \"object\"].join(\" \"))'>"));
  }

  @Test
  void handler_has_element_and_document_in_its_scope() {
    assertEquals(
        List.of("P x true loading function"),
        logOf(
            "<p id=p lang=x onclick='console.log([tagName, lang, this === document.getElementById(\"p\"), readyState, typeof getElementById].join(\" \"))'></p><script>document.querySelector('p').click()</script>"));
  }

  @Test
  void handler_can_remove_itself() {
    assertEquals(
        List.of("once null"),
        logOf(
            "<p onclick='onclick = null; console.log(\"once\" + \" \" + this.onclick)'></p><script>const p = document.querySelector('p'); p.click(); p.click()</script>"));
  }

  @Test
  void the_error_handler_of_a_body_gets_five_arguments() {
    assertEquals(
        List.of("5 string number object"),
        logOf(
            "<body onerror='console.log([arguments.length, typeof event, typeof lineno, typeof error].join(\" \")); return true'><script>throw new Error('x')</script>"));
  }

  @Test
  void handler_text_is_compiled_lazily() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "const p = document.createElement('p'); p.setAttribute('onclick', 'a b'); console.log('made'); console.log(String(p.onclick)); p.click()");
      List<UncaughtError> errors = scenario.runForErrors();
      assertEquals(List.of("made", "null"), scenario.log());
      assertEquals(1, errors.size());
    }
  }

  @Test
  void handler_text_cannot_close_its_function() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          for (const text of ['}, function () {', '} [a] = function () {', '}, console.log(1), {', '*/', '`', '}']) {
            const p = document.createElement('p');
            p.setAttribute('onclick', text);
            console.log(String(p.onclick));
          }
          const p = document.createElement('p');
          p.setAttribute('onclick', 'var a; function a() {} return typeof a // end');
          console.log(p.onclick());
          """);
      scenario.runForErrors();
      assertEquals(
          List.of("null", "null", "null", "null", "null", "null", "function"), scenario.log());
    }
  }

  @Test
  void changed_attribute_replaces_its_handler_at_the_same_place() {
    assertEquals(
        List.of("b", "listener", "listener", "returned"),
        logOf(
            """
            <p onclick='console.log("a")'></p><script>
            const p = document.querySelector('p');
            p.addEventListener('click', () => console.log('listener'));
            p.setAttribute('onclick', 'console.log("b")');
            p.click();
            p.removeAttribute('onclick');
            p.click();
            p.setAttribute('onclick', 'return "returned"');
            console.log(p.onclick());
            </script>\
            """));
  }

  @Test
  void a_click_bubbles_and_is_not_trusted() {
    assertEquals(
        List.of("true true false"),
        logOf(
            "<p></p><script>document.addEventListener('click', (e) => console.log([e.bubbles, e.composed, e.isTrusted].join(' '))); document.querySelector('p').click()</script>"));
  }
}
