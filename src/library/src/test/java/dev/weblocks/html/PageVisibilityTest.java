package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The visibility of documents, and the order of its events among those of the page's life. */
class PageVisibilityTest {

  /** Logs the events of a window, each with the visibility state; {@code name} is a prefix. */
  private static final String EVENTS =
      """
      const log = e => console.log(
        self === top ? '' : 'frame', e.type, e.persisted ?? '', document.visibilityState);
      for (const type of ['visibilitychange', 'freeze', 'resume'])
        document.addEventListener(type, log);
      for (const type of ['pageshow', 'pagehide', 'unload']) addEventListener(type, log);
      """;

  private static String page(String script) {
    return "<body><script>" + EVENTS + script + "</script>";
  }

  private static void assertLog(Scenario scenario, String... lines) {
    assertEquals(
        List.of(lines),
        scenario.run().stream().map(line -> line.strip().replaceAll(" +", " ")).toList());
  }

  @Test
  void window_is_visible_until_its_embedder_hides_it() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          const show = e => console.log(document.visibilityState, document.hidden,
            ...(e ? [e.type, e.target === document, e.bubbles, e.cancelable, e.isTrusted] : []));
          show();
          document.onvisibilitychange = show;
          onvisibilitychange = show;
          addEventListener('visibilitychange', e => console.log('window'));
          """);
      assertLog(scenario, "visible false");
      scenario.at(0).setVisible(true);
      scenario.at(0).setVisible(false);
      scenario.at(0).setVisible(true);
      assertLog(
          scenario,
          "visible false",
          "hidden true visibilitychange true true false true",
          "window",
          "visible false visibilitychange true true false true",
          "window");
    }
  }

  @Test
  void frames_of_all_origins_have_the_visibility_of_their_window() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/frame", page(""))
          .resourceAt("https://two.test/frame", page(""))
          .resource("/", page("document.body.innerHTML = '<iframe src=/frame></iframe>'"))
          .open("/");
      scenario.resource(
          "/other",
          page("document.body.innerHTML = '<iframe src=https://two.test/frame></iframe>'"));
      scenario.open("/other");
      scenario.run();
      int before = scenario.log().size();
      scenario.at(0).setVisible(false);
      scenario.at(1).setVisible(false);
      List<String> changes = scenario.run().subList(before, before + 4).stream().sorted().toList();
      assertEquals(
          List.of(
              " visibilitychange  hidden",
              " visibilitychange  hidden",
              "frame visibilitychange  hidden",
              "frame visibilitychange  hidden"),
          changes);
    }
  }

  @Test
  void documents_of_a_hidden_window_begin_hidden() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/next", page("console.log(document.visibilityState)"))
          .resource("/", page("setTimeout(() => { location = '/next' }, 1000)"))
          .open("/");
      scenario.at(0).setVisible(false);
      scenario.runFor(500);
      scenario.run();
      assertLog(
          scenario,
          "pageshow false hidden",
          "pagehide true hidden",
          "freeze hidden",
          "hidden",
          "pageshow false hidden");
    }
  }

  @Test
  void page_left_for_good_is_hidden_between_pagehide_and_unload() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/next", "")
          .resource(
              "/",
              page(
                  """
                  navigator.locks.request('l', () => new Promise(() => {}));
                  onload = () => setTimeout(() => { location = '/next' });
                  """))
          .open("/");
      assertLog(
          scenario,
          "pageshow false visible",
          "pagehide false visible",
          "visibilitychange hidden",
          "unload hidden");
    }
  }

  @Test
  void kept_page_with_frame_is_hidden_until_it_is_shown_again() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/next", "<script>onload = () => setTimeout(() => history.back())</script>")
          .resource("/frame", page(""))
          .resource(
              "/",
              page(
                  """
                  document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame' }));
                  onload = () => setTimeout(() => { location = '/next' });
                  """))
          .open("/");
      assertLog(
          scenario,
          "frame pageshow false visible",
          "pageshow false visible",
          "pagehide true visible",
          "visibilitychange hidden",
          "frame pagehide true visible",
          "frame visibilitychange hidden",
          "freeze hidden",
          "frame freeze hidden",
          "resume hidden",
          "frame resume hidden",
          "visibilitychange visible",
          "pageshow true visible",
          "frame visibilitychange visible");
    }
  }

  @Test
  void frozen_window_is_hidden_and_resumes_with_the_state_of_its_embedder() {
    for (boolean hides : new boolean[] {false, true}) {
      try (Scenario scenario = new Scenario(1)) {
        scenario
            .resource("/frame", page(""))
            .resource("/", page("document.body.innerHTML = '<iframe src=/frame></iframe>'"))
            .open("/");
        scenario.run();
        int before = scenario.log().size();
        scenario.at(0).freeze();
        scenario.run();
        if (hides) {
          scenario.at(0).setVisible(false);
        }
        scenario.at(0).resume();
        List<String> log = scenario.run();
        assertEquals(
            List.of(
                " visibilitychange  hidden",
                "frame visibilitychange  hidden",
                " freeze  hidden",
                "frame freeze  hidden",
                " resume  hidden",
                "frame resume  hidden"),
            log.subList(before, before + 6));
        assertEquals(
            hides
                ? List.of()
                : List.of(" visibilitychange  visible", "frame visibilitychange  visible"),
            log.subList(before + 6, log.size()));
      }
    }
  }

  @Test
  void page_that_refuses_to_be_kept_stays_hidden() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/next", "")
          .resource(
              "/",
              page(
                  """
                  document.onfreeze = () => navigator.locks.request('l', () => {});
                  onload = () => setTimeout(() => { location = '/next' });
                  """))
          .open("/");
      assertLog(
          scenario,
          "pageshow false visible",
          "pagehide true visible",
          "visibilitychange hidden",
          "freeze hidden",
          "resume hidden",
          "unload hidden");
    }
  }

  @Test
  void animation_frames_of_a_hidden_window_wait_until_it_is_visible() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          const frame = () => console.log('frame', document.visibilityState);
          requestAnimationFrame(frame);
          document.onvisibilitychange = () => {
            console.log(document.visibilityState);
            requestAnimationFrame(frame);
          };
          """);
      scenario.at(0).setVisible(false);
      scenario.runFor(1_000);
      scenario.run();
      scenario.at(0).setVisible(true);
      assertLog(scenario, "visible", "frame visible", "frame visible");
    }
  }

  @Test
  void documents_without_a_window_are_hidden_and_nothing_has_focus() {
    assertEquals(
        List.of("hidden true false", "visible false false", "hidden true false"),
        Scenario.logOf(
            """
            const show = d => console.log(d.visibilityState, d.hidden, d.hasFocus());
            onload = () => {
              show(document.implementation.createHTMLDocument());
              const frame = document.body.appendChild(document.createElement('iframe'));
              const initial = frame.contentDocument;
              show(initial);
              frame.onload = () => show(initial);
              frame.srcdoc = '';
            };
            """));
  }

  @Test
  void client_of_a_service_worker_shows_the_visibility_of_its_window() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/sw.js",
              "onmessage = async e => console.log((await clients.get(e.source.id)).visibilityState, e.source.visibilityState)")
          .window(
              """
              const sw = navigator.serviceWorker;
              document.onvisibilitychange = async () =>
                (await sw.ready).active.postMessage('');
              sw.register('/sw.js');
              """);
      scenario.run();
      scenario.at(0).setVisible(false);
      scenario.run();
      scenario.at(0).setVisible(true);
      assertLog(scenario, "hidden hidden", "visible visible");
    }
  }
}
