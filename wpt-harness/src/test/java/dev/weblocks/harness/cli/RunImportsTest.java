package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.NpmPackage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports of scripts of {@code weblocks run}: its root, import maps and packages. */
class RunImportsTest {

  @TempDir Path dir;

  private String input = "";

  private void write(String name, String text) throws IOException {
    Path file = dir.resolve("app").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String run(Path workingDirectory, int status, String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    String[] words = new String[args.length + 1];
    words[0] = "run";
    System.arraycopy(args, 0, words, 1, args.length);
    int actual =
        Main.run(
            new CliEnvironment(
                both,
                both,
                property -> null,
                variable -> null,
                false,
                (jobs, preloads, locks) -> {
                  throw new AssertionError("no browser is needed");
                },
                Duration.ofMinutes(2)),
            CliBed.environment(workingDirectory, input),
            words);
    String text = printed.toString(StandardCharsets.UTF_8);
    assertEquals(status, actual, text);
    return text.replace(dir.toString(), "DIR");
  }

  private String run(int status, String... args) {
    return run(dir.resolve("app"), status, args);
  }

  // ---- --root ----------------------------------------------------------------------------------

  @Test
  void root_serves_files_beside_and_above_a_script() throws IOException {
    write("src/x.js", "export default 'x'");
    write(
        "test/t.mjs",
        "import x from '../src/x.js'; console.log(x, import.meta.url);"
            + "console.log(await (await fetch('/data.txt')).text())");
    write("data.txt", "data");
    assertTrue(run(1, "test/t.mjs").contains("https://localhost/src/x.js was not found"));
    assertEquals("x https://localhost/test/t.mjs\ndata\n", run(0, "--root", ".", "test/t.mjs"));
    assertEquals(
        "x\n",
        run(0, "--root", "..", "-e", "import('./src/x.js').then(m => console.log(m.default))"));
  }

  @Test
  void nothing_outside_of_the_root_is_read() throws IOException {
    write("a.mjs", "");
    Files.writeString(dir.resolve("secret.js"), "console.log('secret')");
    Files.createSymbolicLink(dir.resolve("app/link.js"), dir.resolve("secret.js"));
    for (String url :
        List.of("../secret.js", "./%2e%2e/secret.js", "./link.js", "/app/../secret.js")) {
      String text =
          run(
              0,
              "--root",
              ".",
              "-e",
              "import('%s').catch(e => console.log(e.name))".formatted(url));
      String note = url.equals("./link.js") ? "a symbolic link leads out of .: " : "not found: ";
      assertTrue(text.contains(note) && text.endsWith("TypeError\n"), text);
    }
    assertEquals(
        "weblocks: a.mjs is in DIR/app, outside of --root 'node_modules': name a directory that contains it\n",
        run(
            2,
            "--root",
            Files.createDirectory(dir.resolve("app/node_modules")).getFileName().toString(),
            "a.mjs"));
  }

  // ---- --import-map ----------------------------------------------------------------------------

  @Test
  void addresses_of_an_import_map_are_relative_to_its_file() throws IOException {
    write("lib/x.js", "export default 'x'");
    write("lib/</script>.js", "export default 'odd'");
    write("lib/map.json", "{\"imports\": {\"x\": \"./x.js\", \"odd\": \"./</script>.js\"}}");
    write(
        "src/a.mjs",
        "import x from 'x'; import y from './b.js'; console.log(x, y, document.baseURI)");
    write("src/b.js", "export {default} from 'odd'");
    assertEquals(
        "x odd https://localhost/src/?agent=1\n",
        run(0, "--root", ".", "--import-map", "lib/map.json", "src/a.mjs"));
    assertEquals(
        "weblocks: --import-map 'lib/map.json' is outside of DIR/app/src: name a directory that contains it and"
            + " the scripts with --root\n",
        run(2, "--import-map", "lib/map.json", "src/a.mjs"));
  }

  @Test
  void import_map_with_an_error_is_refused_with_its_position() throws IOException {
    write("a.mjs", "");
    record Bad(String text, String message) {}
    for (Bad bad :
        List.of(
            new Bad("", "1:1: the map is not an object"),
            new Bad("[]", "1:1: the map is not an object"),
            new Bad("{\n \"imports\": 5}", "2:13: \"imports\" is not an object"),
            new Bad("{\"scopes\": {\"/\":\n null}}", "2:2: the scope \"/\" is not an object"),
            new Bad("{} x", "1:"),
            new Bad("{} {}", "1:4: text after the end of the map"),
            new Bad("{\"imports\": {\"a\": \"b\",}}", "1:"),
            new Bad("{\"imports\": {", "1:"))) {
      write("map.json", bad.text());
      String text = run(2, "--import-map", "map.json", "a.mjs");
      assertTrue(text.startsWith("weblocks: --import-map map.json:" + bad.message()), text);
      assertEquals(1, text.lines().count(), text);
    }
  }

  // ---- --node-modules --------------------------------------------------------------------------

  private void install(String name, String json) throws IOException {
    write("node_modules/" + name + "/package.json", json);
  }

  /** Returns what the default export of a specifier prints, or the message of the failure. */
  private String imported(String specifier) {
    String text =
        run(
            0,
            "--root",
            ".",
            "--node-modules",
            "-e",
            "import('%s').then(m => console.log(m.default), e => console.log('' + e))"
                .formatted(specifier));
    assertEquals(1, text.lines().count(), text);
    return text.strip();
  }

  @Test
  void exports_of_packages_are_resolved_as_node_does() throws IOException {
    install(
        "full",
        """
        {"name": "full", "type": "module", "main": "no.js",
         "exports": {
           ".": {"node": "./node.js", "browser": {"require": "./no.cjs", "import": "./main.js"}, "default": "./no.js"},
           "./sub": ["./sub.js"],
           "./features/*": "./f/*.js",
           "./features/*.js": "./f/*.js",
           "./features/private/*": null,
           "./out": "../other/x.js"},
         "imports": {"#dep": {"default": "@scope/dep"}}}
        """);
    write(
        "node_modules/full/main.js",
        "import dep from '#dep'; import sub from 'full/sub'; export default 'main ' + dep + sub");
    write("node_modules/full/sub.js", "export default 'sub'");
    write("node_modules/full/f/a.js", "export default 'a'");
    write("node_modules/full/f/private/b.js", "export default 'b'");
    write(
        "node_modules/full/node_modules/@scope/dep/package.json",
        "{\"module\": \"m.js\", \"main\": \"c.js\"}");
    write("node_modules/full/node_modules/@scope/dep/m.js", "export default 'dep'");
    assertEquals("main depsub", imported("full"));
    assertEquals("a", imported("full/features/a"));
    assertEquals("a", imported("full/features/a.js"));
    assertEquals(
        "TypeError: package 'full/features/private/b' does not export './features/private/b' for browsers: see"
            + " the \"exports\" of node_modules/full/package.json",
        imported("full/features/private/b"));
    assertEquals(
        "TypeError: package 'full/sub.js' does not export './sub.js' for browsers: see the \"exports\" of"
            + " node_modules/full/package.json",
        imported("full/sub.js"));
    assertEquals(
        "TypeError: '../other/x.js' is no path in the package node_modules/full",
        imported("full/out"));
    assertEquals(
        "TypeError: package '@scope/dep' is in no node_modules from . up to .: install it there, or name a"
            + " directory above with --root",
        imported("@scope/dep"));
    assertEquals("TypeError: '.hidden' is not the name of a package", imported(".hidden"));
  }

  @Test
  void packages_without_exports_are_their_module_or_main() throws IOException {
    install("old", "{\"main\": \"lib/index\"}");
    write("node_modules/old/lib/index.js", "const a=1;export{a as default}");
    write("node_modules/old/other.mjs", "export default 'other'");
    install("none", "{}");
    assertEquals("1", imported("old"));
    assertEquals("other", imported("old/other.mjs"));
    assertEquals(
        "TypeError: 'old/gone.js' is node_modules/old/gone.js, which is missing",
        imported("old/gone.js"));
    assertEquals(
        "TypeError: './../../a.mjs' is no path in the package node_modules/old",
        imported("old/../../a.mjs"));
    assertEquals(
        "TypeError: package 'none' has no \"exports\", \"module\" or \"main\" that exists",
        imported("none"));
  }

  @Test
  void common_js_packages_are_refused_by_name() throws IOException {
    install("common", "{\"main\": \"index.js\"}");
    write("node_modules/common/index.js", "const fs = require('fs'); exports.x = 1");
    install("cjs", "{\"type\": \"module\", \"exports\": \"./x.cjs\"}");
    write("node_modules/cjs/x.cjs", "");
    assertEquals(
        "TypeError: package 'common' is CommonJS (node_modules/common/index.js), and only ES modules can be"
            + " imported: use a version or a build of it with them",
        imported("common"));
    assertTrue(
        imported("cjs")
            .startsWith("TypeError: package 'cjs' is CommonJS (node_modules/cjs/x.cjs)"));
  }

  @Test
  void type_of_a_package_above_the_root_has_no_effect() throws IOException {
    Files.writeString(
        Files.createDirectories(dir.resolve("app")).resolveSibling("package.json"),
        "{\"type\": \"module\"}");
    write("store/common/index.js", "exports.x = 1");
    Files.createDirectory(dir.resolve("app/node_modules"));
    Files.createSymbolicLink(
        dir.resolve("app/node_modules/common"), dir.resolve("app/store/common"));
    assertTrue(imported("common").startsWith("TypeError: package 'common' is CommonJS"));
  }

  @Test
  void type_of_a_package_in_another_served_directory_counts() throws IOException {
    Path other = Files.createDirectories(dir.resolve("other/esm"));
    Files.writeString(other.resolve("package.json"), "{\"type\": \"module\"}");
    Files.writeString(other.resolve("index.js"), "globalThis.module = 1; // not module.exports");
    Files.writeString(other.resolveSibling("b.mjs"), "");
    Files.createDirectories(dir.resolve("app/node_modules"));
    Files.createSymbolicLink(dir.resolve("app/node_modules/esm"), other);
    write("a.mjs", "import 'esm'; console.log(module)");
    assertEquals("[a.mjs] 1\n", run(0, "--node-modules", "a.mjs", "../other/b.mjs"));
  }

  @Test
  void package_json_with_an_error_is_named() throws IOException {
    install("broken", "{\n]");
    install("deep", "[".repeat(2_000));
    String broken = imported("broken");
    assertTrue(broken.startsWith("TypeError: node_modules/broken/package.json:2:"), broken);
    String deep = imported("deep");
    assertTrue(deep.startsWith("TypeError: node_modules/deep/package.json is not JSON"), deep);
  }

  @Test
  void base_url_of_a_page_does_not_lead_out_of_the_root() throws IOException {
    write("src/x.js", "");
    Files.createDirectories(dir.resolve("other/node_modules/x"));
    Files.writeString(dir.resolve("other/node_modules/x/package.json"), "{");
    for (String base : List.of("/src%2f..%2f..%2fother/", "/src%2f../")) {
      String text =
          run(
              0,
              "--root",
              ".",
              "--node-modules",
              "-e",
              """
              document.head.innerHTML = '<base href="%s">';
              const script = document.createElement('script');
              script.textContent = 'import("x").catch(e => console.log("" + e))';
              document.body.append(script);
              """
                  .formatted(base));
      assertTrue(text.startsWith("TypeError: "), text);
      assertFalse(text.contains("other/") || text.contains("DIR"), text);
    }
  }

  @Test
  void linked_packages_find_their_own_dependencies() throws IOException {
    write("store/a/node_modules/a/package.json", "{\"main\": \"a.mjs\"}");
    write("store/a/node_modules/a/a.mjs", "export {default} from 'b'");
    write("store/a/node_modules/b/package.json", "{\"main\": \"b.mjs\"}");
    write("store/a/node_modules/b/b.mjs", "export default 'b'");
    Files.createDirectory(dir.resolve("app/node_modules"));
    Files.createSymbolicLink(
        dir.resolve("app/node_modules/a"), dir.resolve("app/store/a/node_modules/a"));
    assertEquals("b", imported("a"));
    Files.createDirectories(dir.resolve("far"));
    Files.writeString(dir.resolve("far/index.js"), "export default 1");
    Files.createSymbolicLink(dir.resolve("app/node_modules/far"), dir.resolve("far"));
    assertEquals(
        "TypeError: 'far' leads out of .: name a directory that contains it with --root",
        imported("far"));
    Files.writeString(dir.resolve("far/package.json"), "{");
    assertEquals(
        "TypeError: 'far' leads out of .: name a directory that contains it with --root",
        imported("far"));
    Path odd = Files.createDirectory(dir.resolve("app/node_modules/odd"));
    Files.createSymbolicLink(odd.resolve("package.json"), dir.resolve("far/package.json"));
    assertEquals(
        "TypeError: 'node_modules/odd/package.json' leads out of .: name a directory that contains it"
            + " with --root",
        imported("odd"));
  }

  @Test
  void bare_specifiers_fail_as_in_browsers_without_the_option() throws IOException {
    install("x", "{\"main\": \"x.mjs\"}");
    write("node_modules/x/x.mjs", "export default 'x'");
    write("a.mjs", "import 'x'");
    assertTrue(run(1, "a.mjs").contains("Failed to resolve module specifier \"x\""));
    write("worker.mjs", "import x from 'x'; postMessage(x)");
    assertEquals(
        "x\n",
        run(
            0,
            "--node-modules",
            "-e",
            "new Worker('worker.mjs', {type: 'module'}).onmessage = e => { console.log(e.data); e.target.terminate() }"));
  }

  @Test
  void tests_of_a_package_that_uses_locks_run_unchanged() throws IOException {
    Path home = new NpmPackage("@journeyapps/wa-sqlite").home();
    input = Files.readString(Path.of("src/examples/run/wa-sqlite-tests.js"));
    String text = run(home, 0, "--deterministic", "--module", "--node-modules", "-");
    assertTrue(text.endsWith("26 passed, 0 failed\n"), text);
  }

  @Test
  void web_assembly_exists_only_when_asked_for() {
    String code = "console.log(typeof WebAssembly, typeof Polyglot)";
    assertEquals("undefined undefined\n", run(Path.of("").toAbsolutePath(), 0, "-e", code));
    assertEquals("object undefined\n", run(Path.of("").toAbsolutePath(), 0, "--wasm", "-e", code));
    assertEquals(
        "5\n",
        run(
            Path.of("src/examples/run").toAbsolutePath(),
            0,
            "--wasm",
            "--deterministic",
            "--module",
            "add.js"));
  }

  @Test
  void typescript_is_named_with_the_tool_that_strips_its_types() throws IOException {
    write("typed.ts", "const name: string = 'a';");
    write("page.js", "new Worker('typed.ts')");
    write("main.mjs", "\nimport {n} from './typed.ts';");
    String remedy =
        "is TypeScript by its name, and only JavaScript runs: strip its types, such as with npx"
            + " esbuild typed.ts --outfile=typed.js\n";
    String typed = "https://localhost/typed.ts has the type application/octet-stream and ";
    assertEquals(
        """
        Uncaught SyntaxError: Missing assignment to constant "name"
        typed.ts:1:11
            const name: string = 'a';
                      ^
        typed.ts %s\
        """
            .formatted(remedy),
        run(1, "typed.ts"));
    assertEquals(
        "worker https://localhost/typed.ts did not start: it has the type application/octet-stream"
            + " and "
            + remedy,
        run(0, "page.js"));
    String imported =
        "script failed to load: https://localhost/main.mjs: https://localhost/main.mjs:2 imports"
            + " './typed.ts', but "
            + typed
            + remedy;
    String printed = run(1, "main.mjs");
    assertTrue(printed.startsWith(imported), printed);
    assertTrue(run(1, "--module", "-e", "await import('./typed.ts')").contains(typed + remedy));
  }
}
