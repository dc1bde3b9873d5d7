package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.weblocks.model.UncaughtError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Module scripts in documents: {@code <script type=module>} and their imports. */
class ModuleScriptsTest {

  private final Scenario scenario = new Scenario(1);

  @AfterEach
  void close() {
    scenario.close();
  }

  private Scenario page(String html) {
    return scenario.resource("/dir/page.html", "<!doctype html>" + html).open("/dir/page.html");
  }

  /** Logs the events of all scripts with an id, and the errors of the window. */
  private static final String WATCH =
      """
      <script>
        for (const type of ['load', 'error']) {
          addEventListener(type, e => {
            if (e instanceof ErrorEvent) {
              console.log('error:', e.message.split('\\n')[0], e.filename, e.lineno, e.error === null ? null : e.error.constructor === globalThis[e.error.name]);
            }
          });
        }
        const watch = id => ['load', 'error'].forEach(type =>
          document.getElementById(id).addEventListener(type, () => console.log(id, type)));
      </script>
      """;

  @Test
  void modules_run_in_order_after_parsing_and_before_dom_content_loaded() {
    scenario.resource("/dir/a.js", "console.log('a', document.readyState, document.currentScript)");
    page(
        """
        <script>
          document.addEventListener('DOMContentLoaded', () => console.log('DOMContentLoaded'));
          addEventListener('load', () => console.log('load'));
        </script>
        <script type=" MODULE ">console.log('inline', document.getElementById('last').id, this)</script>
        <script type=module src=a.js></script>
        <script type=module>console.log('b')</script>
        <script id=last>console.log('classic', document.readyState)</script>
        """);
    assertEquals(
        List.of(
            "classic loading",
            "inline last undefined",
            "a interactive null",
            "b",
            "DOMContentLoaded",
            "load"),
        scenario.run());
  }

  @Test
  void async_module_runs_when_fetched_and_delays_the_load_event() {
    scenario
        .resource("/dir/a.js", "console.log('async')")
        .resource("/dir/b.js", "console.log('b')");
    page(
        """
        <script>addEventListener('load', () => console.log('load'))</script>
        <script type=module>console.log('deferred')</script>
        <script type=module async src=a.js></script>
        <script src=b.js></script><script src=b.js></script><script src=b.js></script>
        """);
    List<String> log = scenario.run();
    assertTrue(log.indexOf("async") < log.indexOf("deferred"), log::toString);
    assertEquals("load", log.getLast());
  }

  @Test
  void async_module_that_never_loads_blocks_only_the_load_event() {
    scenario.resourceThatHangs("/dir/a.js");
    page(
        """
        <script>addEventListener('load', () => console.log('load'));
          document.addEventListener('DOMContentLoaded', () => console.log('DOMContentLoaded'));</script>
        <script type=module async src=a.js></script>
        <script type=module>console.log('deferred')</script>
        """);
    assertEquals(List.of("deferred", "DOMContentLoaded"), scenario.run());
  }

  @Test
  void deferred_module_that_never_loads_blocks_later_deferred_modules() {
    scenario.resourceThatHangs("/dir/a.js");
    page(
        """
        <script type=module>console.log('first')</script>
        <script type=module src=a.js></script>
        <script type=module>console.log('never')</script>
        <script>setTimeout(() => console.log('timer'))</script>
        """);
    List<String> log = scenario.run();
    assertEquals(List.of("first", "timer"), log.stream().sorted().toList());
  }

  @Test
  void nomodule_scripts_and_unknown_types_do_not_run() {
    page(
        """
        <script nomodule>console.log('never')</script>
        <script nomodule src=x.js></script>
        <script type=modules>console.log('never')</script>
        <script type=module></script>
        <script type=module nomodule>console.log('a module')</script>
        """);
    assertEquals(List.of("a module"), scenario.run());
    assertEquals(1, scenario.requests().size());
  }

  @Test
  void module_is_fetched_and_evaluated_once_however_its_url_is_written() {
    scenario
        .resource(
            "/dir/a.js",
            "import './b.js'; import b, * as ns from './b.js'; export {default} from '../dir/b.js'; console.log('a', b === ns.default)")
        .resource("/dir/b.js", "console.log('b', import.meta.url); export default {};")
        .response(
            "https://one.test/dir/b.js?",
            ResourceResponse.of(
                "https://one.test/dir/b.js?",
                "text/javascript",
                "console.log('b', import.meta.url); export default {};"));
    page(
        """
        <script type=module src=a.js></script><script type=module src=/dir/../dir/a.js></script>
        <script type=module>
          import './a.js'; import a from '/dir/a.js';
          import b from "HTTPS://ONE.test:443/dir/./b.js"; import c from 'https:/one.test/dir/x/../b.js';
          import d from 'https://one.test/dir/b.js#fragment';
          import e from 'https://one.test/dir/b.js?';
          console.log(a === b, b === c, a === d, a === e);
          import('https://one.test/dir/b.js').then(m => console.log(m.default === a));
        </script>
        """);
    assertEquals(
        List.of(
            "b https://one.test/dir/b.js",
            "a true",
            "b https://one.test/dir/b.js#fragment",
            "b https://one.test/dir/b.js?",
            "true true false false",
            "true"),
        scenario.run());
    assertEquals(
        List.of("page.html", "a.js", "b.js", "b.js", "b.js?").stream().sorted().toList(),
        scenario.requests().stream()
            .map(request -> request.url().replaceFirst(".*/", ""))
            .sorted()
            .toList());
  }

  @Test
  void each_inline_module_is_separate_and_not_in_the_module_map() {
    page(
        """
        <script type=module>globalThis.count = 1; console.log(import.meta.url, new Error('x').stack.split('\\n')[1])</script>
        <script type=module>count++;</script>
        <script type=module>count++;
          import('./page.html').catch(e => console.log(count, e.message))</script>
        """);
    assertEquals(
        List.of(
            "https://one.test/dir/page.html     at https://one.test/dir/page.html:1:52",
            "3 Failed to fetch dynamically imported module: https://one.test/dir/page.html: it has the"
                + " type text/html: serve it as text/javascript"),
        scenario.run());
  }

  @Test
  void cycles_and_live_bindings_follow_the_language_specification() {
    scenario
        .resource(
            "/dir/a.js",
            "import {b, increase} from './b.js'; export const a = 1; console.log('a', b); increase(); console.log(b);")
        .resource(
            "/dir/b.js",
            "import {a} from './a.js'; export let b = 1; export const increase = () => b++; try { a } catch (e) { console.log(e.name) }");
    page("<script type=module src=a.js></script>");
    assertEquals(List.of("ReferenceError", "a 1", "2"), scenario.run());
  }

  @Test
  void base_url_comes_from_the_base_element_or_the_redirected_script() {
    scenario
        .resource("/lib/a.js", "console.log('a', import.meta.url)")
        .resource("/new/b.js", "console.log('b', import.meta.url)")
        .response(
            "https://one.test/old/main.js",
            new ResourceResponse(
                "https://one.test/new/main.js",
                200,
                "OK",
                List.of(Map.entry("Content-Type", "text/javascript")),
                "import './b.js'; console.log('main', import.meta.url)"
                    .getBytes(StandardCharsets.UTF_8)));
    page(
        """
        <base href="/lib/">
        <script type=module>import './a.js'; console.log('inline', import.meta.url); import('/old/main.js')</script>
        """);
    assertEquals(
        List.of(
            "a https://one.test/lib/a.js",
            "inline https://one.test/lib/",
            "b https://one.test/new/b.js",
            "main https://one.test/new/main.js"),
        scenario.run());
  }

  @Test
  void nothing_is_evaluated_when_a_dependency_cannot_be_fetched() {
    scenario
        .resource("/dir/good.js", "console.log('never')")
        .resource("/dir/main.js", "import './good.js'; import './deep.js'; console.log('never')")
        .resource("/dir/deep.js", "import './good.js'; import './missing.js'; console.log('never')")
        .resource("/dir/type.html", "console.log('never')");
    page(
        WATCH
            + """
            <script id=missing type=module src=missing.js></script>
            <script id=main type=module src=main.js></script>
            <script id=type type=module src=type.html></script>
            <script id=inline type=module>import './good.js'; import './type.html'; console.log('never')</script>
            <script id=empty type=module src></script>
            <script id=invalid type=module src="https://"></script>
            <script>['missing', 'main', 'type', 'inline', 'empty', 'invalid'].forEach(watch)</script>
            """);
    List<String> log =
        scenario.run().stream().filter(line -> !line.startsWith("script failed")).sorted().toList();
    assertEquals(
        List.of(
            "empty error",
            "inline error",
            "invalid error",
            "main error",
            "missing error",
            "type error"),
        log);
  }

  @Test
  void syntax_resolution_and_link_errors_are_reported_and_load_fires() {
    scenario
        .resource("/dir/syntax.js", "import './good.js';\n  let x = ;")
        .resource("/dir/good.js", "console.log('good')")
        .resource("/dir/deep.js", "import './good.js'; import './syntax.js';")
        .resource("/dir/bare.js", "import './good.js'; import 'bare';")
        .resource("/dir/link.js", "import {x} from './good.js';");
    page(
        WATCH
            + """
            <script id=syntax type=module src=syntax.js></script>
            <script id=deep type=module src=deep.js></script>
            <script id=bare type=module src=bare.js></script>
            <script id=link type=module src=link.js></script>
            <script>['syntax', 'deep', 'bare', 'link'].forEach(watch)</script>
            """);
    assertEquals(4, scenario.runForErrors().size());
    String syntax =
        "error: Uncaught SyntaxError: %s:2:10 Expected an operand but found ; https://one.test/dir/syntax.js 2 true";
    assertEquals(
        List.of(
            syntax.formatted("https://one.test/dir/syntax.js"),
            "syntax load",
            syntax.formatted("./syntax.js"),
            "deep load",
            "error: Uncaught TypeError: Failed to resolve module specifier \"bare\". Relative references must start with either \"/\", \"./\", or \"../\".  0 true",
            "bare load",
            "error: Uncaught SyntaxError: The requested module './good.js' does not provide an export named 'x' https://one.test/dir/link.js 1 true",
            "link load"),
        scenario.log());
  }

  @Test
  void exceptions_of_modules_are_reported_with_position_and_a_page_stack() {
    scenario.resource(
        "/dir/throws.js",
        "console.log('throws');\nfunction f() { throw new RangeError('x'); }\nf();");
    page(
        WATCH
            + """
            <script id=throws type=module src=throws.js></script>
            <script id=again type=module src=throws.js></script>
            <script id=value type=module>throw 5</script>
            <script>['throws', 'again', 'value'].forEach(watch)</script>
            """);
    List<UncaughtError> errors = scenario.runForErrors();
    assertEquals(
        List.of(
            "throws",
            "error: Uncaught RangeError: x https://one.test/dir/throws.js 2 true",
            "throws load",
            "error: Uncaught RangeError: x https://one.test/dir/throws.js 2 true",
            "again load",
            "error: Uncaught 5  0 false"),
        scenario.log());
    assertEquals(
        """
        RangeError: x
            at f (https://one.test/dir/throws.js:2:22)
            at https://one.test/dir/throws.js:3:1\
        """,
        errors.getFirst().stack().strip());
  }

  @Test
  void top_level_await_delays_only_importing_modules() {
    scenario
        .resource(
            "/dir/slow.js",
            "console.log('slow 1'); await new Promise(done => setTimeout(done, 100)); console.log('slow 2'); export const x = 1;")
        .resource("/dir/other.js", "console.log('other')")
        .resource("/dir/fails.js", "await null;\nthrow new Error('late');");
    page(
        WATCH
            + """
            <script id=main type=module>import './slow.js'; import './other.js'; console.log('main')</script>
            <script id=slow type=module src=slow.js></script>
            <script id=fails type=module src=fails.js></script>
            <script type=module>console.log('independent')</script>
            <script>['slow', 'fails'].forEach(watch); addEventListener('load', () => console.log('load'))</script>
            """);
    scenario.runForErrors();
    assertEquals(
        List.of(
            "slow 1",
            "other",
            "slow load",
            "error: Uncaught Error: late https://one.test/dir/fails.js 2 true",
            "fails load",
            "independent",
            "load",
            "slow 2",
            "main"),
        scenario.log());
  }

  @Test
  void rejected_promises_fire_unhandledrejection_but_failed_modules_do_not() {
    page(
        WATCH
            + """
            <script>addEventListener('unhandledrejection', e => { console.log('unhandled', e.reason); e.preventDefault(); })</script>
            <script type=module>Promise.reject(1)</script>
            <script type=module>await 0; throw 2</script>
            <script type=module>import './missing.js'</script>
            <script type=module>import('./missing.js')</script>
            """);
    scenario.runForErrors();
    List<String> unhandled =
        scenario.log().stream().filter(line -> line.startsWith("unhandled")).toList();
    assertEquals(2, unhandled.size());
    assertEquals("unhandled 1", unhandled.getFirst());
    assertTrue(
        unhandled.getLast().startsWith("unhandled TypeError: Failed to fetch dynamically"),
        unhandled::toString);
  }

  @Test
  void json_modules_require_the_type_attribute_and_script_modules_forbid_it() {
    assumeFalse(
        System.getProperty("weblocks.engine", "").startsWith("24."),
        "this engine ignores the type");
    scenario
        .resource("/dir/script.js", "export default 1")
        .response(
            "https://one.test/dir/data",
            ResourceResponse.of(
                "https://one.test/dir/data", "application/ld+json; charset=x", "{\"a\": [1]}"))
        .response(
            "https://one.test/dir/broken",
            ResourceResponse.of("https://one.test/dir/broken", "text/json", "{"));
    page(
        WATCH
            + """
            <script id=good type=module>
              import a from './data' with {type: 'json'}; import * as b from './data' with {type: 'json'};
              console.log(JSON.stringify(a), a === b.default, Object.keys(b).join(), Object.isFrozen(a));
              const {default: c} = await import('./data', {with: {type: 'json'}});
              console.log(a === c);
              for (const [specifier, options] of [['./data'], ['./script.js', {with: {type: 'json'}}],
                  ['./data', {with: {type: 'css'}}], ['./broken', {with: {type: 'json'}}], ['./no', {with: {type: 'json'}}]]) {
                await import(specifier, options).catch(e => console.log(e.name));
              }
            </script>
            <script id=bad type=module>import './data'</script>
            <script id=worse type=module>import './script.js' with {type: 'json'}</script>
            <script id=broken type=module>import './broken' with {type: 'json'}</script>
            <script>['bad', 'worse', 'broken'].forEach(watch)</script>
            """);
    scenario.runForErrors();
    List<String> log =
        scenario.log().stream().filter(line -> !line.startsWith("script failed")).toList();
    assertEquals(
        List.of("{\"a\":[1]} true default false", "true"),
        log.stream().filter(line -> line.contains("true") && !line.contains("error")).toList());
    assertEquals(
        List.of("TypeError", "TypeError", "TypeError", "SyntaxError", "TypeError"),
        log.stream().filter(line -> line.endsWith("Error")).toList());
    assertTrue(log.contains("bad error") && log.contains("worse error"), log::toString);
    assertTrue(
        log.stream().anyMatch(line -> line.startsWith("error: Uncaught SyntaxError")),
        log::toString);
  }

  @Test
  void data_modules_are_fetched_like_others() {
    page(
        WATCH
            + """
            <script type=module>
              import a from 'data:text/javascript,export default "a b {c} é"';
              import b from "data:text/javascript;base64,ZXhwb3J0IGRlZmF1bHQgJ8OpJw==";
              import c from 'data:application/json,{"d": 1}' with {type: 'json'};
              console.log(a, b, c.d);
            </script>
            <script id=plain type=module>import 'data:text/plain,console.log("never")'</script>
            <script id=relative type=module>import 'data:text/javascript,import "./x.js"'</script>
            <script type=module src="data:text/javascript,console.log('src', import.meta.url.slice(0, 5))"></script>
            <script>['plain', 'relative'].forEach(watch)</script>
            """);
    scenario.runForErrors();
    List<String> log =
        scenario.log().stream().filter(line -> !line.startsWith("script failed")).toList();
    assertEquals(
        List.of(
            "a b {c} é é 1",
            "plain error",
            "error: Uncaught TypeError: Failed to resolve module specifier \"./x.js\". Invalid relative url or base scheme isn't hierarchical.  0 true",
            "src data:"),
        log);
  }

  @Test
  void blob_modules_are_fetched_like_others() {
    page(
        """
        <script type=module>
          const url = URL.createObjectURL(new Blob(['export default import.meta.url'], {type: 'text/javascript'}));
          const module = await import(url);
          console.log(module.default === url, await import(url) === module);
          URL.revokeObjectURL(url);
          console.log(await import(url) === module);
        </script>
        """);
    assertEquals(List.of("true true", "true"), scenario.run());
  }

  @Test
  void modules_are_requested_with_cors_and_as_scripts() {
    scenario.resourceAt("https://two.test/x.js", "console.log('never')");
    page(
        WATCH
            + """
            <script id=foreign type=module src=https://two.test/x.js></script>
            <script>watch('foreign')</script>
            """);
    List<String> log = scenario.run();
    assertTrue(log.contains("foreign error"), log::toString);
    assertFalse(log.contains("never"));
  }

  @Test
  void page_that_replaces_builtins_does_not_affect_the_loader() {
    scenario
        .resource("/dir/a.js", "import './b.js'; export const then = f => f(1); console.log('a')")
        .resource("/dir/b.js", "console.log('b')");
    page(
        """
        <script>
          globalThis.log = console.log.bind(console);
          const seen = new Set();
          const trap = (object, key) => {
            const value = object[key];
            Object.defineProperty(object, key, {__proto__: null, configurable: true, get() { log('read ' + String(key)); return value; }, set(v) { log('set ' + String(key)); }});
          };
          for (const key of ['then', 'constructor', 'catch', 'finally']) trap(Promise.prototype, key);
          for (const key of ['resolve', 'reject', Symbol.species]) trap(Promise, key);
          for (const key of ['then', 'url', 'type', 'with', 'default', 'message', 'get', 'value']) trap(Object.prototype, key);
          for (const key of ['message', 'name', 'stack']) trap(TypeError.prototype, key);
          trap(Array.prototype, Symbol.iterator); trap(String.prototype, Symbol.iterator);
          trap(JSON, 'parse'); trap(globalThis, 'Promise'); trap(globalThis, 'TypeError');
        </script>
        <script type=module src=a.js></script>
        <script type=module>import './b.js'; import './missing.js'</script>
        <script type=module>import 'data:application/json,[]' with {type: 'json'}; log('inline')</script>
        """);
    assertEquals(
        List.of("b", "a", "inline"),
        scenario.run().stream().filter(line -> !line.startsWith("script failed")).toList());
  }
}
