package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Preload scripts in each kind of global: their errors, and the document that they see. */
class PreloadScriptTest {

  private static final String SITE = "https://one.test";

  private static final Map<String, String> RESOURCES =
      Map.of(
          "/window.html", "<!doctype html><p>hello",
          "/frame.html", "<!doctype html><iframe src=/window.html></iframe>",
          "/blank-frame.html", "<!doctype html><iframe></iframe>",
          "/popup.html", "<!doctype html><script>open('/window.html')</script>",
          "/worker.html", "<!doctype html><script>new Worker('/own.js')</script>",
          "/module.html", "<!doctype html><script>new Worker('/own.js', {type: 'module'})</script>",
          "/shared.html", "<!doctype html><script>new SharedWorker('/own.js')</script>",
          "/service.html",
              "<!doctype html><script>navigator.serviceWorker.register('/own.js')</script>",
          "/own.js", "console.log('ran ' + self.constructor.name)");

  private final List<String> log = new ArrayList<>();
  private final List<UncaughtError> errors = new ArrayList<>();

  private void open(String page, String preload) {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .preloadScript("preload.js", preload)
                .resourceLoader(PreloadScriptTest::load)
                .consoleListener(message -> log.add(message.text()))
                .errorListener(errors::add)
                .build()) {
      Window window = userAgent.open(SITE + page);
      driver.runUntilIdle(100_000);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate("console.log(document.documentElement.outerHTML)");
      driver.runUntilIdle(100_000);
    }
  }

  private static CompletableFuture<ResourceResponse> load(ResourceRequest request) {
    String path = request.url().substring(SITE.length());
    return CompletableFuture.completedFuture(
        ResourceResponse.of(
            request.url(),
            path.endsWith(".js") ? "text/javascript" : "text/html",
            RESOURCES.getOrDefault(path, "")));
  }

  private List<String> failures() {
    return errors.stream()
        .map(error -> error.kind() + " " + error.url() + ":" + error.line() + ":" + error.column())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/window.html, Window, 1",
    "/frame.html, Window, 2",
    "/blank-frame.html, Window, 2",
    "/popup.html, Window, 2",
    "/worker.html, DedicatedWorkerGlobalScope, 1",
    "/module.html, DedicatedWorkerGlobalScope, 1",
    "/shared.html, SharedWorkerGlobalScope, 1",
    "/service.html, ServiceWorkerGlobalScope, 1"
  })
  void exception_is_reported_with_its_line_in_each_kind_of_global(
      String page, String global, int times) {
    open(page, "if (self.constructor.name === '%s')\n  throw new Error('mine')".formatted(global));

    List<String> seen = failures().stream().distinct().toList();
    assertEquals(List.of("PRELOAD preload.js:2:9"), seen);
    assertEquals("Uncaught Error: mine", errors.getFirst().message());
    assertEquals(times, errors.size());
  }

  @ParameterizedTest
  @CsvSource({
    "/window.html, 1",
    "/worker.html, 2",
    "/module.html, 2",
    "/shared.html, 2",
    "/service.html, 2"
  })
  void syntax_error_is_reported_with_its_line_in_each_kind_of_global(String page, int globals) {
    open(page, "let fine;\nconst = 1;");

    assertEquals(globals, errors.size());
    for (UncaughtError error : errors) {
      assertEquals(UncaughtError.Kind.PRELOAD, error.kind());
      assertEquals("preload.js:2", error.url() + ":" + error.line());
    }
  }

  @Test
  void failure_fires_no_event_and_later_scripts_run() {
    open(
        "/worker.html",
        "addEventListener('error', () => console.log('event')); throw new TypeError('mine')");

    assertEquals(2, errors.size());
    assertEquals("ran DedicatedWorkerGlobalScope", log.getFirst());
  }

  @ParameterizedTest
  @CsvSource({"/window.html, loading null 0", "/blank-frame.html, complete HTML 1"})
  void document_exists_before_the_page_is_parsed(String page, String seen) {
    open(
        page,
        """
        if (self.document) {
          document.dispatchEvent(new Event('polyfill-loaded'));
          const root = document.documentElement;
          console.log(
              document.readyState, root && root.tagName, document.childNodes.length,
              document.defaultView === self, location.href === document.URL);
        }
        """);

    assertEquals(List.of(), errors);
    assertEquals(true, log.contains(seen + " true true"), log::toString);
  }

  @Test
  void listener_on_the_empty_document_stays_after_parsing() {
    open(
        "/window.html",
        "document.addEventListener('DOMContentLoaded', () => console.log('parsed'));");

    assertEquals(List.of(), errors);
    assertEquals(List.of("parsed", "<html><head></head><body><p>hello</p></body></html>"), log);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/window.html | document.append(document.createElement('html'))",
        "/window.html | document.append(document.createComment('c'))",
        "/window.html | document.close()",
        "/window.html | if (location.pathname !== '/service.html') location.href = '/service.html'",
        "/window.html | close()",
        "/frame.html | self.frameElement?.remove()",
        "/blank-frame.html | self.frameElement?.remove()",
        "/frame.html | if (self !== top) top.location.href = '/window.html'",
        "/frame.html | history.pushState(1, '', '/other')"
      })
  void preload_that_changes_its_window_is_no_defect(String page, String preload) {
    open(page, preload);

    assertEquals(
        List.of(), errors.stream().filter(e -> e.kind() == UncaughtError.Kind.DEFECT).toList());
  }
}
