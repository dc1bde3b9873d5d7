package dev.weblocks.embed;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.FileNotFoundException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the examples in the descriptions of windows and resource loaders. */
class WindowExamplesTest {

  private final Environment environment = SharedEnvironment.ENVIRONMENT;
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .environment(environment)
          .resourceLoader(
              ResourceLoader.inMemory().put("https://shop.test/", "<title>Cart</title>").build())
          .build();

  @AfterEach
  void close() {
    userAgent.close();
  }

  @Test
  void window_is_opened_read_and_closed() {
    Object title;
    // @start region="window"
    Window window = userAgent.open("https://shop.test/");
    window.loaded().join();
    title = window.evaluate("document.title").join().value(); // Cart
    window.close(); // returns at once, whatever the script does
    window.ended().join(); // its locks are released
    // @end
    assertEquals("Cart", title);
  }

  @Test
  void evaluation_waits_for_a_promise() {
    Window window = userAgent.open("https://shop.test/");
    window.loaded().join();
    Object value;
    // @start region="evaluationOptions"
    EvaluationOptions options = EvaluationOptions.newBuilder().name("prompt").await(true).build();
    String script = "navigator.locks.request('a', lock => lock.name)"; // a promise
    value = window.evaluate(script, options).join().value(); // a
    // @end
    assertEquals("a", value);
  }

  @Test
  void loader_is_a_function_from_requests_to_responses() {
    // @start region="resourceLoader"
    ResourceLoader loader =
        request ->
            request.url().equals("https://shop.test/")
                ? completedFuture(ResourceResponse.of(request.url(), "text/html", "<p>Welcome"))
                : failedFuture(new FileNotFoundException(request.url())); // a network error
    // @end
    try (UserAgent userAgent =
        UserAgent.newBuilder().environment(environment).resourceLoader(loader).build()) {
      userAgent.open("https://shop.test/").loaded().join();
      CompletableFuture<Void> other = userAgent.open("https://shop.test/x").loaded();
      assertThrows(CompletionException.class, other::join);
    }
  }

  @Test
  void resources_in_memory_may_be_made_for_each_request() {
    Object text;
    // @start region="inMemoryResources"
    ResourceLoader loader =
        ResourceLoader.inMemory()
            .put("https://shop.test/", "<script src=app.js></script>")
            .put(
                "https://shop.test/app.js",
                "fetch('price').then(async answer => text = await answer.text())")
            .put(
                "https://shop.test/price",
                request -> ResourceResponse.of(request.url(), "text/plain", "42"))
            .build(); // answers 404 to all other requests
    // @end
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(loader)
                .build()) {
      Window window = userAgent.open("https://shop.test/");
      driver.runUntilIdle(10_000);
      CompletableFuture<EvaluatedValue> value = window.evaluate("text");
      driver.runUntilIdle(10_000);
      text = value.join().value();
    }
    assertEquals("42", text);
  }

  @Test
  void http_loader_has_limits() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    String url = "http://localhost:" + server.getAddress().getPort() + "/";
    boolean loaded;
    try {
      // @start region="httpOptions"
      HttpOptions options =
          HttpOptions.newBuilder().timeout(Duration.ofMinutes(5)).maxBodyBytes(1 << 20).build();
      try (ResourceLoader loader = ResourceLoader.http(options);
          UserAgent userAgent =
              UserAgent.newBuilder().environment(environment).resourceLoader(loader).build()) {
        Window window = userAgent.open(url);
        window.loaded().join();
        loaded = true;
      }
      // @end
    } finally {
      server.stop(0);
    }
    assertTrue(loaded);
  }
}
