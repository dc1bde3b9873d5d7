package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.net.httpserver.HttpServer;
import dev.weblocks.model.Limit;
import dev.weblocks.model.LimitEvent;
import dev.weblocks.model.Limits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limit of connections to one host. */
class ConnectionLimitTest {

  /** A timeout that only a hang reaches. */
  private static final long LIMIT_SECONDS = 60;

  private record Asked(String url, CompletableFuture<ResourceResponse> answer) {}

  private final List<Asked> asked = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final List<LimitEvent> events = new ArrayList<>();
  private final DeterministicDriver driver = Driver.deterministic(1);
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .limits(Limits.newBuilder().connectionsPerHost(2).connectionsPerSite(5).build())
          .resourceLoader(request -> {
            if (request.url().endsWith("/page")) {
              return CompletableFuture.completedFuture(
                  ResourceResponse.of(request.url(), "text/html", "<body></body>"));
            }
            Asked made = new Asked(request.url(), new CompletableFuture<>());
            asked.add(made);
            return made.answer;
          })
          .consoleListener(message -> log.add(message.text()))
          .limitListener(events::add)
          .build();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  /** Opens a window that fetches URLs; a controller for each is in {@code controllers}. */
  private Window fetch(String... paths) {
    return fetchFrom("https://app.test", paths);
  }

  private Window fetchFrom(String origin, String... paths) {
    Window window = userAgent.open(origin + "/page");
    driver.runUntilIdle(10_000);
    fetchIn(window, paths);
    return window;
  }

  private void fetchIn(Window window, String... paths) {
    StringBuilder script = new StringBuilder("globalThis.controllers = [];");
    for (String path : paths) {
      script.append(
          """
          controllers.push(new AbortController());
          fetch('%s', {signal: controllers.at(-1).signal, mode: 'no-cors'})
              .then(() => console.log('%s'), e => console.log('%s', e.name));
          """
              .formatted(path, path, path));
    }
    evaluate(window, script.toString());
  }

  private void evaluate(Window window, String script) {
    CompletableFuture<EvaluatedValue> unused = window.evaluate(script);
    driver.runUntilIdle(10_000);
  }

  private List<String> askedUrls() {
    return asked.stream().map(Asked::url).toList();
  }

  private void answer(int index) {
    Asked each = asked.get(index);
    each.answer.complete(ResourceResponse.of(each.url, "text/plain", ""));
    driver.runUntilIdle(10_000);
  }

  private static final String[] FOUR = {
    "https://a.test/1", "https://a.test/2", "https://a.test/3", "https://a.test/4"
  };

  @Test
  void request_beyond_the_limit_waits_in_order() {
    Window unused = fetch(FOUR);
    assertEquals(List.of(FOUR[0], FOUR[1]), askedUrls());
    assertEquals(2, userAgent.metrics().connections());
    assertEquals(2, userAgent.metrics().waitingConnections());
    assertEquals(Map.of(Limit.CONNECTIONS_PER_HOST, 2L), userAgent.metrics().limitsReached());
    assertEquals(
        List.of(
            new LimitEvent(
                Limit.CONNECTIONS_PER_HOST,
                "2 requests of one top-level site to https://a.test are not answered, which is the"
                    + " limit; a further request waits",
                "window-1")),
        events);
    answer(1);
    assertEquals(List.of(FOUR[0], FOUR[1], FOUR[2]), askedUrls());
    asked.get(0).answer.completeExceptionally(new IllegalStateException("broken"));
    driver.runUntilIdle(10_000);
    assertEquals(List.of(FOUR), askedUrls());
    answer(2);
    answer(3);
    assertEquals(List.of(FOUR[1], FOUR[0] + " TypeError", FOUR[2], FOUR[3]), log);
    assertEquals(0, userAgent.metrics().connections());
    assertEquals(0, userAgent.metrics().waitingConnections());
  }

  @Test
  void other_schemes_hosts_and_ports_have_connections_of_their_own() {
    Window unused =
        fetch(
            "https://a.test/1",
            "https://a.test/2",
            "https://a.test/3",
            "http://a.test/1",
            "https://b.test/1",
            "https://a.test:8443/1");
    assertEquals(
        List.of(
            "https://a.test/1",
            "https://a.test/2",
            "http://a.test/1",
            "https://b.test/1",
            "https://a.test:8443/1"),
        askedUrls());
  }

  @Test
  void unanswered_requests_of_one_site_do_not_delay_another_site() {
    Window unused = fetchFrom("https://evil.example", FOUR);
    Window victim = fetchFrom("https://a.test", "https://a.test/own");
    Window alsoUnused = userAgent.open("https://a.test/document");
    driver.runUntilIdle(10_000);
    assertEquals(
        List.of(FOUR[0], FOUR[1], "https://a.test/own", "https://a.test/document"), askedUrls());
    fetchIn(victim, "https://a.test/second", "https://a.test/third");
    assertEquals(4, asked.size(), "the document and a request are not answered");
  }

  @Test
  void pages_of_one_site_share_the_places_of_a_host() {
    Window one = fetchFrom("https://one.app.test", FOUR[0], FOUR[1]);
    Window two = fetchFrom("https://two.app.test", FOUR[2]);
    assertEquals(List.of(FOUR[0], FOUR[1]), askedUrls());
    one.close();
    driver.runUntilIdle(10_000);
    assertEquals(List.of(FOUR[0], FOUR[1], FOUR[2]), askedUrls());
    two.close();
  }

  @Test
  void frame_of_another_site_does_not_delay_the_page_that_contains_it() {
    Window page = userAgent.open("https://a.test/page");
    driver.runUntilIdle(10_000);
    evaluate(
        page,
        """
        document.body.innerHTML = '<iframe src="https://evil.example/frame"></iframe>';
        """);
    Asked frame = asked.getFirst();
    frame.answer.complete(
        ResourceResponse.of(
            frame.url,
            "text/html",
            "<script>for (let i = 0; i < 4; i++) fetch('https://a.test/' + i, {mode: 'no-cors'})"
                + "</script>"));
    driver.runUntilIdle(10_000);
    assertEquals(List.of(frame.url, "https://a.test/0", "https://a.test/1"), askedUrls());
    fetchIn(page, "https://a.test/own");
    assertEquals("https://a.test/own", askedUrls().getLast());
  }

  @Test
  void navigations_to_another_site_count_for_the_site_that_starts_them() {
    Window evil = userAgent.open("https://evil.example/page");
    driver.runUntilIdle(10_000);
    evaluate(
        evil, "for (let i = 0; i < 4; i++) open('https://a.test/slow' + i, '_blank', 'noopener')");
    assertEquals(List.of("https://a.test/slow0", "https://a.test/slow1"), askedUrls());
    Window victim = fetchFrom("https://a.test", "https://a.test/own");
    assertEquals("https://a.test/own", askedUrls().getLast());
    victim.close();
  }

  @Test
  void total_of_a_site_bounds_requests_to_many_hosts() {
    String[] urls = new String[8];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = "https://host" + i / 2 + ".test/" + i;
    }
    Window window = fetch(urls);
    assertEquals(List.of(urls).subList(0, 5), askedUrls());
    assertEquals(5, userAgent.metrics().connections());
    assertEquals(3, userAgent.metrics().waitingConnections());
    assertEquals(
        "5 requests of one top-level site are not answered, which is the limit; a further request"
            + " waits",
        events.getFirst().message());
    Window unused = fetchFrom("https://other.test", "https://host0.test/other");
    assertEquals("https://host0.test/other", askedUrls().getLast(), "of another site");
    answer(0);
    assertEquals(urls[5], askedUrls().getLast());
    evaluate(window, "controllers[6].abort()");
    answer(1);
    assertEquals(urls[7], askedUrls().getLast());
    for (int i = 2; i < asked.size(); i++) {
      answer(i);
    }
    assertEquals(0, userAgent.metrics().connections());
    assertEquals(0, userAgent.metrics().waitingConnections());
  }

  @Test
  void redirected_request_uses_its_own_place() {
    Window unused = fetch("https://a.test/1", "https://a.test/2");
    asked
        .getFirst()
        .answer
        .complete(
            new ResourceResponse(
                "https://a.test/1",
                302,
                "Found",
                List.of(Map.entry("location", "https://a.test/3")),
                new byte[0]));
    driver.runUntilIdle(10_000);
    assertEquals(List.of("https://a.test/1", "https://a.test/2", "https://a.test/3"), askedUrls());
    assertEquals(Map.of(), userAgent.metrics().limitsReached());
  }

  @Test
  void waiting_request_does_not_start_in_code_of_the_loader() {
    Window unused = fetch(FOUR);
    asked.getFirst().answer.complete(ResourceResponse.of(FOUR[0], "text/plain", ""));
    assertEquals(2, asked.size());
    driver.runUntilIdle(10_000);
    assertEquals(3, asked.size());
  }

  @Test
  void aborted_request_gives_its_place_to_the_next() {
    Window window = fetch(FOUR);
    evaluate(window, "controllers[2].abort()");
    assertEquals(List.of(FOUR[0], FOUR[1]), askedUrls(), "it had no connection");
    evaluate(window, "controllers[0].abort()");
    assertEquals(List.of(FOUR[0], FOUR[1], FOUR[3]), askedUrls());
    assertEquals(List.of(FOUR[2] + " AbortError", FOUR[0] + " AbortError"), log);
    assertEquals(2, userAgent.metrics().connections());
  }

  @Test
  void requests_of_a_closed_window_leave_the_queue() {
    Window greedy = fetch(FOUR);
    Window unused = fetch("https://a.test/neighbour");
    greedy.close();
    driver.runUntilIdle(10_000);
    assertEquals(List.of(FOUR[0], FOUR[1], "https://a.test/neighbour"), askedUrls());
    assertEquals(1, userAgent.metrics().connections());
    assertEquals(0, userAgent.metrics().waitingConnections());
  }

  @Test
  void thousands_of_waiting_requests_that_fail_at_once_need_no_stack() {
    int count = 5_000;
    List<CompletableFuture<ResourceResponse>> held = new ArrayList<>();
    try (DeterministicDriver other = Driver.deterministic(1);
        UserAgent agent =
            UserAgent.newBuilder()
                .driver(other)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(Limits.newBuilder().connectionsPerHost(1).build())
                .resourceLoader(request -> {
                  if (held.isEmpty()) {
                    held.add(new CompletableFuture<>());
                    return held.getFirst();
                  }
                  throw new IllegalStateException("refused");
                })
                .consoleListener(message -> log.add(message.text()))
                .build()) {
      Window window = agent.open("about:blank");
      other.runUntilIdle(10_000);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate(
              """
              let failed = 0;
              for (let i = 0; i <= %d; i++)
                fetch('https://a.test/' + i)
                    .catch(() => { if (++failed > %d) console.log('all failed'); });
              """
                  .formatted(count, count));
      other.runUntilIdle(100_000);
      held.getFirst().completeExceptionally(new IllegalStateException("broken"));
      other.runUntilIdle(100_000);
    }
    assertEquals(List.of("all failed"), log);
  }

  @Test
  void server_gets_six_requests_at_a_time_by_default() throws Exception {
    BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    Semaphore mayAnswer = new Semaphore(0);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          arrived.add(exchange.getRequestURI().getPath());
          mayAnswer.acquireUninterruptibly();
          now.decrementAndGet(); // before the client can see the answer
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    CompletableFuture<Void> done = new CompletableFuture<>();
    try (Driver pool = Driver.threadPool(2);
        ResourceLoader loader =
            ResourceLoader.http(
                HttpOptions.newBuilder().addresses((request, address) -> true).build());
        UserAgent agent =
            UserAgent.newBuilder()
                .driver(pool)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(loader)
                .consoleListener(message -> done.complete(null))
                .build()) {
      Window window = agent.open("about:blank");
      window.loaded().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate(
              """
              Promise.all(Array.from({length: 40}, (_, i) =>
                  fetch('http://localhost:%d/' + i, {mode: 'no-cors'}))).then(console.log);
              """
                  .formatted(server.getAddress().getPort()));
      for (int i = 0; i < 6; i++) {
        assertNotNull(arrived.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
      }
      while (agent.metrics().waitingConnections() < 34) {
        Thread.onSpinWait();
      }
      assertEquals(6, agent.metrics().connections());
      mayAnswer.release(40);
      done.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertEquals(6, most.get());
      assertEquals(Map.of(Limit.CONNECTIONS_PER_HOST, 34L), agent.metrics().limitsReached());
    } finally {
      mayAnswer.release(1_000);
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
