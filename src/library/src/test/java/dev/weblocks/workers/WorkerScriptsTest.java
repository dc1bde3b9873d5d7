package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scripts of workers: URLs of all kinds, modules and imports. */
class WorkerScriptsTest {

  private static final int SEEDS = TestSize.seeds(6);

  private interface Setup {
    Scenario in(Scenario scenario);
  }

  /** Expects the same console output under every seed. ImportFailuresTest checks remedies. */
  private static void assertLog(List<String> expected, Setup setup) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<String> log = new ArrayList<>(setup.in(scenario).run());
        log.removeIf(line -> line.endsWith(": serve it as text/javascript"));
        assertEquals(expected, log, "seed " + seed);
      }
    }
  }

  private static ResourceResponse of(String url, String type, String text) {
    return new ResourceResponse(
        url,
        200,
        "OK",
        type.isEmpty() ? List.of() : List.of(Map.entry("Content-Type", type)),
        text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void data_url_worker_is_a_secure_context_with_an_opaque_origin() {
    assertLog(
        List.of("null null data: true undefined SecurityError"),
        scenario ->
            scenario.window(
                """
                const script = `navigator.locks.request('a', () => {}).catch(e => postMessage(
                    [origin, location.origin, location.protocol, isSecureContext, self.foo, e.name]
                    .map(String).join(' ')));`;
                new Worker('data:text/javascript,' + encodeURIComponent(script)).onmessage =
                    e => console.log(e.data);
                """));
  }

  @Test
  void blob_url_revoked_after_the_constructor_call_still_starts_the_worker() {
    assertLog(
        List.of("https://one.test blob: true"),
        scenario ->
            scenario.window(
                """
                const script = `postMessage([origin, location.protocol,
                    location.href.startsWith('blob:' + origin)].join(' '));`;
                const url = URL.createObjectURL(new Blob([script]));
                const worker = new Worker(url);
                URL.revokeObjectURL(url);
                worker.onmessage = e => console.log(e.data);
                worker.onerror = () => console.log('never');
                """));
  }

  @Test
  void worker_from_an_already_revoked_blob_url_fires_an_error_event() {
    assertLog(
        List.of("Event"),
        scenario ->
            scenario.window(
                """
                const url = URL.createObjectURL(new Blob(["console.log('never')"]));
                URL.revokeObjectURL(url);
                new Worker(url).onerror = e => console.log(e.constructor.name);
                """));
  }

  @Test
  void worker_of_a_data_url_can_load_only_blob_and_data_urls() {
    assertLog(
        List.of("SecurityError", "inner of a blob", "inner of data"),
        scenario ->
            scenario
                .resource("/w.js", "console.log('never');")
                .window(
                    """
                    function script(url) {
                      try { new Worker(url); } catch (e) { postMessage(e.name); }
                      const blob = new Blob(["postMessage('inner of a blob')"]);
                      new Worker(URL.createObjectURL(blob)).onmessage = e => {
                        postMessage(e.data);
                        new Worker("data:text/javascript,postMessage('inner of data')").onmessage =
                            e => postMessage(e.data);
                      };
                    }
                    const text = `(${script})('${location.origin}/w.js')`;
                    new Worker('data:text/javascript,' + encodeURIComponent(text)).onmessage =
                        e => console.log(e.data);
                    """));
  }

  @Test
  void script_from_the_network_must_have_a_javascript_mime_type() {
    assertLog(
        List.of(
            "error text/html,error ,runs text/javascript; charset=x,runs application/ecmascript"),
        scenario -> {
          List<String> types =
              List.of("text/html", "", "text/javascript; charset=x", "application/ecmascript");
          for (int i = 0; i < types.size(); i++) {
            String url = Scenario.ORIGIN + "/" + i;
            scenario.response(url, of(url, types.get(i), "postMessage('')"));
          }
          return scenario.window(
              """
              const types = ['text/html', '', 'text/javascript; charset=x', 'application/ecmascript'];
              Promise.all(types.map((type, i) => new Promise(resolve => {
                const worker = new Worker('/' + i);
                worker.onmessage = () => resolve('runs ' + type);
                worker.onerror = () => resolve('error ' + type);
              }))).then(all => console.log(all.join()));
              """);
        });
  }

  @Test
  void script_redirected_to_another_origin_is_an_error() {
    assertLog(
        List.of("Event"),
        scenario ->
            scenario
                .response(
                    Scenario.ORIGIN + "/w.js",
                    of("https://two.test/w.js", "text/javascript", "console.log('never')"))
                .window("new Worker('/w.js').onerror = e => console.log(e.constructor.name);"));
  }

  @Test
  void imported_scripts_must_have_a_javascript_mime_type() {
    assertLog(
        List.of("NetworkError NetworkError NetworkError one two"),
        scenario ->
            scenario
                .response(
                    Scenario.ORIGIN + "/plain",
                    of(Scenario.ORIGIN + "/plain", "text/plain", "self.never = true"))
                .resource(
                    "/w.js",
                    """
                    const tried = [];
                    const blob = type => URL.createObjectURL(new Blob(["tried.push('two')"], {type}));
                    for (const url of ['/plain', 'data:,1', blob(''),
                        "data:text/javascript,tried.push('one')", blob('text/javascript')]) {
                      try { importScripts(url); } catch (e) { tried.push(e.name); }
                    }
                    postMessage(tried.join(' '));
                    """)
                .window("new Worker('/w.js').onmessage = e => console.log(e.data);"));
  }

  @Test
  void script_of_another_origin_runs_but_its_errors_are_muted() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resourceAt(
                    "https://two.test/throws.js", "var there = 1; throw new Error('secret');")
                .resourceAt("https://two.test/bad.js", "this is secret;")
                .resourceAt(
                    "https://two.test/later.js",
                    "setTimeout(() => { throw new TypeError('secret'); });")
                .resource(
                    "/w.js",
                    """
                    for (const script of ['throws', 'bad', 'later']) {
                      try {
                        importScripts(`https://two.test/${script}.js`);
                        console.log(script, 'has run');
                      } catch (e) {
                        console.log(script, e.name, e instanceof DOMException, typeof there,
                            e.message.includes('secret'));
                      }
                    }
                    onerror = (...all) => { console.log(JSON.stringify(all)); };
                    """)
                .window(
                    """
                    new Worker('/w.js').onerror =
                        e => console.log(`'${e.message}' '${e.filename}'`, e.lineno, e.colno, e.error);
                    """)
                .runForErrors();
        assertEquals(
            List.of(
                "throws NetworkError true number false",
                "bad NetworkError true number false",
                "later has run",
                "[\"Script error.\",\"\",0,0,null]",
                "'Script error.' '' 0 0 null"),
            scenario.log());
        assertEquals(
            List.of("Script error."), errors.stream().map(UncaughtError::message).toList());
      }
    }
  }

  @Test
  void module_worker_is_strict_and_can_import_but_cannot_call_import_scripts() {
    assertLog(
        List.of("imported undefined TypeError https://one.test/lib/w.js module name"),
        scenario ->
            scenario
                .resource("/lib/dep.js", "export const value = 'imported';")
                .resource(
                    "/lib/w.js",
                    """
                    import {value} from './dep.js';
                    let refused;
                    try { importScripts('/lib/dep.js'); } catch (e) { refused = e.name; }
                    postMessage([value, String(this), refused, import.meta.url, name].join(' '));
                    """)
                .window(
                    """
                    new Worker('/lib/w.js', {type: 'module', name: 'module name'}).onmessage =
                        e => console.log(e.data);
                    """));
  }

  @Test
  void messages_wait_for_a_module_and_its_dependencies() {
    assertLog(
        List.of("dependency", "module", "1", "2"),
        scenario ->
            scenario
                .resource("/dep.js", "console.log('dependency');")
                .resource(
                    "/w.js",
                    "import './dep.js'; onmessage = e => console.log(e.data); console.log('module');")
                .window(
                    """
                    const worker = new Worker('/w.js', {type: 'module'});
                    worker.postMessage(1);
                    worker.postMessage(2);
                    """));
  }

  @Test
  void messages_arrive_during_a_top_level_await() {
    assertLog(
        List.of("got message"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    """
                    const message = await new Promise(resolve => { onmessage = resolve; });
                    console.log('got ' + message.data);
                    """)
                .window("new Worker('/w.js', {type: 'module'}).postMessage('message');"));
  }

  @Test
  void module_that_cannot_start_fires_only_an_error_event_at_the_worker() {
    String page =
        """
        new %s('%s', {type: 'module'}).onerror =
            e => console.log(e.constructor.name, e.type, e.bubbles, e.cancelable);
        onerror = () => console.log('never');
        """;
    for (String kind : List.of("Worker", "SharedWorker")) {
      for (String script : List.of("/bad.js", "/missing-dep.js", "/bad-dep.js", "/missing.js")) {
        try (Scenario scenario = new Scenario(1)) {
          scenario
              .resource("/bad.js", "this is no script;")
              .resource("/missing-dep.js", "import '/missing.js'; console.log('never');")
              .resource("/bad-dep.js", "import '/bad.js'; console.log('never');")
              .window(page.formatted(kind, script));
          List<String> events =
              scenario.run().stream().filter(line -> !line.startsWith("worker ")).toList();
          assertEquals(List.of("Event error false false"), events, kind + " " + script);
        }
      }
    }
  }

  @Test
  void module_that_throws_is_reported_like_a_classic_script() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resource(
                    "/w.js", "onmessage = () => postMessage('here'); throw new Error('mine');")
                .window(
                    """
                    const worker = new Worker('/w.js', {type: 'module'});
                    worker.onerror = e => console.log(e.constructor.name, e.message);
                    worker.onmessage = e => console.log(e.data);
                    worker.postMessage('');
                    """)
                .runForErrors();
        assertEquals(List.of("ErrorEvent Uncaught Error: mine", "here"), scenario.log());
        assertEquals(1, errors.size(), errors::toString);
      }
    }
  }

  @Test
  void shared_module_worker_refuses_pages_with_another_type_or_credentials() {
    assertLog(
        List.of("page 1", "page 2", "type", "credentials", "page 3"),
        scenario ->
            scenario
                .resource("/zero.js", "export let pages = 0; export const next = () => ++pages;")
                .resource(
                    "/w.js",
                    """
                    import {next} from './zero.js';
                    onconnect = e => e.source.postMessage('page ' + next());
                    """)
                .window(
                    """
                    const ask = options => new Promise((resolve, reject) => {
                      const worker = new SharedWorker('/w.js', options);
                      worker.port.onmessage = e => resolve(console.log(e.data));
                      worker.onerror = e => reject(e.constructor);
                    });
                    const refused = (what, options) => ask(options)
                        .catch(constructor => constructor === Event && console.log(what));
                    (async () => {
                      await ask({type: 'module'});
                      await ask({type: 'module', credentials: 'same-origin'});
                      await refused('type', '');
                      await refused('credentials', {type: 'module', credentials: 'omit'});
                      await ask({type: 'module'});
                    })();
                    """));
  }

  @Test
  void unknown_worker_type_throws_a_type_error() {
    String message =
        Scenario.logOf(
                "try { new Worker('/w.js', {type: 'x'}); } catch (e) { console.log(`${e}`); }")
            .get(0);
    assertTrue(message.startsWith("TypeError") && message.contains("type"), message);
  }
}
