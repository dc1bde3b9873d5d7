package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.ModuleResolver;
import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Import maps in documents: {@code <script type=importmap>}. */
class ImportMapTest {

  private final Scenario scenario = new Scenario(1);

  @AfterEach
  void close() {
    scenario.close();
  }

  private Scenario page(String html) {
    for (String name : List.of("a", "b", "c", "lib/x", "lib/deep/y")) {
      scenario.resource("/dir/" + name + ".js", "export default '" + name + "'");
    }
    return scenario.resource("/dir/page.html", "<!doctype html>" + html).open("/dir/page.html");
  }

  /** Returns what the imports of the given specifiers give, with a map in the document. */
  private List<String> imported(String map, String... specifiers) {
    StringBuilder script = new StringBuilder();
    for (String specifier : specifiers) {
      script.append(
          "await import('%s').then(m => console.log(m.default), e => console.log(e.message));"
              .formatted(specifier));
    }
    page(
        "<script type=importmap>%s</script><script type=module>%s</script>".formatted(map, script));
    return scenario.run();
  }

  @Test
  void bare_specifiers_and_prefixes_lead_to_their_addresses() {
    assertEquals(
        List.of("a", "lib/x", "lib/deep/y", "b", "b"),
        imported(
            """
            {"imports": {"first": "./a.js", "pkg/": "./lib/", "pkg/deep/": "/dir/lib/deep/",
                         "/dir/a.js": "https://one.test/dir/b.js", "1": "./b.js"}}
            """,
            "first",
            "pkg/x.js",
            "pkg/deep/y.js",
            "./a.js",
            "1"));
  }

  @Test
  void static_imports_of_modules_use_the_map_and_fetch_in_advance() {
    scenario.resource(
        "/other/m.js",
        "import x from 'x'; import b from 'https://one.test/b.js';\n" + "console.log(x, b)");
    page(
        """
        <script type=importmap>{"imports": {"x": "/dir/a.js", "https://one.test/b.js": "./b.js"}}</script>
        <script type=module src="/other/m.js"></script>
        <script type=module>import x from 'x'; console.log('inline', x)</script>
        """);
    assertEquals(List.of("a b", "inline a"), scenario.run());
    assertEquals(4, scenario.requests().size(), () -> "" + scenario.requests());
  }

  @Test
  void url_of_a_script_element_is_not_mapped() {
    page(
        """
        <script type=importmap>{"imports": {"./c.js": "./a.js"}}</script>
        <script type=module src="c.js" onload="console.log('loaded')"></script>
        <script type=module>import c from './c.js'; console.log(c)</script>
        """);
    assertEquals(List.of("loaded", "a"), scenario.run());
    assertTrue(scenario.requests().stream().anyMatch(one -> one.url().endsWith("/c.js")));
  }

  @Test
  void longest_scope_of_the_importing_script_decides() {
    scenario
        .resource("/dir/s/m.js", "import x from 'x'; export default x")
        .resource("/dir/s/t/m.js", "import x from 'x'; import y from 'y'; export default x + y");
    assertEquals(
        List.of("a", "b", "ca"),
        imported(
            """
            {"imports": {"x": "./a.js", "y": "./a.js"},
             "scopes": {"s/": {"x": "./b.js"}, "./s/t/m.js": {"x": "./c.js"}}}
            """,
            "x",
            "./s/m.js",
            "./s/t/m.js"));
  }

  @Test
  void unusable_addresses_block_their_specifiers() {
    List<String> log =
        imported(
            """
            {"imports": {"null": null, "bare": "other", "dir/": "./a.js", "pkg/": "./lib/", "": "./a.js"}, "more": 1}
            """,
            "null",
            "bare",
            "dir/x",
            "pkg/../../c.js",
            "missing");
    assertEquals(
        List.of(
            "import map: the address of \"null\" is not a URL, /, ./ or ../ path",
            "import map: the address of \"bare\" is not a URL, /, ./ or ../ path",
            "import map: the address of \"dir/\" does not end with /, unlike its key",
            "import map: a specifier is empty",
            "import map: invalid top-level key \"more\"",
            "Failed to resolve module specifier \"null\": the import map maps \"null\" to null",
            "Failed to resolve module specifier \"bare\": the import map maps \"bare\" to null",
            "Failed to resolve module specifier \"dir/x\": the import map maps \"dir/\" to null",
            "Failed to resolve module specifier \"pkg/../../c.js\": it leads out of the address of"
                + " \"pkg/\"",
            "Failed to resolve module specifier 'missing'"),
        log);
  }

  @Test
  void map_with_an_error_is_reported_and_ignored() {
    page(
        """
        <script>addEventListener('error', e => console.log(e.error.name, e.error instanceof Error))</script>
        <script type=importmap>{"imports": </script>
        <script type=importmap>[]</script>
        <script type=importmap>{"imports": "x"}</script>
        <script type=importmap>{"imports": {"x": "./a.js"}, "scopes": {"./": []}}</script>
        <script type=importmap>{"integrity": null}</script>
        <script type=importmap src="map.json" onerror="console.log('src')"></script>
        <script type=module>import('x').catch(e => console.log(e.message))</script>
        """);
    List<UncaughtError> errors = scenario.runForErrors();
    assertEquals(
        List.of(
            "Uncaught TypeError: Failed to parse import map: the top-level value is not a JSON object",
            "Uncaught TypeError: Failed to parse import map: \"imports\" is not a JSON object",
            "Uncaught TypeError: Failed to parse import map: the scope \"./\" is not a JSON object",
            "Uncaught TypeError: Failed to parse import map: \"integrity\" is not a JSON object"),
        errors.stream().skip(1).map(UncaughtError::message).toList());
    assertTrue(errors.getFirst().message().startsWith("Uncaught SyntaxError"), errors::toString);
  }

  @Test
  void later_maps_add_rules_but_change_none_that_was_used() {
    page(
        """
        <script type=importmap>{"imports": {"x": "./a.js"}}</script>
        <script type=module>
          const imported = specifier => import(specifier).then(m => m.default, e => 'none');
          const add = text => {
            const map = document.createElement('script');
            map.type = 'importmap';
            map.textContent = text;
            document.body.append(map);
          };
          console.log(await imported('x'), await imported('y'), await imported('./lib/x.js'));
          add('{"imports": {"x": "./b.js", "y": "./b.js", "./lib/": "./", "z": "./b.js"}}');
          add('{"imports": {"z": "./c.js"}, "scopes": {"./": {"x": "./c.js", "w": "./c.js"}}}');
          console.log(await imported('x'), await imported('y'), await imported('z'),
              await imported('w'), await imported('./lib/x.js'));
        </script>
        """);
    assertEquals(List.of("a none lib/x", "a b b c lib/x"), scenario.run());
  }

  @Test
  void integrity_of_the_map_is_checked() {
    page(
        """
        <script type=importmap>{"integrity": {
          "./a.js": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
          "./c.js": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}}</script>
        <script type=module src="a.js" onerror="console.log('blocked')"></script>
        <script type=module src="c.js" integrity="" onload="console.log('attribute decides')"></script>
        <script type=module>import('./b.js').then(m => console.log(m.default))</script>
        """);
    assertEquals(List.of("blocked", "attribute decides", "b"), withoutNotes(scenario.run()));
  }

  private static List<String> withoutNotes(List<String> log) {
    return log.stream().filter(line -> !line.startsWith("script failed")).toList();
  }

  @Test
  void workers_have_no_import_map() {
    scenario.resource("/dir/w.js", "import('x').catch(e => postMessage(e.name))");
    page(
        """
        <script type=importmap>{"imports": {"x": "./a.js"}}</script>
        <script>new Worker('w.js').onmessage = e => console.log(e.data)</script>
        """);
    assertEquals(List.of("TypeError"), scenario.run());
  }

  // ---- the resolver of the embedder ------------------------------------------------------------

  /** Returns the message of the last error or, without one, the last line of the console. */
  private static String withResolver(ModuleResolver resolver, String html) {
    try (Scenario page = Scenario.withResolver(1, resolver)) {
      page.resource("/lib.js", "export default 'lib'")
          .resource("/w.js", "import lib from 'lib'; postMessage(lib)")
          .resource("/page.html", html)
          .open("/page.html");
      List<UncaughtError> errors = page.runForErrors();
      return errors.isEmpty() ? page.log().getLast() : errors.getLast().message();
    }
  }

  @Test
  void resolver_finds_bare_specifiers_of_windows_and_workers() {
    ModuleResolver resolver =
        (specifier, importer) -> specifier.equals("lib") ? "https://one.test/lib.js" : null;
    assertEquals(
        "lib",
        withResolver(
            resolver,
            """
            <script>new Worker('w.js', {type: 'module'}).onmessage = e => console.log(e.data)</script>
            """));
    assertEquals(
        "Uncaught TypeError: Failed to resolve module specifier \"other\". Relative references must"
            + " start with either \"/\", \"./\", or \"../\".",
        withResolver(resolver, "<script type=module>import 'other'</script>"));
  }

  @Test
  void refusal_of_the_resolver_reaches_script_as_type_error() {
    ModuleResolver resolver =
        (specifier, importer) -> {
          if (specifier.equals("defect")) {
            throw new IllegalStateException("broken");
          }
          throw new IllegalArgumentException(specifier + " is CommonJS");
        };
    assertEquals(
        "Uncaught TypeError: x is CommonJS",
        withResolver(resolver, "<script type=module>import 'x'</script>"));
    assertEquals(
        "TypeError: x is CommonJS true",
        withResolver(
            resolver,
            "<script>import('x').catch(e => console.log('' + e, e instanceof TypeError))</script>"));
    assertTrue(
        withResolver(resolver, "<script>import('defect').catch(() => {})</script>")
            .contains("broken"));
  }

  @Test
  void resolver_is_called_once_for_specifier_and_base_url() {
    List<String> calls = new ArrayList<>();
    ModuleResolver resolver =
        (specifier, importer) -> {
          calls.add(specifier + " in " + importer);
          return "https://one.test/lib.js";
        };
    withResolver(
        resolver,
        """
        <script type=module>
          import 'lib';
          await import('lib');
          new Worker('w.js', {type: 'module'}).onmessage = e => console.log(e.data);
        </script>
        """);
    assertEquals(
        List.of("lib in https://one.test/page.html", "lib in https://one.test/w.js"), calls);
  }

  @Test
  void resolution_to_no_url_is_reported_as_a_defect() {
    String html = "<script>import('lib').catch(e => console.log(e.name))</script>";
    String error = withResolver((specifier, importer) -> "/lib.js", html);
    assertTrue(error.contains("'/lib.js' for 'lib', which is not an absolute URL"), error);
  }
}
