package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WptServerTest {

  private static final String ORIGIN = "http://web-platform.test:8000";

  private final MiniatureWpt wpt = new MiniatureWpt();
  private final FakeTimers timers = new FakeTimers();
  private final ResultCollector results = new ResultCollector(ORIGIN + "/t.any.html", () -> {});
  private final WptServer server =
      new WptServer(
          WptHosts.standard(),
          new WptFiles(wpt.root()),
          "the report script",
          results,
          () -> new UUID(0, 7),
          timers,
          null);

  private ResourceResponse send(String method, String url, String body) {
    CompletionStage<ResourceResponse> answer =
        server.load(new ResourceRequest(method, url, List.of(), body.getBytes(UTF_8)));
    return answer.toCompletableFuture().join();
  }

  private ResourceResponse get(String path) {
    return send("GET", ORIGIN + path, "");
  }

  private String text(String path) {
    ResourceResponse response = get(path);
    assertEquals(200, response.status(), () -> new String(response.body(), UTF_8));
    return new String(response.body(), UTF_8);
  }

  private static String header(ResourceResponse response, String name) {
    return response.headers().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .reduce("", (all, value) -> all.isEmpty() ? value : all + ", " + value);
  }

  @Test
  void requests_to_other_hosts_use_the_fallback_loader() {
    WptServer beside =
        new WptServer(
            WptHosts.standard(),
            new WptFiles(wpt.root()),
            "the report script",
            results,
            () -> new UUID(0, 7),
            timers,
            request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(request.url(), "text/plain", "from elsewhere")));
    ResourceResponse answer =
        beside
            .load(new ResourceRequest("GET", "https://example.org/", List.of(), new byte[0]))
            .toCompletableFuture()
            .join();
    assertEquals("from elsewhere", new String(answer.body(), UTF_8));
    ResourceResponse own =
        beside
            .load(new ResourceRequest("GET", ORIGIN + "/missing", List.of(), new byte[0]))
            .toCompletableFuture()
            .join();
    assertEquals(404, own.status());
  }

  @Test
  void first_of_several_directories_with_a_file_serves_it() throws IOException {
    MiniatureWpt own = new MiniatureWpt().file("dir/a.txt", "own").file("dir/b.txt", "own");
    wpt.file("dir/b.txt", "wpt").file("dir/c.txt", "wpt");
    try (WptFiles files = new WptFiles(List.of(own.root(), wpt.root()))) {
      List<String> texts = new ArrayList<>();
      for (String path : List.of("/dir/a.txt", "/dir/b.txt", "/dir/c.txt")) {
        texts.add(new String(files.read(path).orElseThrow(), UTF_8));
      }
      assertEquals(List.of("own", "own", "wpt"), texts);
      assertTrue(files.read("/dir/d.txt").isEmpty());
      assertTrue(files.read("/../dir/a.txt").isEmpty());
    }
  }

  /** Asserts that the text contains the snippets in this order. */
  private static void assertInOrder(String text, String... snippets) {
    int from = 0;
    for (String snippet : snippets) {
      int at = text.indexOf(snippet, from);
      assertTrue(at >= 0, () -> "'" + snippet + "' is not, or not in that order, in:\n" + text);
      from = at + snippet.length();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a.html, text/html",
    "a.js, text/javascript",
    "a.mjs, text/javascript",
    "a.json, application/json",
    "a.xhtml, application/xhtml+xml",
    "a.svg, image/svg+xml",
    "a.txt, text/plain",
    "a.wasm, application/wasm",
    "a.idl, application/octet-stream",
    "plain, application/octet-stream"
  })
  void content_type_follows_the_extension(String file, String type) {
    wpt.file("dir/" + file, "content");

    ResourceResponse response = get("/dir/" + file);
    assertEquals("content", new String(response.body(), UTF_8));
    assertEquals(type, header(response, "Content-Type"));
  }

  @Test
  void missing_files_and_paths_outside_the_root_give_status_404() {
    wpt.file("dir/x.txt", "x");

    assertEquals(404, get("/dir/y.txt").status());
    assertEquals(404, get("/dir").status());
    assertEquals(404, get("/dir/").status());
    assertEquals(200, get("/dir/../dir/x.txt").status(), "dots end in the URL parser");
    assertEquals(404, get("/dir/..%2Fdir/x.txt").status());
    assertEquals(404, get("/..%2Fwpt/dir/x.txt").status());
    assertEquals(404, get("/tools/serve.py").status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.org:8000/x.txt",
        "http://web-platform.test/x.txt",
        "http://nonexistent.web-platform.test:8000/x.txt",
        "ftp://web-platform.test:8000/x.txt"
      })
  void unserved_address_is_a_network_error(String url) {
    wpt.file("x.txt", "x");

    CompletionException failure =
        assertThrows(CompletionException.class, () -> send("GET", url, ""));
    assertInstanceOf(ConnectException.class, failure.getCause());
  }

  @Test
  void the_same_files_are_served_under_every_host() {
    wpt.file("x.txt", "x");

    assertEquals(200, send("GET", "https://www1.web-platform.test:8444/x.txt", "").status());
    assertEquals(200, send("GET", "https://not-web-platform.test:8443/x.txt", "").status());
    assertEquals(200, send("GET", "http://élève.web-platform.test:8001/x.txt", "").status());
  }

  @Test
  void window_wrapper_loads_harness_report_scripts_and_test_in_order() {
    wpt.file(
        "dir/t.any.js",
        "// META: title=Less < more & so on",
        "// META: script=resources/one.js",
        "// META: script=/common/two.js?a=1&b=\"2\"",
        "// META: timeout=long");

    ResourceResponse response = get("/dir/t.any.html?v=1");
    String page = new String(response.body(), UTF_8);
    assertEquals("text/html", header(response, "Content-Type"));
    assertTrue(page.startsWith("<!doctype html>\n"), page);
    assertInOrder(
        page,
        "<title>Less &lt; more &amp; so on</title>",
        "<meta name=timeout content=long>",
        "self.GLOBAL =",
        "isWindow() { return true; }",
        "isWorker() { return false; }",
        "<script src=\"/resources/testharness.js\"></script>",
        "<script src=\"/resources/testharnessreport.js\"></script>",
        "<script src=\"resources/one.js\"></script>",
        "<script src=\"/common/two.js?a=1&amp;b=&quot;2&quot;\"></script>",
        "<div id=log></div>",
        "<script src=\"/dir/t.any.js\"></script>");
  }

  @Test
  void a_worker_wrapper_starts_the_worker_script_with_the_pages_query() {
    wpt.file("dir/t.any.js", "// META: script=one.js");

    String page = text("/dir/t.any.worker.html?v=1");
    assertInOrder(
        page,
        "/resources/testharness.js",
        "/resources/testharnessreport.js",
        "fetch_tests_from_worker(new Worker(\"/dir/t.any.worker.js?v=1\"));");
    assertFalse(page.contains("one.js"), page);
  }

  @Test
  void worker_script_imports_harness_scripts_and_test_and_calls_done() {
    wpt.file("dir/t.any.js", "// META: title=A \"name\"", "// META: script=one.js");

    ResourceResponse response = get("/dir/t.any.worker.js?v=1");
    assertEquals("text/javascript", header(response, "Content-Type"));
    assertInOrder(
        new String(response.body(), UTF_8),
        "isWindow() { return false; }",
        "isWorker() { return true; }",
        "self.META_TITLE = \"A \\\"name\\\"\";",
        "importScripts(\"/resources/testharness.js\");",
        "importScripts(\"one.js\");",
        "importScripts(\"/dir/t.any.js\");",
        "done();");
  }

  @Test
  void module_shared_worker_and_service_worker_wrappers_are_served() {
    wpt.file(
        "dir/t.any.js",
        "// META: global=window-module,dedicatedworker-module,sharedworker,serviceworker-module");

    assertInOrder(
        text("/dir/t.any.window-module.html"), "<script type=module src=\"/dir/t.any.js\">");
    assertInOrder(
        text("/dir/t.any.worker-module.html"),
        "new Worker(\"/dir/t.any.worker-module.js\", {type: \"module\"})");
    assertInOrder(
        text("/dir/t.any.worker-module.js"),
        "import \"/resources/testharness.js\";",
        "import \"/dir/t.any.js\";");
    assertInOrder(
        text("/dir/t.any.sharedworker.html"), "new SharedWorker(\"/dir/t.any.worker.js\")");
    assertInOrder(
        text("/dir/t.any.serviceworker-module.html"),
        "const script = \"/dir/t.any.worker-module.js\";",
        "register(script, {scope, type: \"module\"})");
  }

  @Test
  void window_and_worker_scripts_have_wrapper_pages() {
    wpt.file("dir/a.window.js", "// META: script=one.js").file("dir/b.worker.js", "done();");

    assertInOrder(text("/dir/a.window.html"), "src=\"one.js\"", "src=\"/dir/a.window.js\"");
    assertInOrder(text("/dir/b.worker.html?q"), "new Worker(\"/dir/b.worker.js?q\")");
    assertEquals("done();", text("/dir/b.worker.js"));
  }

  @Test
  void wrapper_for_a_scope_not_named_by_the_test_gives_status_404() {
    wpt.file("dir/t.any.js", "// META: global=window");

    ResourceResponse response = get("/dir/t.any.worker.html");
    assertEquals(404, response.status());
    assertEquals(
        "/dir/t.any.js is not meant for the scope 'dedicatedworker'\n",
        new String(response.body(), UTF_8));
    assertEquals(404, get("/dir/absent.any.html").status());
  }

  @Test
  void header_files_of_directory_and_file_are_merged_and_set_content_type() {
    wpt.file("dir/x.js", "x")
        .file("dir/__dir__.headers", "X-One: dir", "X-Two: dir")
        .file("dir/x.js.headers", "Content-Type: text/plain; charset=utf-8", "X-Two:  file: a ");

    ResourceResponse response = get("/dir/x.js");
    assertEquals("dir", header(response, "X-One"));
    assertEquals("dir, file: a", header(response, "X-Two"));
    assertEquals("text/plain; charset=utf-8", header(response, "Content-Type"));
  }

  @Test
  void header_files_of_a_script_apply_to_its_wrapper_with_substitution() {
    wpt.file("dir/t.any.js", "").file("dir/t.any.js.sub.headers", "X-Origin: {{location[server]}}");

    ResourceResponse response = get("/dir/t.any.html");
    assertEquals(ORIGIN, header(response, "X-Origin"));
    assertEquals("text/html", header(response, "Content-Type"));
  }

  @Test
  void invalid_header_file_is_a_server_error_that_names_it() {
    wpt.file("dir/x.js", "x").file("dir/x.js.headers", "no header at all");

    ResourceResponse response = get("/dir/x.js");
    assertEquals(500, response.status());
    assertEquals(
        "/dir/x.js.headers: 'no header at all' is not a header\n",
        new String(response.body(), UTF_8));
  }

  @Test
  void only_files_with_sub_in_their_name_are_substituted() {
    wpt.file("dir/a.sub.js", "{{host}}")
        .file("dir/a.js", "{{host}}")
        .file("dir/w.sub.any.js", "// META: title={{GET[t]}}");

    assertEquals("web-platform.test", text("/dir/a.sub.js"));
    assertEquals("{{host}}", text("/dir/a.js"));
    assertInOrder(text("/dir/w.sub.any.html?t=hello"), "<title>hello</title>");
  }

  @Test
  void unsupported_handlers_and_pipes_give_status_501_and_a_note() {
    wpt.file("dir/h.py", "pass").file("dir/x.js", "x").file("dir/r.asis", "HTTP");

    ResourceResponse handler = get("/dir/h.py?x");
    assertEquals(501, handler.status());
    assertEquals(
        "the handler /dir/h.py has no implementation in Java\n", new String(handler.body(), UTF_8));
    assertEquals(501, send("POST", ORIGIN + "/dir/h.py", "").status());
    assertEquals(501, get("/dir/x.js?pipe=gzip").status());
    assertEquals(501, get("/dir/r.asis").status());
    assertEquals(404, get("/dir/absent.py").status());
    assertEquals(
        List.of(
            "the handler /dir/h.py has no implementation in Java",
            "the pipe 'gzip' is not supported",
            "/dir/r.asis: raw responses (.asis) are not supported"),
        results.snapshot().notes());
  }

  @Test
  void report_script_is_replaced_and_idl_parser_has_two_urls() {
    wpt.file("resources/testharnessreport.js", "the suite's own")
        .file("resources/webidl2/lib/webidl2.js", "the parser");

    assertEquals("the report script", text("/resources/testharnessreport.js"));
    assertEquals("the parser", text("/resources/WebIDLParser.js"));
  }

  @Test
  void files_accept_only_get_and_head_requests() {
    wpt.file("x.txt", "x");

    assertEquals(405, send("POST", ORIGIN + "/x.txt", "body").status());
    ResourceResponse head = send("HEAD", ORIGIN + "/x.txt", "");
    assertEquals(200, head.status());
    assertEquals(0, head.body().length);
    assertEquals("text/plain", header(head, "Content-Type"));
  }

  @Test
  void results_are_accepted_from_any_origin_and_invalid_results_refused() {
    String loaded = "{\"type\":\"loaded\",\"page\":\"" + ORIGIN + "/t.any.html\"}";

    assertEquals(405, get("/weblocks/results").status());
    assertEquals(400, send("POST", ORIGIN + "/weblocks/results", "{").status());
    assertFalse(results.snapshot().loaded());
    assertEquals(
        200, send("POST", "https://www.web-platform.test:8443/weblocks/results", loaded).status());
    assertTrue(results.snapshot().loaded());
  }

  @Test
  void a_file_is_read_once_and_then_served_from_memory() {
    wpt.file("x.txt", "first");
    assertEquals("first", text("/x.txt"));
    wpt.file("x.txt", "second");

    assertEquals("first", text("/x.txt"));
  }

  @Test
  void last_pipe_parameter_applies_to_files_wrappers_and_handlers() {
    wpt.file("dir/a.txt", "{{host}}<")
        .file("dir/b.sub.html", "{{GET[x]}}")
        .file("dir/t.any.js", "");

    assertEquals("web-platform.test<", text("/dir/a.txt?pipe=sub(none)"));
    ResourceResponse changed =
        get("/dir/b.sub.html?x=%3C&pipe=slice(0)&pipe=status(202)|header(X-A,%C3%A9)");
    assertEquals(202, changed.status());
    assertEquals("Accepted", changed.statusText());
    assertEquals("é", header(changed, "X-A"));
    assertEquals("&lt;", new String(changed.body(), UTF_8));
    assertEquals("b", header(get("/dir/t.any.html?pipe=header(X-A, b )"), "X-A"));
    assertEquals("b", header(get("/common/redirect.py?location=/&pipe=header(X-A,b)"), "X-A"));
    assertEquals(200, get("/dir/a.txt?pipe=").status());
  }

  @Test
  void delayed_response_waits_until_its_delay_is_over() {
    wpt.file("dir/a.txt", "a");
    CompletableFuture<ResourceResponse> answer = sendLate("/dir/a.txt?pipe=trickle(d1)");
    timers.advance(Duration.ofMillis(999));
    assertFalse(answer.isDone());
    timers.advance(Duration.ofMillis(1));

    assertEquals("a", new String(answer.join().body(), UTF_8));
  }

  @Test
  void delayed_response_is_dropped_when_cancelled() {
    CompletableFuture<ResourceResponse> given = sendLate("/common/slow.py");
    assertEquals(1, timers.pending());

    given.cancel(false);

    assertEquals(0, timers.pending());
  }

  private CompletableFuture<ResourceResponse> sendLate(String path) {
    return server
        .load(new ResourceRequest("GET", ORIGIN + path, List.of(), new byte[0]))
        .toCompletableFuture();
  }

  @Test
  void handlers_share_a_stash_across_hosts_and_see_host_query_and_body() {
    String id = "01234567-89ab-cdef-0123-456789abcdef";
    String path = "/common/dispatcher/dispatcher.py?uuid=" + id;
    assertEquals("done", new String(send("POST", ORIGIN + path, "message").body(), UTF_8));
    assertEquals(
        "message",
        new String(
            send("GET", "https://www1.not-web-platform.test:8444" + path, "").body(), UTF_8));
    get(path + "&show-headers");
    assertEquals("{\"host\":\"web-platform.test:8000\"}", text(path));
    ResourceResponse head = send("HEAD", ORIGIN + "/common/echo.py?content=x", "");
    assertEquals(0, head.body().length);
    assertEquals("text/html", header(head, "Content-Type"));
  }

  @Test
  void a_handler_that_cannot_answer_is_a_server_error_with_its_reason() {
    ResourceResponse response = get("/common/redirect.py");

    assertEquals(500, response.status());
    assertEquals(
        List.of("the handler /common/redirect.py failed: the query has no 'location'"),
        results.snapshot().notes());
  }

  @Test
  void ports_of_other_address_spaces_are_served() {
    wpt.file("x.txt", "x");

    assertEquals(200, send("GET", "http://web-platform.test:8003/x.txt", "").status());
    assertEquals(200, send("GET", "https://web-platform.test:8445/x.txt", "").status());
  }
}
