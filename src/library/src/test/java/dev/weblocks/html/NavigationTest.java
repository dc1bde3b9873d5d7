package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Navigation, session history and the back-forward cache. */
class NavigationTest {

  private static final String BACK =
      "<script>onload = () => setTimeout(() => { console.log('other'); history.back(); })</script>";

  private static String page(String script) {
    return """
    <script>
    for (const type of ['pageshow', 'pagehide', 'freeze', 'resume', 'unload'])
      (type === 'freeze' || type === 'resume' ? document : window).addEventListener(
        type, e => console.log(type + (e.persisted ? ' persisted' : '')));
    onload = () => setTimeout(async () => { %s });
    </script>\
    """
        .formatted(script);
  }

  private static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(7)) {
      return scenario
          .resource(
              "/page",
              page("if (!sessionStorage.been) { sessionStorage.been = 1; " + script + " }"))
          .resourceAt("https://two.test/other", BACK)
          .open("/page")
          .run();
    }
  }

  @Test
  void page_left_by_navigation_is_restored_unchanged_on_return() {
    assertEquals(
        List.of(
            "pageshow", "pagehide persisted", "freeze", "other", "resume", "pageshow persisted"),
        logOf("location.href = 'https://two.test/other'"));
  }

  @Test
  void exception_of_a_location_has_the_realm_of_its_window() {
    try (Scenario scenario = new Scenario(7)) {
      assertEquals(
          List.of("location true", "href true", "assign true", "other origin false"),
          scenario
              .resource(
                  "/page",
                  """
                  <iframe></iframe><iframe src=https://two.test/other></iframe><script>
                  const own = frames[0], wrong = 'http://ho%1Dst/';
                  const show = (name, steps) => {
                    try { steps(); } catch (e) { console.log(name, e.constructor === own.DOMException); }
                  };
                  onload = () => {
                    show('location', () => own.location = wrong);
                    show('href', () => own.location.href = wrong);
                    show('assign', () => own.location.assign(wrong));
                    show('other origin', () => frames[1].location = wrong);
                  };
                  </script>\
                  """)
              .resourceAt("https://two.test/other", "")
              .open("/page")
              .run());
    }
  }

  @Test
  void page_with_a_lock_is_not_cached_and_its_lock_is_released() {
    assertEquals(
        List.of("pageshow", "pagehide", "unload", "other", "pageshow"),
        logOf(
            "await new Promise(r => navigator.locks.request('l', () => { r(); return new Promise(() => {}); }));"
                + " location.href = 'https://two.test/other'"));
  }

  @Test
  void page_whose_worker_holds_a_lock_is_not_cached() {
    assertEquals(
        List.of("pageshow", "pagehide", "unload", "other", "pageshow"),
        logOf(
            "const w = new Worker(URL.createObjectURL(new Blob([`navigator.locks.request('l', () => { postMessage(1);"
                + " return new Promise(() => {}); })`]))); await new Promise(r => w.onmessage = r);"
                + " location.href = 'https://two.test/other'"));
  }

  /**
   * Returns the log of a page that is left while a shared worker serves it, and is returned to
   * after another page has made the worker run {@code script}.
   */
  private static List<String> logWithSharedWorker(String script) {
    try (Scenario scenario = new Scenario(7)) {
      return scenario
          .resource(
              "/shared.js",
              """
              const lock = "navigator.locks.request('l', () => new Promise(() => {}))";
              const worker = source => new Worker(URL.createObjectURL(new Blob([source])));
              onconnect = e => e.ports[0].onmessage = m => eval(m.data);
              """)
          .resource(
              "/page",
              page(
                  """
                  if (!sessionStorage.been) {
                    sessionStorage.been = 1;
                    self.shared = new SharedWorker('/shared.js');
                    location.href = 'https://two.test/other';
                  }
                  """))
          .resourceAt(
              "https://two.test/other",
              "<script>onload = () => setTimeout(() => history.back(), 2000)</script>")
          .open("/page")
          .window(
              "setTimeout(() => new SharedWorker('/shared.js').port.postMessage(`%s`), 1000)"
                  .formatted(script))
          .run();
    }
  }

  @Test
  void kept_page_is_evicted_when_its_shared_worker_requests_a_lock() {
    assertEquals(
        List.of("pageshow", "pagehide persisted", "freeze", "resume", "pageshow persisted"),
        logWithSharedWorker("1 + 1"));
    List<String> evicted = List.of("pageshow", "pagehide persisted", "freeze", "pageshow");
    assertEquals(evicted, logWithSharedWorker("eval(lock)"));
    assertEquals(evicted, logWithSharedWorker("navigator.locks.request('l', () => {})"));
  }

  @Test
  void kept_page_is_evicted_when_its_shared_workers_worker_requests_a_lock() {
    List<String> evicted = List.of("pageshow", "pagehide persisted", "freeze", "pageshow");
    assertEquals(evicted, logWithSharedWorker("worker(lock)"));
    assertEquals(
        evicted,
        logWithSharedWorker("worker('(' + worker + ')(`' + lock + '`)')".replace("`", "\\`")));
  }

  @Test
  void shared_worker_of_a_kept_page_alone_ends_when_requesting_a_lock() {
    try (Scenario scenario = new Scenario(7)) {
      scenario
          .resource(
              "/shared.js",
              "setTimeout(() => navigator.locks.request('l', () => new Promise(() => {})), 1000)")
          .resource(
              "/page",
              page(
                  """
                  if (!sessionStorage.been) {
                    sessionStorage.been = 1;
                    self.shared = new SharedWorker('/shared.js');
                    location.href = 'https://two.test/other';
                  }
                  """))
          .resourceAt(
              "https://two.test/other",
              "<script>onload = () => setTimeout(() => history.back(), 3000)</script>")
          .open("/page")
          .window(
              "setTimeout(() => navigator.locks.request('l', () => console.log('free')), 2000)");
      assertEquals(
          List.of("pageshow", "pagehide persisted", "freeze", "free", "pageshow"), scenario.run());
    }
  }

  @Test
  void page_that_released_its_lock_is_cached() {
    assertTrue(
        logOf(
                "await navigator.locks.request('l', () => {}); location.href = 'https://two.test/other'")
            .contains("pageshow persisted"));
  }

  @Test
  void history_states_of_one_document_are_traversed_without_reload() {
    assertEquals(
        List.of("2 https://one.test/b {\"n\":1}", "popstate null https://one.test/window-0.html"),
        Scenario.logOf(
            """
            history.pushState({ n: 1 }, '', '/b');
            console.log(history.length, location.href, JSON.stringify(history.state));
            onpopstate = e => console.log('popstate', e.state, location.href);
            history.back();
            """));
  }

  @Test
  void fragment_navigation_stays_in_the_document() {
    assertEquals(
        List.of("https://one.test/window-0.html > https://one.test/window-0.html#x", "#x"),
        Scenario.logOf(
            """
            onhashchange = e => { console.log(e.oldURL, '>', e.newURL); console.log(location.hash); };
            location.hash = 'x';
            """));
  }

  @Test
  void window_of_another_origin_exposes_only_cross_origin_members() {
    try (Scenario scenario = new Scenario(3)) {
      scenario
          .resourceAt(
              "https://two.test/frame",
              "<script>onmessage = e => parent.postMessage(e.origin, 'https://one.test')</script>")
          .window(
              """
              const frame = document.createElement('iframe');
              frame.src = 'https://two.test/frame';
              frame.onload = () => {
                const w = frame.contentWindow;
                const refused = f => { try { f(); return 'no'; } catch (e) { return e instanceof DOMException && e.name; } };
                console.log(w.parent === window, w.closed, w.length, typeof w.postMessage, frame.contentDocument);
                console.log(refused(() => w.document), refused(() => w.x = 1), refused(() => w.location.href), 'then' in w);
                console.log(Object.getPrototypeOf(w));
                onmessage = e => console.log(e.data, e.origin, e.source === w);
                w.postMessage('', 'https://two.test');
                w.postMessage('', 'https://three.test');
              };
              document.documentElement.append(frame);
              """);
      assertEquals(
          List.of(
              "true false 0 function null",
              "SecurityError SecurityError SecurityError true",
              "null",
              "https://one.test https://two.test true"),
          scenario.run());
    }
  }

  @Test
  void popup_has_an_opener_and_the_opener_can_close_the_popup() {
    try (Scenario scenario = new Scenario(5)) {
      scenario
          .resource(
              "/popup",
              "<script>opener.postMessage(name, '*'); navigator.locks.request('p', () => new Promise(() => {}))</script>")
          .window(
              """
              const w = open('/popup', 'named');
              onmessage = async e => {
                console.log(e.data, e.source === w, w.opener === window, w.closed);
                w.close();
                await navigator.locks.request('p', () => console.log('free'));
                console.log(w.closed);
              };
              """);
      assertEquals(List.of("named true true false", "free", "true"), scenario.run());
    }
  }
}
