package dev.weblocks.dom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Event handler attributes by the HTML Standard. */
class EventHandlersTest {

  private static void assertLog(String expected, String script) {
    String prefix =
        "const out = []; const say = x => out.push(String(x));"
            + "const fire = (target, type, init) => target.dispatchEvent(new Event(type, init));";
    assertEquals(
        List.of(expected),
        Scenario.logOf(prefix + script + ";setTimeout(() => console.log(out.join(' ')), 50)"));
  }

  private static final String IN_WINDOWS =
      "onbeforeunload onclick onerror onhashchange onlanguagechange onload onmessage onmessageerror onoffline"
          + " ononline onpagehide onpageshow onpopstate onrejectionhandled onstorage"
          + " onunhandledrejection onunload";

  private static final String IN_WORKERS =
      "onerror onlanguagechange onmessage onmessageerror onoffline ononline onrejectionhandled"
          + " onunhandledrejection";

  private static final String LIST =
      """
      (object => {
        const names = [];
        for (const name in object) if (name.startsWith('on') && object[name] === null) names.push(name);
        return names.sort().join(' ');
      })
      """;

  @Test
  void globals_have_handlers_for_the_events_that_they_can_receive() {
    assertEquals(List.of(IN_WINDOWS), Scenario.logOf("console.log(" + LIST + "(window))"));
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/w.js", "console.log(" + LIST + "(self))").window("new Worker('/w.js')");
      assertEquals(List.of(IN_WORKERS), scenario.run());
    }
    assertEquals(
        List.of(
            "onclick onerror onfreeze onload onreadystatechange onresume onvisibilitychange",
            "onclick onerror onload",
            "onerror onmessage onmessageerror"),
        Scenario.logOf(
            "const list = "
                + LIST
                + "; console.log(list(document)); console.log(list(document.head));"
                + "const w = new Worker('/none.js'); console.log(list(w))"));
  }

  @Test
  void each_handler_is_called_with_the_target_as_this() {
    assertLog(
        "true true true true true true true true true true true true true true true true",
        """
        const all = '%s'.split(' ').filter(name => name !== 'onload');
        for (const name of all) {
          window[name] = function (e) { say(this === window && e.type === name.slice(2)); };
          fire(window, name.slice(2));
          window[name] = null;
          fire(window, name.slice(2));
        }
        """
            .formatted(IN_WINDOWS));
  }

  @Test
  void handler_set_to_an_object_reserves_the_place_of_a_later_function() {
    assertLog(
        "function listener",
        """
        window.onoffline = {};
        addEventListener('offline', () => say('listener'));
        window.onoffline = () => say('function');
        fire(window, 'offline');
        """);
  }

  @Test
  void handler_that_is_set_again_after_removal_runs_last() {
    assertLog(
        "listener again",
        """
        onoffline = () => say('first');
        addEventListener('offline', () => say('listener'));
        onoffline = 'no object';
        onoffline = () => say('again');
        fire(window, 'offline');
        """);
  }

  @Test
  void handler_set_during_dispatch_runs_only_if_it_replaces_another() {
    assertLog(
        "replaced",
        """
        addEventListener('offline', () => { onoffline = () => say('replaced'); });
        onoffline = () => say('never');
        addEventListener('online', () => { ononline = () => say('late'); });
        fire(window, 'offline'); fire(window, 'online');
        """);
  }

  @Test
  void handler_removed_during_dispatch_is_not_called() {
    assertLog(
        "",
        "addEventListener('offline', () => { onoffline = null; }); onoffline = () => say('never'); fire(window, 'offline')");
  }

  @Test
  void only_a_handler_that_returns_exactly_false_cancels_the_event() {
    assertLog(
        "false true true true true",
        """
        for (const value of [false, 0, '', null, Object(false)]) {
          onoffline = () => value;
          say(fire(window, 'offline', { cancelable: true }));
        }
        """);
  }

  @Test
  void error_handler_of_a_global_gets_five_arguments_for_error_events_only() {
    assertLog(
        "m,f,4294967295,7,null true | 1 | 1 | 1",
        """
        onerror = function () { say(arguments.length === 5 ? [...arguments].map(String).join() : arguments.length); return true; };
        const e = new ErrorEvent('error', { message: 'm', filename: 'f', lineno: 2 ** 32 - 1, colno: 7, error: null, cancelable: true });
        window.dispatchEvent(e); say(e.defaultPrevented); say('|');
        fire(window, 'error'); say('|');
        ononline = onerror; window.dispatchEvent(new ErrorEvent('online')); say('|');
        document.onerror = onerror; document.dispatchEvent(new ErrorEvent('error'));
        """);
  }

  @Test
  void error_handler_cancels_by_returning_true_on_globals_and_false_elsewhere() {
    assertLog(
        "true false false | true false",
        """
        for (const [target, value] of [[window, true], [window, false], [window, Object(true)], [document, false], [document, true]]) {
          if (target === document && out.length === 3) say('|');
          target.onerror = () => value;
          const e = new ErrorEvent('error', { cancelable: true });
          target.dispatchEvent(e);
          say(e.defaultPrevented);
          target.onerror = null;
        }
        """);
  }

  @Test
  void body_handlers_for_window_events_are_those_of_the_window() {
    assertLog(
        "true true null true load",
        """
        addEventListener('DOMContentLoaded', () => {
          const f = () => say('load');
          document.body.onload = f;
          say(window.onload === f); say(document.body.onload === f);
          say(document.head.onload);
          window.onerror = f; say(document.body.onerror === f); window.onerror = null;
        });
        """);
  }

  @Test
  void load_and_error_handlers_of_a_script_element_are_called() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/late.js",
              "document.currentScript.onload = e => console.log(e.target.src, e.bubbles);")
          .window("</script><script src=/late.js></script><script>");
      assertEquals(List.of(Scenario.ORIGIN + "/late.js false"), scenario.run());
    }
    assertLog(
        "error",
        "const s = document.currentScript; s.onerror = e => say(e.type); s.dispatchEvent(new ErrorEvent('error'))");
  }

  @Test
  void exception_of_a_handler_is_reported_and_later_listeners_run() {
    assertLog(
        "mine after",
        """
        onerror = (message, file, line, column, error) => { say(error); return true; };
        onoffline = () => { throw 'mine'; };
        addEventListener('offline', () => say('after'));
        fire(window, 'offline');
        """);
  }
}
