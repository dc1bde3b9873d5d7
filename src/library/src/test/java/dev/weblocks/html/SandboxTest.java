package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The sandboxing flags on each way from a document of a frame to a new document, or to another one.
 */
class SandboxTest {

  /** The columns of the table: the attribute of the frame, in addition to {@code allow-scripts}. */
  private static final List<String> COLUMNS =
      List.of(
          "",
          "allow-popups",
          "allow-popups allow-popups-to-escape-sandbox",
          "allow-top-navigation",
          "allow-popups allow-same-origin",
          "no attribute");

  /** Members of all documents. */
  private static final String COMMON =
      """
      const column = new URLSearchParams(location.search).get('column');
      const say = text => console.log(column + '|' + text);
      const path = (path, more = '') => `https://one.test/${path}?column=${column}${more}`;
      const to = path('to');
      const running = script => path('run', '&script=' + encodeURIComponent(script));
      const said = {};
      const heard = what => new Promise(resolve => { said[what] = resolve; });
      onmessage = e => said[e.data]?.(e.source);
      const attempt = async steps => {
        try {
          await steps();
        } catch (e) {
          say(e.name);
        }
      };
      const frame = attributes => {
        const made = document.createElement('iframe');
        Object.assign(made, attributes);
        document.body.append(made);
        return made;
      };
      """;

  private static final String TOP =
      """
      (async () => {
        name = 'top';
        frame({ name: 'sibling', src: path('ready') });
        await heard('ready');
        const popup = open(path('ready'));
        await heard('ready');
        said.introduce = () => popup.postMessage('introduce', '*');
        history.pushState(null, '', '#pushed');
        onpopstate = () => say('popstate of top');
        const box = { src: path('box') };
        if ('%1$s' !== 'no attribute') {
          box.sandbox = 'allow-scripts %1$s';
        }
        frame(box);
      })();
      """;

  private static final String READY =
      """
      (opener ?? parent).postMessage('ready', '*');
      said.introduce = () => opener.frames[1].postMessage('introduced', '*');
      """;

  private static final String RUN =
      """
      attempt(async () => {
        const code = new URLSearchParams(location.search).get('script');
        await Object.getPrototypeOf(async () => {}).constructor(code)();
      });
      """;

  private static final String LANDED =
      """
      const where = self !== top ? 'frame' : name === 'top' ? 'top' : 'popup';
      say(where + (origin === 'null' ? ' opaque' : ' own'));
      """;

  private static ResourceResponse answer(ResourceRequest request, String way) {
    String script =
        switch (request.url().replaceAll("^https://one.test/|[?].*$", "")) {
          case "top" -> {
            String column = request.url().replaceAll(".*column=([0-9]+).*", "$1");
            yield TOP.formatted(COLUMNS.get(Integer.parseInt(column)));
          }
          case "box" -> "attempt(async () => { %s });".formatted(way);
          case "ready" -> READY;
          case "run" -> RUN;
          default -> LANDED;
        };
    return ResourceResponse.of(
        request.url(), "text/html", "<body><script>" + COMMON + script + "</script>");
  }

  private static List<String> cells(String way) {
    List<List<String>> cells = new ArrayList<>();
    COLUMNS.forEach(column -> cells.add(new ArrayList<>()));
    try (Scenario scenario = new Scenario(1)) {
      scenario.server(request -> Optional.of(answer(request, way)));
      for (int i = 0; i < COLUMNS.size(); i++) {
        scenario.windowAtUrl("https://one.test/top?column=" + i);
      }
      scenario.runFor(10_000);
      for (String line : scenario.log()) {
        String[] parts = line.split("\\|", 2);
        cells.get(Integer.parseInt(parts[0])).add(parts[1]);
      }
      assertEquals(List.of(), scenario.errors());
    }
    return cells.stream().map(cell -> cell.isEmpty() ? "-" : String.join(", ", cell)).toList();
  }

  /**
   * Returns a row of the table.
   *
   * @param cells what each column logs, separated by |; S for a SecurityError, - for nothing
   */
  private static Arguments way(String to, String script, String cells) {
    return Arguments.of(to, script, cells);
  }

  private static Stream<Arguments> ways() {
    String worker =
        "new Worker(URL.createObjectURL(new Blob(['postMessage(origin)'])))"
            + ".onmessage = e => say(e.data);";
    return Stream.of(
        way(
            "a new window",
            "if (!open(to)) say('null');",
            "null|popup opaque|popup own|null|popup own|popup own"),
        way(
            "a new window without an opener",
            "open(to, '', 'noopener');",
            "-|popup opaque|popup own|-|popup own|popup own"),
        way(
            "the initial document of a new window",
            "const w = open('about:blank'); say(w ? w.document.URL : 'null');",
            "null|S|about:blank|null|about:blank|about:blank"),
        way(
            "a script in a new window",
            "self.hear = () => say('runs'); open('javascript:opener.hear()');",
            "-|-|runs|-|runs|runs"),
        way(
            "the top-level window by keyword",
            "if (!open(to, '_top')) say('null');",
            "null|null|null|top own|null|top own"),
        way(
            "a parent below the top by keyword",
            "frame({ src: running(`if (!open(to, '_parent')) say('null')`) });",
            "null|null|null|null|null|frame own"),
        way(
            "a parent below the top by location",
            "frame({ src: running(`parent.location = to`) });",
            "S|S|S|S|S|frame own"),
        way(
            "a sibling by name, or else a new window",
            "if (!open(to, 'sibling')) say('null');",
            "null|popup opaque|popup own|null|popup own|frame own"),
        way(
            "a sibling by name, by its parent's open()",
            "parent.open(to, 'sibling');",
            "S|S|S|S|popup own|frame own"),
        way("a sibling by location", "parent.frames[0].location = to;", "S|S|S|S|S|frame own"),
        way(
            "a fragment of a sibling",
            "parent.frames[0].location = path('ready') + '#fragment'; say('set');",
            "S|S|S|S|S|set"),
        way(
            "a script in a sibling",
            "parent.frames[0].location = 'javascript:say(`runs`)';",
            "S|S|S|S|S|runs"),
        way("the top-level window by location", "top.location = to;", "S|S|S|top own|S|top own"),
        way(
            "another document's popup by location",
            "top.postMessage('introduce', '*'); (await heard('introduced')).location = to;",
            "S|S|S|S|S|popup own"),
        way(
            "the end of another document's popup",
            "top.postMessage('introduce', '*'); const w = await heard('introduced'); w.close(); say(w.closed);",
            "false|false|false|false|false|true"),
        way(
            "itself by location",
            "location = to;",
            "frame opaque|frame opaque|frame opaque|frame opaque|frame own|frame own"),
        way(
            "a frame of its own by name",
            "frame({ name: 'inner' }); open(to, 'inner');",
            "frame opaque|frame opaque|frame opaque|frame opaque|frame own|frame own"),
        way(
            "its own popup by location",
            "const w = open(path('ready')); if (!w) { say('null'); return; } await heard('ready'); w.location = to;",
            "null|popup opaque|popup own|null|popup own|popup own"),
        way(
            "history of the top-level window",
            "history.back();",
            "-|-|-|popstate of top|-|popstate of top"),
        way(
            "its own history",
            "onpopstate = () => say('popstate'); history.pushState(1, ''); history.back();",
            "popstate|popstate|popstate|popstate|popstate|popstate"),
        way(
            "a window that its popup opens",
            "open(running(`if (!open(to)) say('null')`));",
            "-|popup opaque|popup own|-|popup own|popup own"),
        way(
            "a frame in its popup",
            "open(running(`frame({ src: to })`));",
            "-|frame opaque|frame own|-|frame own|frame own"),
        way(
            "a worker of its popup",
            "open(running(`" + worker + "`));",
            "-|null|https://one.test|-|https://one.test|https://one.test"),
        way(
            "the opener of its popup",
            "open(running(`opener.location = to`));",
            "-|S|frame opaque|-|S|frame own"),
        way("a worker", worker, "null|null|null|null|https://one.test|https://one.test"),
        way(
            "a click on a link, which does nothing",
            "const a = document.createElement('a'); a.href = to; a.target = '_top'; document.body.append(a); a.click();",
            "-|-|-|-|-|-"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void flags_decide_where_each_way_leads(String to, String script, String cells) {
    assertEquals(cells, String.join("|", cells(script)).replace("SecurityError", "S"));
  }

  @Test
  void result_of_a_javascript_url_keeps_the_opaque_origin() {
    assertEquals(
        "-|-|same origin|-|-|-",
        String.join(
            "|",
            cells(
                """
                if (column !== '2') return;
                open('about:blank').eval(`
                  setTimeout(() => {
                    try {
                      opener.document.getElementById('result');
                      console.log('2|same origin');
                    } catch (e) {
                      console.log('2|' + e.name);
                    }
                  }, 1000)`);
                location = 'javascript:`<p id=result>`';
                """)));
  }

  @Test
  void flags_are_those_of_the_time_when_the_navigation_began() {
    assertEquals(
        List.of("null", "https://one.test"),
        logOf(
            """
            const box = (before, after) => {
              const made = document.createElement('iframe');
              made.src = '/origin';
              before(made);
              document.documentElement.append(made);
              after(made);
              return new Promise(resolve => { made.onload = resolve; });
            };
            (async () => {
              await box(made => { made.sandbox = 'allow-scripts'; }, made => made.removeAttribute('sandbox'));
              await box(made => {}, made => { made.sandbox = 'allow-scripts'; });
            })();
            """));
  }

  @Test
  void initial_document_of_a_frame_without_allow_scripts_runs_none() {
    assertEquals(
        List.of("over"),
        logOf(
            """
            const made = document.createElement('iframe');
            made.sandbox = 'allow-same-origin';
            document.documentElement.append(made);
            const script = made.contentDocument.createElement('script');
            script.textContent = 'parent.console.log(`runs`)';
            made.contentDocument.documentElement.append(script);
            console.log('over');
            """));
  }

  @Test
  void service_worker_handles_no_navigation_of_a_sandboxed_frame() {
    assertEquals(
        List.of("served by the worker", "null"),
        logOf(
            """
            const box = sandbox => {
              const made = document.createElement('iframe');
              made.src = '/origin';
              made.sandbox = sandbox;
              document.documentElement.append(made);
              return new Promise(resolve => { made.onload = resolve; });
            };
            (async () => {
              const registration = await navigator.serviceWorker.register('/sw.js');
              const { installing } = registration;
              await new Promise(resolve => {
                installing.onstatechange = () => installing.state === 'activated' && resolve();
              });
              await box('allow-scripts allow-same-origin');
              await box('allow-scripts');
            })();
            """));
  }

  private static List<String> logOf(String script) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario
          .resource("/origin", "<script>console.log(origin)</script>")
          .resource(
              "/sw.js",
              """
              onfetch = e => e.respondWith(
                new Response('<script>console.log("served by the worker")</script>',
                  { headers: { 'content-type': 'text/html' } }));
              """)
          .window(script)
          .run();
    }
  }
}
