package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.UncaughtError;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts with names that end like those of other types of files. Only the type of an element, an
 * option or an attribute makes a script a module.
 */
class ScriptNamesTest {

  private static final String SITE = "https://one.test";

  private final Set<String> kinds = new TreeSet<>();
  private final List<String> log = new ArrayList<>();
  private final List<UncaughtError> errors = new ArrayList<>();

  /** Returns a script that logs whether it runs as a classic script. */
  private static String kind(String way) {
    return "console.log(`" + way + " ${this === undefined ? 'module' : 'classic'}`)";
  }

  /** Returns the script or page whose way of use is the first part of its path. */
  private static ResourceResponse response(String url) {
    String way = URI.create(url.replaceFirst("[?#].*", "")).getPath().split("/")[1];
    String name = url.substring((SITE + "/" + way + "/").length());
    String text =
        switch (way) {
          case "page" -> page(name);
          case "importer" -> "importScripts('/importScripts/" + name + "')";
          case "importing" -> "import '/static-import/" + name + "'";
          case "json" -> "{}";
          default -> kind(way);
        };
    String type =
        way.equals("page")
            ? "text/html"
            : way.equals("json") ? "application/json" : "text/javascript";
    return ResourceResponse.of(url, type, text);
  }

  private static String page(String name) {
    return """
    <!doctype html>
    <body onclick="KIND(handler)">
    <script>KIND(inline script)</script>
    <script src="/script/NAME"></script>
    <script src="/deferred-script/NAME" defer></script>
    <script src="data:text/javascript,KIND(data URL)%0A//NAME"></script>
    <script type=module src="/module-script/NAME"></script>
    <script>
      document.body.click();
      setTimeout("KIND(timer)");
      location.href = "javascript:void " + encodeURIComponent("KIND(javascript URL)");
      const url = text => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
      const script = document.createElement('script');
      script.src = url("KIND(blob URL)") + '#NAME';
      document.body.append(script);
      new Worker(url("KIND(worker of a blob URL)") + '#NAME');
      new Worker("data:text/javascript,KIND(worker of a data URL)%0A//NAME");
      new Worker('/worker/NAME');
      new Worker('/importer/NAME');
      new Worker('/module-worker/NAME', {type: 'module'});
      new SharedWorker('/shared-worker/NAME');
      new SharedWorker('/shared-module-worker/NAME', {type: 'module'});
      navigator.serviceWorker.register('/service-worker/NAME');
      import('/dynamic-import/NAME');
      import('/importing/NAME');
      import('/json/NAME', {with: {type: 'json'}}).then(() => console.log('json module'));
    </script>
    """
        .replaceAll("KIND\\((.*?)\\)", kind("$1").replace("${this", "\\${this"))
        .replace("NAME", name);
  }

  private void open(String page, String preloadName) {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .preloadScript(preloadName, kind("preload script"))
                .resourceLoader(
                    request -> CompletableFuture.completedFuture(response(request.url())))
                .consoleListener(message -> {
                  log.add(message.text());
                  kinds.add(message.text());
                })
                .errorListener(errors::add)
                .build()) {
      Window window = userAgent.open(SITE + page);
      driver.runUntilIdle(100_000);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate(
              kind("evaluate"), EvaluationOptions.newBuilder().name(preloadName).build());
      driver.runUntilIdle(100_000);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.js",
        "a.mjs",
        "a.mts",
        "a.json",
        "a.wasm",
        "a.html",
        "a",
        ".mjs",
        "a.js?b.mjs",
        "a.js?b=c.json",
        "a.js?b=.wasm",
        "a.mjs?b.js"
      })
  void name_of_a_script_does_not_change_its_type(String name) {
    open("/page/" + name, SITE + "/" + name);
    assertEquals(List.of(), errors);
    assertEquals(
        new TreeSet<>(
            Set.of(
                "blob URL classic",
                "data URL classic",
                "deferred-script classic",
                "dynamic-import module",
                "evaluate classic",
                "handler classic",
                "importScripts classic",
                "inline script classic",
                "javascript URL classic",
                "json module",
                "module-script module",
                "module-worker module",
                "preload script classic",
                "script classic",
                "service-worker classic",
                "shared-module-worker module",
                "shared-worker classic",
                "static-import module",
                "timer classic",
                "worker classic",
                "worker of a blob URL classic",
                "worker of a data URL classic")),
        kinds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"thrower.mjs", "thrower.js?of=a.mjs", "thrower.js#a.mjs"})
  void exception_of_a_script_is_reported_and_the_parser_continues(String name) {
    try (Scenario scenario = new Scenario(1)) {
      List<UncaughtError> reported =
          scenario
              .server(request ->
                  request.url().contains("thrower")
                      ? Optional.of(
                          ResourceResponse.of(
                              request.url(), "text/javascript", "\n  throw new Error('mine')"))
                      : Optional.empty())
              .window(
                  "addEventListener('load', () => console.log('load'))</script>"
                      + "<script src='"
                      + name
                      + "'></script><script>console.log('after')")
              .runForErrors();
      assertEquals(List.of("after", "load"), scenario.log());
      assertEquals(1, reported.size());
      UncaughtError error = reported.getFirst();
      assertEquals(
          "SCRIPT Uncaught Error: mine at 2:9",
          error.kind() + " " + error.message() + " at " + error.line() + ":" + error.column());
    }
  }

  @Test
  void import_declaration_in_a_classic_worker_is_a_syntax_error() {
    List<String> seen =
        Scenario.logOf(
            """
            const url = URL.createObjectURL(
              new Blob(["import './a.js'"], {type: 'text/javascript'})) + '#a.mjs';
            new Worker(url).onerror = e => {
              e.preventDefault();
              console.log(e.message.match(/SyntaxError/)?.[0] ?? e.message);
            };
            """);
    assertEquals(List.of("SyntaxError"), seen);
  }
}
