package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The session history that a top-level window shares with its frames; reloads. */
class SessionHistoryTest {

  private static final String REPORT =
      "<script>onload = () => setTimeout(() => top.postMessage(location.pathname, '*'))</script>";

  /** Runs a script with a frame that shows {@code /1}, after the frame has loaded. */
  private static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario
          .resource("/1", REPORT)
          .resource("/2", REPORT)
          .resource("/3", REPORT)
          .resourceAt("https://two.test/other", REPORT)
          .window(
              """
              const waiting = [];
              onmessage = e => waiting.shift()?.(e.data);
              const shown = () => new Promise(r => waiting.push(r));
              const rest = () => new Promise(r => setTimeout(r, 1000));
              const add = src => {
                const frame = document.createElement('iframe');
                frame.src = src;
                document.documentElement.append(frame);
                return frame;
              };
              onload = () => setTimeout(async () => {
                const loaded = shown();
                const frame = add('/1');
                await loaded;
                const say = (...all) => console.log(...all, history.length);
                %s
              });
              """
                  .formatted(script))
          .run();
    }
  }

  @Test
  void frame_navigations_are_steps_that_top_and_frame_traverse() {
    assertEquals(
        List.of("start 1", "/2 2", "/3 3", "/2 3", "/1 3", "/3 3", "/2 2"),
        logOf(
            """
            say('start');
            frame.contentWindow.location = '/2';
            say(await shown());
            frame.contentWindow.location = '/3';
            say(await shown());
            history.back();
            say(await shown());
            frame.contentWindow.history.back();
            say(await shown());
            history.go(2);
            say(await shown());
            history.go(-2);
            await shown();
            frame.src = '/2';
            say(await shown());
            """));
  }

  @Test
  void frame_of_another_origin_takes_part_in_the_history() {
    assertEquals(
        List.of("/other 2", "/1 2", "/other 2"),
        logOf(
            """
            frame.src = 'https://two.test/other';
            say(await shown());
            history.back();
            say(await shown());
            history.forward();
            say(await shown());
            """));
  }

  @Test
  void replacing_navigations_and_the_same_url_add_no_step() {
    assertEquals(
        List.of("/2 1", "/2 1", "/3 1"),
        logOf(
            """
            frame.contentWindow.location.replace('/2');
            say(await shown());
            frame.contentWindow.location = '/2';
            say(await shown());
            document.documentElement.append(frame);
            await shown();
            frame.src = 'https://two.test/other';
            frame.contentWindow.location.replace('/3');
            say(await shown());
            """));
  }

  @Test
  void states_and_fragments_of_frames_are_steps_with_events() {
    assertEquals(
        List.of(
            "pushed 2",
            "hash 3",
            "hashchange #x",
            "popstate {\"n\":1} /state",
            "hashchange ",
            "popstate null /1",
            "back 3"),
        logOf(
            """
            const w = frame.contentWindow;
            w.history.pushState({ n: 1 }, '', '/state');
            say('pushed');
            w.onhashchange = () => console.log('hashchange', w.location.hash);
            w.onpopstate = e => console.log('popstate', JSON.stringify(e.state), w.location.pathname);
            w.location.hash = 'x';
            say('hash');
            await rest();
            history.back();
            await rest();
            w.history.back();
            await rest();
            say('back');
            """));
  }

  @Test
  void new_step_clears_the_forward_history_of_all_frames() {
    assertEquals(
        List.of("/2 2", "two 2", "after 2 /1"),
        logOf(
                """
                frame.contentWindow.location = '/2';
                say(await shown());
                history.back();
                await shown();
                history.pushState('top', '');
                say('two');
                history.forward();
                await rest();
                say('after', history.length, frame.contentWindow.location.pathname);
                """)
            .stream()
            .map(line -> line.startsWith("after") ? line.substring(0, line.length() - 2) : line)
            .toList());
  }

  @Test
  void steps_of_top_and_frames_alternate() {
    assertEquals(
        List.of("length 4", "b /2", "a /2", "a /1", "null /1", "b /2"),
        logOf(
            """
            history.pushState('a', '');
            frame.contentWindow.location = '/2';
            await shown();
            history.pushState('b', '');
            say('length');
            const now = () => console.log(history.state, frame.contentWindow.location.pathname);
            now();
            for (let i = 0; i < 3; i++) {
              history.back();
              await rest();
              now();
            }
            history.go(3);
            await rest();
            now();
            """));
  }

  @Test
  void removed_frame_takes_its_steps_with_it() {
    assertEquals(
        List.of("before 3", "after 1", "again 2"),
        logOf(
            """
            frame.contentWindow.location = '/2';
            await shown();
            frame.contentWindow.location = '/3';
            await shown();
            say('before');
            frame.remove();
            say('after');
            const again = add('/1');
            await shown();
            again.contentWindow.location = '/2';
            await shown();
            say('again');
            """));
  }

  @Test
  void frame_shows_its_entry_again_when_its_page_is_loaded_again() {
    String page =
        """
        <iframe src=/first name=f></iframe>
        <script>
        navigator.locks.request('not kept', () => new Promise(() => {}));
        let loads = 0;
        const go = sessionStorage.n = +(sessionStorage.n ?? 0) + 1;
        document.querySelector('iframe').onload = e => setTimeout(() => {
          const path = frames.f.location.pathname;
          console.log(go, path, history.length);
          if (go === 1 && path === '/first') frames.f.location = '/second';
          else if (go === 1) location = 'https://two.test/away';
          else if (path === '/second') history.back();
        });
        </script>\
        """;
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/page", page)
          .resource("/first", "")
          .resource("/second", "")
          .resourceAt(
              "https://two.test/away",
              "<script>onload = () => setTimeout(() => history.back())</script>")
          .open("/page");
      assertEquals(
          List.of("1 /first 1", "1 /second 2", "2 /second 3", "2 /first 3"), scenario.run());
    }
  }

  @Test
  void frames_of_a_kept_page_are_not_frames_of_the_next_one() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/2", "<script>console.log(length, self[0] === undefined); history.back()</script>")
          .window(
              """
              document.documentElement.append(document.createElement('iframe'));
              onpageshow = e => e.persisted
                  ? console.log('kept', length) : setTimeout(() => { location = '/2'; });
              """);
      assertEquals(List.of("0 true", "kept 1"), scenario.run());
    }
  }

  @Test
  void timers_of_a_kept_page_and_its_worker_do_not_count_meanwhile() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/worker.js",
              "const began = Date.now(); setTimeout(() => postMessage('worker'), 9000)")
          .resource(
              "/2", "<script>onload = () => setTimeout(() => history.back(), 60_000)</script>")
          .window(
              """
              let left;
              let away = 0;
              const spent = began => Math.round((Date.now() - began - away) / 1000);
              const start = Date.now();
              const say = what => console.log(what, spent(start), away > 59_000);
              setTimeout(say, 10_000, 'timeout');
              const repeated = setInterval(() => { say('interval'); }, 8_000);
              setTimeout(clearInterval, 17_000, repeated);
              AbortSignal.timeout(12_000).onabort = () => say('signal');
              new Worker('/worker.js').onmessage = e => say(e.data);
              onpagehide = () => { left = Date.now(); };
              onpageshow = e => {
                if (e.persisted) {
                  away = Date.now() - left;
                  setTimeout(say, 500, 'of pageshow');
                }
                else setTimeout(() => { location = '/2'; }, 2_000);
              };
              """);
      assertEquals(
          List.of(
              "of pageshow 3 true",
              "interval 8 true",
              "worker 9 true",
              "timeout 10 true",
              "signal 12 true",
              "interval 16 true"),
          scenario.run());
    }
  }

  @Test
  void kept_page_gets_popstate_if_another_entry_of_it_is_restored() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/2", "<script>onload = () => setTimeout(() => history.go(-2))</script>")
          .window(
              """
              onpopstate = e => console.log('popstate', e.state, location.pathname);
              onpageshow = e => e.persisted ? console.log('kept') : setTimeout(() => {
                history.pushState('pushed', '', '/pushed');
                location = '/2';
              });
              """);
      assertEquals(List.of("kept", "popstate null /window-0.html"), scenario.run());
    }
  }

  @Test
  void second_traversal_begins_at_the_step_of_the_first_in_flight() {
    String page =
        """
        <script>
        navigator.locks.request('not kept' + Math.random(), () => new Promise(() => {}));
        onload = () => setTimeout(() => {
          const n = sessionStorage.n = +(sessionStorage.n ?? 0) + 1;
          console.log(location.pathname);
          if (n < 3) location = '/' + (n + 1);
          if (n === 3) {
            history.back();
            history.back();
          }
        });
        </script>\
        """;
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/1", page).resource("/2", page).resource("/3", page).open("/1");
      assertEquals(List.of("/1", "/2", "/3", "/1"), scenario.run());
    }
  }

  @Test
  void reload_keeps_the_entry_and_its_state() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/page",
              """
              <script>
              console.log(history.state, history.length, location.hash);
              onpopstate = e => console.log('popstate', e.state);
              onload = () => setTimeout(() => {
                if (sessionStorage.n > 0) return;
                sessionStorage.n = 1;
                history.pushState('one', '');
                history.pushState('two', '', '#x');
                history.back();
                setTimeout(() => location.reload(), 100);
              });
              </script>\
              """)
          .open("/page");
      assertEquals(List.of("null 1 ", "popstate one", "one 3 "), scenario.run());
    }
  }

  @Test
  void entries_of_a_reloaded_document_stay_entries_of_one_document() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/page",
              """
              <script>
              console.log('loaded', history.state);
              onpopstate = e => console.log('popstate', e.state);
              onload = () => setTimeout(() => {
                if (sessionStorage.n > 0) return history.back();
                sessionStorage.n = 1;
                history.pushState('one', '');
                location.reload();
              });
              </script>\
              """)
          .open("/page");
      assertEquals(List.of("loaded null", "loaded one", "popstate null"), scenario.run());
    }
  }

  @Test
  void frame_reloads_its_url_or_its_srcdoc_in_place() {
    assertEquals(
        List.of("/2 2", "/2 2", "about:srcdoc text 2", "about:srcdoc text undefined 2"),
        logOf(
            """
            frame.contentWindow.location = '/2';
            say(await shown());
            frame.contentWindow.location.reload();
            say(await shown());
            const other = document.createElement('iframe');
            other.srcdoc = 'text';
            document.documentElement.append(other);
            const load = () => new Promise(r => other.onload = r);
            await load();
            const w = () => other.contentWindow;
            w().expando = 1;
            say(w().document.URL, w().document.body.textContent);
            w().history.go(0);
            await load();
            say(w().document.URL, w().document.body.textContent, w().expando);
            """));
  }
}
