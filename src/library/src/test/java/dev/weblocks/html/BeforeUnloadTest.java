package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The event {@code beforeunload}, which never delays a page without user activation. */
class BeforeUnloadTest {

  private static final String TYPES =
      """
      for (const type of ['beforeunload', 'pagehide', 'unload'])
        addEventListener(type, e => console.log(type, e.cancelable, location.pathname));
      """;

  private static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario
          .resource("/next", "<script>console.log('next')</script>")
          .resource("/frame", "<script>" + TYPES + "</script>")
          .window(TYPES + "onload = () => setTimeout(async () => {" + script + "});")
          .run();
    }
  }

  @Test
  void navigation_fires_beforeunload_before_the_request_and_goes_on() {
    assertEquals(
        List.of(
            "beforeunload true /window-0.html",
            "canceled true BeforeUnloadEvent  true",
            "pagehide true /window-0.html",
            "next"),
        logOf(
            """
            addEventListener('beforeunload', e => {
              e.preventDefault();
              console.log('canceled', e.defaultPrevented, e.constructor.name, e.returnValue, e.isTrusted);
            });
            location.href = '/next';
            """));
  }

  @Test
  void handler_cancels_with_the_string_that_it_returns() {
    assertEquals(
        List.of(
            "beforeunload true /window-0.html",
            "true [why]",
            "pagehide true /window-0.html",
            "next"),
        logOf(
            """
            onbeforeunload = () => ({ toString: () => '[why]' });
            addEventListener('beforeunload', e => console.log(e.defaultPrevented, e.returnValue));
            location.href = '/next';
            """));
  }

  @Test
  void handler_without_a_result_cancels_nothing_and_keeps_the_return_value() {
    assertEquals(
        List.of("false ''", "false 'mine'", "true 'mine'", "false undefined"),
        logOf(
                """
                const fire = handler => {
                  const event = document.createEvent('BeforeUnloadEvent');
                  event.initEvent('beforeunload', false, true);
                  document.body.onbeforeunload = handler;
                  dispatchEvent(event);
                  console.log(event.defaultPrevented, `'${event.returnValue}'`);
                };
                removeEventListener('beforeunload', null);
                fire(() => null);
                fire(e => { e.returnValue = 'mine'; });
                fire(e => { e.returnValue = 'mine'; return 'other'; });
                onbeforeunload = () => false;
                const plain = new Event('beforeunload', { cancelable: true });
                dispatchEvent(plain);
                console.log(plain.defaultPrevented, new Event('x').missing);
                """)
            .stream()
            .filter(line -> !line.startsWith("beforeunload"))
            .toList());
  }

  @Test
  void navigation_of_a_page_fires_beforeunload_in_its_frames_too() {
    assertEquals(
        List.of(
            "beforeunload true /window-0.html",
            "beforeunload true /frame",
            "pagehide true /window-0.html",
            "pagehide true /frame",
            "next"),
        logOf(
            """
            const frame = document.createElement('iframe');
            frame.src = '/frame';
            frame.onload = () => { location.href = '/next'; };
            document.documentElement.append(frame);
            """));
  }

  @Test
  void fragments_javascript_urls_and_removed_frames_fire_none() {
    assertEquals(
        List.of("done"),
        logOf(
            """
            const frame = document.createElement('iframe');
            frame.src = '/frame';
            document.documentElement.append(frame);
            await new Promise(r => frame.onload = r);
            location.hash = 'x';
            frame.contentWindow.location.hash = 'y';
            frame.contentWindow.location = 'javascript:void 0';
            await new Promise(r => setTimeout(r, 100));
            frame.remove();
            console.log('done');
            """));
  }

  @Test
  void reload_and_traversal_fire_beforeunload() {
    try (Scenario scenario = new Scenario(1)) {
      String page =
          """
          <script>
          onbeforeunload = () => console.log('beforeunload', location.search);
          onpageshow = e => console.log('pageshow', e.persisted);
          onload = () => setTimeout(() => {
            const n = sessionStorage.n = +(sessionStorage.n ?? 0) + 1;
            if (n === 1) location.reload();
            if (n === 2) location.search = 'two';
            if (n === 3) history.back();
          });
          </script>\
          """;
      scenario.resource("/page", page).resource("/page?two", page).open("/page");
      assertEquals(
          List.of(
              "pageshow false",
              "beforeunload ",
              "pageshow false",
              "beforeunload ",
              "pageshow false",
              "beforeunload ?two",
              "pageshow true"),
          scenario.run());
    }
  }

  @Test
  void window_that_script_closes_fires_beforeunload_and_unloads() {
    assertEquals(
        List.of(
            "true",
            "beforeunload true /frame",
            "pagehide true /frame",
            "unload false /frame",
            "beforeunload true /window-0.html",
            "pagehide true /window-0.html",
            "unload false /window-0.html"),
        logOf(
            """
            const w = open('/frame');
            await new Promise(r => w.onload = r);
            w.close();
            console.log(w.closed);
            setTimeout(close, 100);
            """));
  }

  @Test
  void navigation_in_beforeunload_or_unload_is_ignored() {
    assertEquals(
        List.of("beforeunload true /window-0.html", "null", "pagehide true /window-0.html", "next"),
        logOf(
            """
            onbeforeunload = () => { location.href = '/frame'; console.log(open('/frame')); };
            onpagehide = () => { location.href = '/frame'; };
            location.href = '/next';
            """));
  }
}
