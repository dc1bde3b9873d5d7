package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code import()} in classic scripts and in modules, and agents that end while they import. */
class ImportTest {

  /** The engine loads a data URL itself if the specifier is not a literal. */
  @Test
  void module_of_a_computed_data_url_may_read_import_meta() {
    assertEquals(
        List.of("string"),
        Scenario.logOf(
            """
            const url = 'data:text/javascript,' + 'export%20default%20typeof%20import.meta.url';
            import(url).then(m => console.log(m.default), e => console.log(e.message));
            """));
  }

  @Test
  void failed_import_rejects_with_a_type_error_for_any_specifier() {
    assertEquals(
        List.of(
            "15 15 true",
            "Failed to resolve module specifier ''",
            "Failed to resolve module specifier 'x'",
            "Failed to fetch dynamically imported module: https://one.test/x.js",
            "Failed to resolve module specifier '/x'. Invalid relative url or base scheme isn't hierarchical."),
        Scenario.logOf(
            """
            const specifiers = ['', 'x', './x.js', '../x.mjs', '/x.wasm', '/x.json', 'a b', 'a\\\\b\\0"\\u2028',
              'https://one.test/x.js', 'file:///etc/passwd', 'node:fs', 'blob:https://one.test/1', 'jar:file:/x!/y', '\\ud800', '%%%'];
            const failed = p => p.then(() => null, e => e);
            Promise.all(specifiers.map(s => failed(import(s)))).then(all => {
              console.log(all.length, all.filter(e => e instanceof TypeError && /^Failed to (fetch dynamically imported module: |resolve module specifier ')/.test(e.message)).length,
                all.every(e => !/[^\\n]\\n/.test(e.stack) && Object.keys(e).length === 0));
              for (const i of [0, 1, 2]) console.log(all[i].message);
            }).then(() => import('data:text/javascript,export default import("/x").catch(e => e)'))
              .then(m => m.default).then(e => console.log(e.message));
            """));
  }

  @Test
  void import_of_text_or_bytes_rejects_on_every_engine() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/there.js", "export default 1")
          .window(
              """
              (async () => {
                for (const url of ['/there.js', '/missing.js', 'data:text/plain,x']) {
                  for (const type of ['text', 'bytes']) {
                    console.log(await import(url, { with: { type } }).then(m => m.default, e => e.name));
                  }
                }
              })();
              """);
      assertEquals(Collections.nCopies(6, "TypeError"), scenario.run());
    }
  }

  @Test
  void specifiers_are_relative_to_the_script_that_calls_import() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/lib/script.js",
              """
              globalThis.fromScript = () => import('./which.js');
              globalThis.fromEval = () => eval("import('./which.js')");
              globalThis.fromTimer = () => new Promise(done => setTimeout(() => done(import('./which.js'))));
              """)
          .resource("/lib/which.js", "export default 'lib'")
          .resource("/which.js", "export default 'root'")
          .resource(
              "/page.html",
              """
              <script src=/lib/script.js></script>
              <script>
                (async () => {
                  for (const f of [fromScript, fromEval, fromTimer, () => import('./which.js'), new Function("return import('./which.js')")]) {
                    console.log((await f()).default);
                  }
                  setTimeout("import('./which.js').then(m => console.log('text', m.default))");
                })();
              </script>
              """)
          .open("/page.html");
      assertEquals(List.of("lib", "lib", "lib", "root", "root", "text root"), scenario.run());
    }
  }

  @Test
  void repeated_imports_evaluate_a_module_once_and_return_the_same_namespace() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/a.js", "console.log('evaluated'); export const again = () => import('/a.js');")
          .window(
              """
              Promise.all([import('/a.js'), import('./a.js')]).then(async ([x, y]) =>
                console.log(x === y, x === await x.again(), Object.prototype.toString.call(x)));
              console.log('synchronous');
              """);
      assertEquals(
          List.of("synchronous", "evaluated", "true true [object Module]"), scenario.run());
    }
  }

  @Test
  void nothing_is_evaluated_if_a_module_of_the_graph_is_missing() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/good.js", "console.log('good')")
          .resource("/main.js", "import './good.js'; import './deep.js';")
          .resource("/deep.js", "import './missing.js'")
          .resource("/bare.js", "import './good.js'; import 'bare'")
          .resource("/broken.js", "import './good.js'; import './syntax.js'")
          .resource("/syntax.js", "let let;")
          .window(
              """
              (async () => {
                for (const specifier of ['./main.js', './bare.js', './broken.js', './syntax.js', './main.js']) {
                  await import(specifier).catch(e => console.log(e.name, e.message.split('\\n')[0].slice(0, 70)));
                }
                await import('./good.js');
              })();
              """);
      List<String> log = scenario.run();
      assertEquals(
          List.of(
              "TypeError Failed to fetch dynamically imported module: https://one.test/main.js:",
              "TypeError Failed to resolve module specifier \"bare\". Relative references must st",
              "SyntaxError",
              "SyntaxError",
              "TypeError Failed to fetch dynamically imported module: https://one.test/main.js:",
              "good"),
          log.stream().map(line -> line.startsWith("Syntax") ? "SyntaxError" : line).toList());
    }
  }

  @Test
  void import_rejects_if_the_conversion_of_the_specifier_throws() {
    assertEquals(
        List.of("5"),
        Scenario.logOf("import({ toString() { throw 5; } }).catch(e => console.log(e))"));
  }

  @Test
  void data_url_imported_by_a_classic_script_is_fetched() {
    assertEquals(
        List.of("a b é", "() => import('data:text/javascript,x')", "TypeError"),
        Scenario.logOf(
            """
            import('data:text/javascript,export default "a b é"').then(m => console.log(m.default))
              .then(() => console.log(String(() => import('data:text/javascript,x'))))
              .then(() => import(`data:text/plain,`)).catch(e => console.log(e.name));
            """));
  }

  @Test
  void worker_imports_relative_to_its_script() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/workers/worker.js",
              "import('./a.js').then(m => postMessage(m.default)); import('/b.js').catch(e => postMessage(e.message))")
          .resource(
              "/workers/a.js",
              "export default import.meta.url + (self instanceof WorkerGlobalScope)")
          .window("new Worker('/workers/worker.js').onmessage = e => console.log(e.data);");
      assertEquals(
          List.of(
              "Failed to fetch dynamically imported module: https://one.test/b.js",
              "https://one.test/workers/a.jstrue"),
          scenario.run().stream().sorted().toList());
    }
  }

  @Tag("overflow")
  @Test
  void stack_overflow_in_import_exposes_no_java_exception() {
    assertEquals(
        List.of("ok"),
        Scenario.logOf(
            """
            const reasons = [];
            // there may be no stack left for catch() either
            onunhandledrejection = e => {
              reasons.push(e.reason);
              e.preventDefault();
            };
            let left = 10;
            function f() {
              try {
                f();
              } catch (e) {
                if (left-- > 0) import('/x.js').catch(e => reasons.push(e));
                throw e;
              }
            }
            try { f(); } catch (e) { if (!(e instanceof RangeError)) console.log(String(e)); }
            setTimeout(() => {
              const odd = reasons.filter(e => !(e instanceof Error) || /[Jj]ava|Exception/.test(e.message + e.stack));
              console.log(odd.length ? String(odd[0]) : 'ok');
            });
            """));
  }

  private static final String CANNOT_CATCH =
      """
      console.log('begins');
      (async () => {
        try { await import('/never.js'); } catch (e) { console.log('caught ' + e); } finally { console.log('finally'); }
      })();
      console.log('on');
      """;

  @Test
  void window_that_waits_for_a_module_can_be_closed_on_a_pool() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resourceThatHangs("/never.js");
      Window window = pool.window(CANNOT_CATCH);
      pool.expect("begins");
      window.close();
      Pool.await(window.ended());
      assertEquals(List.of(), pool.rest());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void worker_that_waits_for_a_module_can_be_terminated_on_each_driver() throws Exception {
    String window =
        "const w = new Worker('/worker.js'); w.onmessage = e => { w.terminate(); console.log(e.data); }";
    String worker =
        "postMessage('begins'); import('/never.js').finally(() => postMessage('never'))";
    try (Scenario scenario = new Scenario(1)) {
      scenario.resourceThatHangs("/never.js").resource("/worker.js", worker).window(window);
      assertEquals(List.of("begins"), scenario.run());
      assertTrue(
          scenario.trace().stream()
              .anyMatch(line -> line.contains("worker") && line.endsWith("has ended")));
    }
    try (Pool pool = new Pool(2)) {
      pool.resourceThatHangs("/never.js").resource("/worker.js", worker).window(window);
      pool.expect("begins");
    }
  }

  @Test
  void agent_in_an_endless_top_level_await_can_be_closed() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resource("/forever.js", "console.log('waits'); await new Promise(() => {});")
          .resource("/loop.js", "console.log('loops'); await 0; while (true) {}");
      Window waiting = pool.window("import('/forever.js').finally(() => console.log('never'))");
      pool.expect("waits");
      waiting.close();
      Pool.await(waiting.ended());
      Window looping = pool.window("import('/loop.js').finally(() => console.log('never'))");
      pool.expect("loops");
      looping.close();
      Pool.await(looping.ended());
      assertEquals(List.of(), pool.rest());
    }
  }

  @Test
  void modules_load_with_a_caller_driven_driver() {
    List<String> log = new java.util.concurrent.CopyOnWriteArrayList<>();
    CallerDrivenDriver driver = Driver.callerDriven(() -> {});
    CompletableFuture<ResourceResponse> late = new CompletableFuture<>();
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .environment(SharedEnvironment.ENVIRONMENT)
            .driver(driver)
            .resourceLoader(request ->
                request.url().endsWith("late.js")
                    ? late
                    : CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(),
                            "text/html",
                            request.url().endsWith("2")
                                ? "<script>console.log('other')</script>"
                                : "<script>import('/late.js').then(m => console.log(m.default))</script>")))
            .consoleListener(message -> {
              log.add(message.text());
              late.complete(
                  ResourceResponse.of(
                      "https://one.test/late.js", "text/javascript", "export default 'late'"));
            })
            .build()) {
      userAgent.open("https://one.test/1");
      userAgent.open("https://one.test/2");
      while (driver.runOne()) {
        // each call is one turn; the second window runs while the first one is paused
      }
    }
    driver.close();
    assertEquals(List.of("other", "late"), log);
  }
}
