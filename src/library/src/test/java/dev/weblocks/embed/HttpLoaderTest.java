package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to a server on this machine. */
class HttpLoaderTest {

  /** A timeout that only a hang reaches. */
  private static final long LIMIT_SECONDS = 60;

  private final CountDownLatch released = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private String origin;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", HttpLoaderTest::echo);
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/landed?x");
          respond(exchange, 302, "");
        });
    server.createContext(
        "/page",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          respond(
              exchange,
              200,
              """
              <script>
              fetch('/moved').then(async r => console.log(r.type, r.redirected, r.url, await r.text()));
              </script>
              """);
        });
    server.createContext(
        "/never",
        exchange -> {
          // sends the head, but never the body
          exchange.sendResponseHeaders(200, 10);
          exchange.getResponseBody().write('a');
          exchange.getResponseBody().flush();
          await(released);
          exchange.close();
        });
    server.start();
    origin = "http://localhost:" + server.getAddress().getPort();
  }

  @AfterEach
  void stopServer() {
    released.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Returns the request as a body, without headers that differ between clients. */
  private static void echo(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Set<String> headers = new TreeSet<>(exchange.getRequestHeaders().keySet());
    headers.removeAll(Set.of("Host", "User-agent", "Content-length"));
    exchange.getResponseHeaders().add("X-Two", "1");
    exchange.getResponseHeaders().add("X-Two", "2");
    respond(
        exchange,
        201,
        exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + headers + " " + body);
  }

  private ResourceRequest request(String method, String path, String body) {
    return new ResourceRequest(
        method,
        origin + path,
        List.of(Map.entry("X-Custom", "x"), Map.entry("Host", "elsewhere.test")),
        body.getBytes(StandardCharsets.UTF_8));
  }

  private static ResourceResponse get(ResourceLoader loader, ResourceRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    return loader.load(request).toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static Throwable failure(ResourceLoader loader, ResourceRequest request) {
    return assertThrows(ExecutionException.class, () -> get(loader, request)).getCause();
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "GET; /a?b; ''; 'GET /a?b [X-custom] '",
        "POST; /a; body; 'POST /a [X-custom] body'",
        "PATCH; /%7B; ''; 'PATCH /%7B [X-custom] '",
        "GET; '/a|b{}^[x]%zz%41?[q]'; ''; 'GET /a%7Cb%7B%7D%5E%5Bx%5D%25zz%41?[q] [X-custom] '",
      },
      delimiter = ';')
  void request_reaches_the_server(String method, String path, String body, String seen)
      throws Exception {
    ResourceLoader loader = ResourceLoader.http();
    try {
      ResourceResponse response = get(loader, request(method, path, body));
      assertEquals(201, response.status());
      assertEquals(origin + path, response.url());
      assertEquals(seen, new String(response.body(), StandardCharsets.UTF_8));
      assertEquals(
          List.of("1", "2"),
          response.headers().stream()
              .filter(each -> each.getKey().equalsIgnoreCase("x-two"))
              .map(Map.Entry::getValue)
              .toList());
    } finally {
      loader.close();
    }
  }

  @Test
  void loader_does_not_follow_redirects() throws Exception {
    ResourceLoader loader = ResourceLoader.http();
    ResourceResponse response = get(loader, request("GET", "/moved", ""));
    assertEquals(302, response.status());
    loader.close();
  }

  @Test
  void response_that_does_not_end_times_out() {
    ResourceLoader loader =
        ResourceLoader.http(HttpOptions.newBuilder().timeout(Duration.ofMillis(50)).build());
    assertInstanceOf(TimeoutException.class, failure(loader, request("GET", "/never", "")));
    loader.close();
  }

  @Test
  void response_that_is_too_long_fails() {
    ResourceLoader loader = ResourceLoader.http(HttpOptions.newBuilder().maxBodyBytes(3).build());
    Throwable failure = failure(loader, request("GET", "/a", ""));
    assertTrue(
        String.valueOf(failure.getMessage()).contains("longer than 3 bytes"), () -> "" + failure);
    loader.close();
  }

  @ParameterizedTest
  @CsvSource({"file:///etc/passwd", "ftp://localhost/", "http://a_b c/"})
  void other_and_malformed_urls_are_refused(String url) {
    assertInstanceOf(
        IllegalArgumentException.class,
        failure(ResourceLoader.http(), new ResourceRequest("GET", url, List.of(), new byte[0])));
  }

  @Test
  void closed_loader_refuses_requests() throws Exception {
    ResourceLoader loader = ResourceLoader.http();
    get(loader, request("GET", "/a", ""));
    loader.close();
    loader.close();
    assertThrows(IllegalStateException.class, () -> loader.load(request("GET", "/a", "")));
  }

  @Test
  void options_out_of_range_are_refused() {
    assertThrows(
        IllegalArgumentException.class, () -> HttpOptions.newBuilder().timeout(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpOptions.newBuilder().connectTimeout(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> HttpOptions.newBuilder().maxBodyBytes(-1));
  }

  @Tag("alone")
  @Test
  void page_from_a_real_server_runs_and_closing_ends_the_loaders_threads() throws Exception {
    BlockingQueue<String> console = new LinkedBlockingQueue<>();
    Set<Thread> before = clientThreads();
    try (ResourceLoader loader = ResourceLoader.http();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .resourceLoader(loader)
                .consoleListener(message -> console.add(message.text()))
                .build()) {
      userAgent.open(origin + "/page");
      assertEquals(
          "basic true " + origin + "/landed?x GET /landed?x [Accept, Accept-language, Referer] ",
          console.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
    }
    for (Thread each : clientThreads()) {
      if (!before.contains(each)) {
        each.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        assertTrue(!each.isAlive(), each.getName());
      }
    }
  }

  private static Set<Thread> clientThreads() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(each ->
        !each.getName().startsWith("HttpClient-") || !each.getName().contains("SelectorManager"));
    return found;
  }

  @Test
  void by_default_a_user_agent_has_no_network() {
    CompletableFuture<?> loaded;
    try (UserAgent userAgent = UserAgent.newBuilder().build()) {
      loaded = userAgent.open(origin + "/page").loaded();
      Throwable failure =
          assertThrows(ExecutionException.class, () -> loaded.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertTrue(
          String.valueOf(failure.getMessage()).contains("the user agent has no resource loader"),
          () -> "" + failure);
    }
  }
}
