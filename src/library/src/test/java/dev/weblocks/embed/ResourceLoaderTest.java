package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceLoaderTest {

  @TempDir private Path folder;
  private Path root;

  @BeforeEach
  void makeFiles() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    Files.writeString(folder.resolve("secret.txt"), "secret");
    Files.writeString(root.resolve("index.html"), "<script src=a%20b.js></script>");
    Files.writeString(root.resolve("a b.js"), "console.log('ran')");
    Files.writeString(root.resolve("50%#?.dat"), "odd");
    Files.createDirectory(root.resolve("sub"));
    Files.writeString(root.resolve("sub/index.html"), "sub");
    Files.createSymbolicLink(root.resolve("link.txt"), folder.resolve("secret.txt"));
    Files.createSymbolicLink(root.resolve("up"), folder);
    Files.createSymbolicLink(root.resolve("same.js"), root.resolve("a b.js"));
  }

  private static ResourceRequest get(String url) {
    return new ResourceRequest("GET", url, List.of(), new byte[0]);
  }

  private static String shown(CompletionStage<ResourceResponse> answer) {
    ResourceResponse response = answer.toCompletableFuture().join();
    return response.status()
        + " "
        + response.headers()
        + " "
        + new String(response.body(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "a%20b.js, 200 [Content-Type=text/javascript;charset=utf-8] console.log('ran')",
    "a%20b.js?query, 200 [Content-Type=text/javascript;charset=utf-8] console.log('ran')",
    "same.js, 200 [Content-Type=text/javascript;charset=utf-8] console.log('ran')",
    "'', 200 [Content-Type=text/html;charset=utf-8] <script src=a%20b.js></script>",
    "sub/, 200 [Content-Type=text/html;charset=utf-8] sub",
    "50%25%23%3F.dat, 200 [Content-Type=application/octet-stream] odd",
  })
  void directory_serves_its_files(String path, String expected) {
    ResourceLoader loader = ResourceLoader.directory("https://one.test/files/", root);
    assertEquals(expected, shown(loader.load(get("https://one.test/files/" + path))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing",
        "a%20b.js/",
        "../secret.txt",
        "..%2Fsecret.txt",
        "%2e%2e/secret.txt",
        "sub/../../secret.txt",
        "..%5Csecret.txt",
        "link.txt",
        "up/secret.txt",
        "%00",
        "/etc/passwd",
      })
  void no_path_leaves_the_directory(String path) {
    ResourceLoader loader = ResourceLoader.directory("https://one.test/", root);
    assertEquals("404 [] ", shown(loader.load(get("https://one.test/" + path))));
  }

  @Test
  void directory_loader_refuses_post_requests() {
    ResourceLoader loader = ResourceLoader.directory("https://one.test/", root);
    assertEquals(
        "405 [Allow=GET, HEAD] ",
        shown(
            loader.load(new ResourceRequest("POST", "https://one.test/", List.of(), new byte[0]))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://two.test/",
        "https://one.test/other",
        "file:///",
        "https://one.test.evil/"
      })
  void directory_answers_only_urls_below_its_base(String url) {
    ResourceLoader loader = ResourceLoader.directory("https://one.test/files", root);
    assertThrows(
        CompletionException.class, () -> loader.load(get(url)).toCompletableFuture().join());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"one.test", "data:text/html,", "https://one.test/?x", "https://one.test/#x"})
  void directory_refuses_a_base_url_with_query_fragment_or_opaque_path(String base) {
    assertThrows(IllegalArgumentException.class, () -> ResourceLoader.directory(base, root));
  }

  @Test
  void file_urls_are_read_when_enabled() {
    ResourceLoader loader = ResourceLoader.files(root);
    assertEquals(
        "200 [Content-Type=text/html;charset=utf-8] sub",
        shown(loader.load(get(root.toUri() + "sub/index.html"))));
    assertThrows(
        CompletionException.class,
        () -> loader.load(get(folder.toUri() + "secret.txt")).toCompletableFuture().join());
  }

  @ParameterizedTest
  @CsvSource({
    "https://one.test/page.html, ''",
    "http://localhost/page.html, ''",
    "file:///page.html, [file:///a.js] [file:///blob.txt] [file:///f.txt] [file:///frame.html]"
        + " [file:///next.html] [file:///srcdoc.txt]",
  })
  void only_pages_of_files_load_files(String page, String expected) {
    List<String> loaded = new ArrayList<>();
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .consoleListener(message -> log.add(message.text()))
                .resourceLoader(request -> {
                  if (!request.url().equals(page)) {
                    loaded.add("[" + request.url() + "]");
                  }
                  return CompletableFuture.completedFuture(
                      ResourceResponse.of(request.url(), "text/html", "<body></body>"));
                })
                .build()) {
      Window window = userAgent.open(page);
      driver.runUntilIdle(10_000);
      for (String script :
          List.of(
              "fetch('file:///f.txt').catch(e => console.log(e.name))",
              "fetch('file:///f.txt', {mode: 'no-cors'}).catch(e => console.log(e.name))",
              "document.body.innerHTML = '<iframe src=\"file:///frame.html\"></iframe>'",
              "const s = document.createElement('script'); s.src = 'file:///a.js';"
                  + "document.body.append(s)",
              "new Worker('file:///w.js')",
              "const load = n => `fetch('file:///${n}.txt', {mode: 'no-cors'}).catch(() => 0)`;"
                  + "new Worker(URL.createObjectURL(new Blob([load('blob')])))",
              "const frame = document.createElement('iframe');"
                  + "frame.srcdoc = `<script>${load('srcdoc')}</script>`;"
                  + "document.body.append(frame)",
              "location = 'file:///next.html'")) {
        CompletableFuture<EvaluatedValue> unused = window.evaluate(script);
        driver.runUntilIdle(10_000);
      }
    }
    loaded.sort(null);
    assertEquals(expected, String.join(" ", loaded));
  }

  @Test
  void reload_and_traversal_come_from_the_page_that_starts_them() {
    List<String> loaded = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request -> {
                  loaded.add(request.url() + " from " + request.origins());
                  return CompletableFuture.completedFuture(
                      ResourceResponse.of(
                          request.url(),
                          "text/html",
                          "<script>navigator.locks?.request('not kept' + Math.random(),"
                              + " () => new Promise(() => {}))</script>"));
                })
                .build()) {
      Window window = userAgent.open("https://one.test/");
      driver.runUntilIdle(10_000);
      for (String script :
          List.of(
              "location.reload()",
              "history.go(0)",
              "location = 'https://two.test/'",
              "history.back()",
              "location = 'file:///never'",
              "history.forward()")) {
        CompletableFuture<EvaluatedValue> unused = window.evaluate(script);
        driver.runUntilIdle(10_000);
      }
      Window file = userAgent.open("file:///page");
      driver.runUntilIdle(10_000);
      CompletableFuture<EvaluatedValue> unused = file.evaluate("location.reload()");
      driver.runUntilIdle(10_000);
    }
    assertEquals(
        List.of(
            "https://one.test/ from []",
            "https://one.test/ from [https://one.test]",
            "https://one.test/ from [https://one.test]",
            "https://two.test/ from [https://one.test]",
            "https://one.test/ from [https://two.test]",
            "https://two.test/ from [https://one.test]",
            "file:///page from []",
            "file:///page from [null]"),
        loaded);
  }

  @Test
  void memory_loader_serves_its_entries() throws IOException {
    ResourceLoader loader =
        ResourceLoader.inMemory()
            .put("https://one.test/", "page")
            .put("https://one.test/a.mjs?1", "one")
            .put("https://one.test/bytes", "a/b", new byte[] {'x'})
            .put(
                "https://one.test/echo",
                request -> new ResourceResponse(request.url(), 299, "", List.of(), request.body()))
            .directory("https://two.test/files", root)
            .build();
    List<String> answers = new ArrayList<>();
    for (String url :
        List.of(
            "https://one.test/",
            "https://one.test/a.mjs?1",
            "https://one.test/a.mjs",
            "https://one.test/bytes?any",
            "https://one.test/echo",
            "https://two.test/files/",
            "https://two.test/files/sub/index.html",
            "https://two.test/files/50%25%23%3F.dat",
            "https://two.test/files/link.txt")) {
      answers.add(shown(loader.load(get(url))));
    }
    assertEquals(
        List.of(
            "200 [Content-Type=text/html;charset=utf-8] page",
            "200 [Content-Type=text/javascript;charset=utf-8] one",
            "404 [] ",
            "200 [Content-Type=a/b] x",
            "299 [] ",
            "200 [Content-Type=text/html;charset=utf-8] <script src=a%20b.js></script>",
            "200 [Content-Type=text/html;charset=utf-8] sub",
            "200 [Content-Type=application/octet-stream] odd",
            "404 [] "),
        answers);
    assertThrows(
        IllegalArgumentException.class, () -> ResourceLoader.inMemory().put("no url", "x"));
  }

  @Test
  void page_of_a_directory_runs_under_a_deterministic_driver() throws IOException {
    List<String> log = new ArrayList<>();
    for (ResourceLoader loader :
        List.of(
            ResourceLoader.directory("https://one.test/", root, Runnable::run),
            ResourceLoader.inMemory().directory("https://one.test/", root).build())) {
      try (DeterministicDriver driver = Driver.deterministic(1);
          UserAgent userAgent =
              UserAgent.newBuilder()
                  .driver(driver)
                  .resourceLoader(loader)
                  .consoleListener(message -> log.add(message.text()))
                  .build()) {
        Window window = userAgent.open("https://one.test/");
        driver.runUntilIdle(1000);
        assertTrue(window.loaded().isDone());
      }
    }
    assertEquals(List.of("ran", "ran"), log);
  }
}
