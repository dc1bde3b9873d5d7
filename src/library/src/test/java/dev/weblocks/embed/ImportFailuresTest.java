package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.UncaughtError;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imports that cannot be used: which import it is, and what to do, also for JSON modules. */
class ImportFailuresTest {

  private static final String DIRECTORY = "https://one.test/dir/";

  private final Scenario scenario = new Scenario(1);

  @AfterEach
  void close() {
    scenario.close();
  }

  private void file(String name, String type, String text) {
    scenario.response(DIRECTORY + name, ResourceResponse.of(DIRECTORY + name, type, text));
  }

  private void files() {
    file("good.json", "application/json", "{\"n\": 1}");
    file("bad.json", "application/json", "{\n  \"n\": 1,}");
    file("x.js", "text/javascript", "export default 1");
    file("page.html", "text/html", "<!doctype html><script type=module src=m.js></script>");
    file("text.js", "text/plain", "1");
    file("types.ts", "application/octet-stream", "const n: number = 1");
  }

  private List<String> logOf(String module) {
    files();
    file("m.js", "text/javascript", module);
    return scenario.open("/dir/page.html").run();
  }

  private static final String FAILURES =
      """
      './good.json' | | without a type, but DIR/good.json is JSON: write with {type: 'json'}
      './none.js' | | , but DIR/none.js was not found (status 404)
      './lib/None' | | , but DIR/lib/None was not found (status 404); no other name was tried, since browsers and Node.js add no extension: write None.js if that is the file, or bundle a package that is written for bundlers
      './text.js' | | , but DIR/text.js has the type text/plain: serve it as text/javascript
      './types.ts' | | , but DIR/types.ts has the type application/octet-stream and is TypeScript by its name, and only JavaScript runs: strip its types, such as with npx esbuild types.ts --outfile=types.js
      """;

  private static final String FAILURES_WITH_TYPE =
      """
      './good.json' | {type: 'css'} | with {type: 'css'}, but DIR/good.json is JSON: write with {type: 'json'}
      './x.js' | {type: 'json'} | with {type: 'json'}, but DIR/x.js is JavaScript: leave out with
      './none.json' | {type: 'json'} | , but DIR/none.json was not found (status 404)
      """;

  private static String reason(String importer, String specifier, String end) {
    return (importer + ":2 imports " + specifier + (end.startsWith(",") ? "" : " ") + end)
        .replace("DIR/", DIRECTORY);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = FAILURES + FAILURES_WITH_TYPE)
  void console_gives_the_reason_of_a_failed_static_import(
      String specifier, String attributes, String end) {
    assertEquals(
        List.of(
            "script failed to load: "
                + DIRECTORY
                + "m.js: "
                + reason(DIRECTORY + "m.js", specifier, end)),
        logOf(
            "\nimport "
                + specifier
                + (attributes == null ? "" : " with " + attributes)
                + ";\nconsole.log('ran')"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = FAILURES + FAILURES_WITH_TYPE)
  void dynamic_import_rejects_with_the_same_reason(
      String specifier, String attributes, String end) {
    String url = DIRECTORY + specifier.replaceAll("'|\\./", "");
    String call =
        "import(" + specifier + (attributes == null ? ")" : ", {with: " + attributes + "})");
    List<String> log =
        logOf(
            """
            const show = e => console.log(e instanceof TypeError, e.message, e.stack.split('\\n')[0] === `TypeError: ${e.message}`);
            await %s.catch(show);
            """
                .formatted(call));
    String reason = reason(DIRECTORY + "m.js", specifier, end);
    String failed = "Failed to fetch dynamically imported module: " + url;
    // the message about a module that is itself missing is that of browsers
    boolean missing = end.contains(" was not found");
    assertEquals(List.of("true " + failed + (missing ? "" : ": " + reason) + " true"), log);
  }

  @Test
  void dynamic_import_of_a_classic_script_names_the_type_of_the_module() {
    files();
    file(
        "classic.html",
        "text/html",
        "<!doctype html><script>import('./text.js').catch(e => console.log(e.message))</script>");
    assertEquals(
        List.of(
            "Failed to fetch dynamically imported module: "
                + DIRECTORY
                + "text.js: it has the type text/plain: serve it as text/javascript"),
        scenario.open("/dir/classic.html").run());
  }

  @Test
  void dependency_of_a_dynamic_import_is_named_with_its_importer() {
    file("index.js", "text/javascript", "// comment\nexport {default} from './lib/None';");
    assertEquals(
        List.of(
            "Failed to fetch dynamically imported module: "
                + DIRECTORY
                + "index.js: "
                + DIRECTORY
                + "index.js:2 imports './lib/None', but "
                + DIRECTORY
                + "lib/None was not found (status 404); no other name was tried, since browsers and"
                + " Node.js add no extension: write None.js if that is the file, or bundle a package"
                + " that is written for bundlers"),
        logOf("import('./index.js').catch(e => console.log(e.message))"));
  }

  @Test
  void static_import_of_broken_json_is_a_syntax_error_with_its_position() {
    files();
    file("m.js", "text/javascript", "import json from './bad.json' with {type: 'json'}");
    List<UncaughtError> errors = scenario.open("/dir/page.html").runForErrors();
    assertEquals(
        List.of(
            "Uncaught SyntaxError: " + DIRECTORY + "bad.json:2:10 is not JSON: Unexpected token }"),
        errors.stream().map(UncaughtError::message).toList());
  }

  @Test
  void dynamic_import_of_broken_json_is_the_same_syntax_error() {
    String message = DIRECTORY + "bad.json:2:10 is not JSON: Unexpected token }";
    assertEquals(
        List.of("true " + message + " true", "true " + message + " true"),
        logOf(
            """
            const show = e => console.log(e instanceof SyntaxError, e.message, e.stack === `SyntaxError: ${e.message}`);
            await import('./bad.json', {with: {type: 'json'}}).catch(show);
            await import('./bad.json', {with: {type: 'json'}}).catch(show);
            """));
  }

  @Test
  void each_import_call_of_a_module_fails_by_its_own_type() {
    String failed = "Failed to fetch dynamically imported module: " + DIRECTORY + "good.json: ";
    String wrong =
        failed + DIRECTORY + "m.js imports './good.json' with {type: 'css'}, but " + DIRECTORY;
    assertEquals(
        List.of(
            wrong + "good.json is JSON: write with {type: 'json'}",
            "ok",
            wrong.replace("m.js", "m.js:4").replace("with {type: 'css'}", "without a type")
                + "good.json is JSON: write with {type: 'json'}",
            "ok",
            "ok",
            failed + "'json' is the only type"),
        logOf(
            """
            const show = call => call.then(() => console.log('ok'), e => console.log(e.message));
            await show(import('./good.json', {with: {type: 'css'}}));
            await show(import('./good.json', {with: {type: 'json'}}));
            await show(import('./good.json'));
            await show(import('./good.json', {with: {type: 'json'}}));
            Error.stackTraceLimit = 0;
            await show(import('./good.json', {with: {type: 'json'}}));
            await show(import('./good.json', {with: {type: 'css'}}));
            """));
  }

  @Test
  void dynamic_and_static_imports_share_the_value_of_a_json_module() {
    assertEquals(
        List.of("true true true default Module"),
        logOf(
            """
            import value from './good.json' with {type: 'json'};
            const first = await import('./good.json', {with: {type: 'json'}});
            const second = await import('./good.json', {with: {type: 'json'}});
            const computed = await import('./good' + '.json', {with: {type: 'json'}});
            console.log(first.default === value, first === second, computed.default === value, Object.keys(first).join(), first[Symbol.toStringTag]);
            """));
  }

  @Test
  void text_of_a_function_shows_an_import_with_a_type_as_written() {
    String call = "() => import('./good.json', { \"with\": {type: 'json'}})";
    assertEquals(
        List.of(call, "A" + call),
        logOf("const f = " + call + ", g = 'A' + f;\nconsole.log(String(f)); console.log(g)"));
  }

  @Test
  void classic_script_that_imports_json_gets_the_reason_too() {
    files();
    file(
        "classic.html",
        "text/html",
        "<!doctype html><script>import/* a comment */('./x.js', {with: {type: 'json'}}).catch(e => console.log(e.name, e.message));"
            + "import('./good.json', {with: {type: 'css'}}).catch(e => console.log(e.name, e.message));"
            + "import('./good.json', {with: {type: 'json'}}).then(m => console.log(m.default.n))</script>");
    assertEquals(
        Set.of(
            "TypeError Failed to fetch dynamically imported module: "
                + DIRECTORY
                + "x.js: "
                + DIRECTORY
                + "x.js is JavaScript: leave out with",
            "TypeError Failed to fetch dynamically imported module: "
                + DIRECTORY
                + "good.json: 'json' is the only type",
            "1"),
        Set.copyOf(scenario.open("/dir/classic.html").run()));
  }

  @Test
  void imports_with_the_right_type_succeed_beside_wrong_ones() {
    assertEquals(
        new TreeSet<>(Set.of("static 1", "literal 1", "computed 1", "wrong TypeError")),
        new TreeSet<>(
            logOf(
                """
                import a from './good.json' with {'type': "json"};
                console.log('static', a.n);
                const options = {with: {type: 'json'}}, name = './good.json';
                await import('./x.js', {with: {type: 'json'}}).catch(e => console.log('wrong', e.name));
                await import("./good.json", { "with": { type: "json", }, }).then(m => console.log('literal', m.default.n));
                await import(name, options).then(m => console.log('computed', m.default.n));
                """)));
  }

  @Test
  void worker_that_does_not_start_gives_the_reason() {
    files();
    file("w.js", "text/javascript", "\nimport './none'");
    file(
        "worker.html",
        "text/html",
        "<!doctype html><script>new Worker('w.js', {type: 'module'})</script>");
    assertEquals(
        List.of(
            "worker "
                + DIRECTORY
                + "w.js did not start: "
                + DIRECTORY
                + "w.js:2 imports './none', but "
                + DIRECTORY
                + "none was not found (status 404); no other name was tried, since browsers and"
                + " Node.js add no extension: write none.js if that is the file, or bundle a package"
                + " that is written for bundlers"),
        scenario.open("/dir/worker.html").run());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          new Worker('types.ts') | worker DIR/types.ts did not start: it
          new Worker('types.ts', {type: 'module'}) | worker DIR/types.ts did not start: it
          new SharedWorker('types.ts') | worker DIR/types.ts did not start: it
          new Worker(URL.createObjectURL(new Blob(["try { importScripts('DIR/types.ts') } catch {}"]))) | script DIR/types.ts
          """)
  void worker_script_of_another_type_is_named_with_its_type(String call, String start) {
    files();
    file(
        "worker.html",
        "text/html",
        "<!doctype html><script>" + call.replace("DIR/", DIRECTORY) + "</script>");
    assertEquals(
        List.of(
            start.replace("DIR/", DIRECTORY)
                + " has the type application/octet-stream and is TypeScript by its name, and"
                + " only JavaScript runs: strip its types, such as with npx esbuild types.ts --outfile=types.js"),
        scenario.open("/dir/worker.html").run());
  }
}
