package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses that requests of pages may reach. */
class AddressRuleTest {

  /** A timeout that only a hang reaches. */
  private static final long LIMIT_SECONDS = 60;

  private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
  private HttpServer server;
  private int port;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          served.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
          exchange.sendResponseHeaders(200, 5);
          exchange.getResponseBody().write("hello".getBytes());
          exchange.close();
        });
    server.start();
    port = server.getAddress().getPort();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, LOOPBACK",
    "127.255.0.9, LOOPBACK",
    "0.0.0.0, LOOPBACK",
    "0.1.2.3, LOOPBACK",
    "::1, LOOPBACK",
    "::, LOOPBACK",
    "::ffff:127.0.0.1, LOOPBACK",
    "64:ff9b::7f00:1, LOOPBACK",
    "2002:7f00:1::, LOOPBACK",
    "10.1.2.3, LOCAL",
    "100.64.0.1, LOCAL",
    "169.254.169.254, LOCAL",
    "172.16.0.1, LOCAL",
    "172.31.255.255, LOCAL",
    "192.168.1.1, LOCAL",
    "192.0.0.8, LOCAL",
    "198.19.0.1, LOCAL",
    "224.0.0.1, LOCAL",
    "255.255.255.255, LOCAL",
    "::ffff:192.168.1.1, LOCAL",
    "::192.168.1.1, LOCAL",
    "64:ff9b::a00:1, LOCAL",
    "64:ff9b:1::1, LOCAL",
    "2002:c0a8:101::, LOCAL",
    "fe80::1, LOCAL",
    "fec0::1, LOCAL",
    "fd00::1, LOCAL",
    "ff02::1, LOCAL",
    "100::1, LOCAL",
    "8.8.8.8, PUBLIC",
    "100.128.0.1, PUBLIC",
    "172.32.0.1, PUBLIC",
    "192.169.0.1, PUBLIC",
    "2606:4700::1111, PUBLIC",
    "64:ff9b::808:808, PUBLIC",
    "2002:808:808::, PUBLIC",
  })
  void address_belongs_to_a_space(String address, AddressSpace expected)
      throws UnknownHostException {
    assertEquals(expected, AddressSpace.of(InetAddress.getByName(address)));
  }

  private static ResourceRequest request(String url, String... origins) {
    return new ResourceRequest("GET", url, List.of(), new byte[0], List.of(origins));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1, true, true",
    "http://localhost:81, true, true",
    "https://app.localhost, true, true",
    "http://[::1], true, true",
    "http://10.0.0.1, false, true",
    "http://8.8.8.8, false, false",
    "null, false, false",
    "app://it, false, false",
    "http://127.0.0.1 http://10.0.0.1, false, true",
    "http://127.0.0.1 http://8.8.8.8, false, false",
    "'', true, true",
  })
  void page_reaches_its_own_space_and_more_public_ones(
      String origins, boolean loopback, boolean local) throws UnknownHostException {
    AddressRule rule = new AddressRule();
    String[] all = origins.isEmpty() ? new String[0] : origins.split(" ");
    ResourceRequest request = request("http://target.invalid/", all);
    assertEquals(loopback, rule.test(request, InetAddress.getByName("127.0.0.1")));
    assertEquals(local, rule.test(request, InetAddress.getByName("192.168.1.1")));
    assertTrue(rule.test(request, InetAddress.getByName("8.8.4.4")));
  }

  @Test
  void page_stays_public_when_its_name_gets_a_loopback_address() throws UnknownHostException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    String name = "http://turns.example";
    AddressRule rule = new AddressRule(host -> new InetAddress[] {loopback});
    assertTrue(rule.test(request("http://other.example/", name), loopback), "it has one address");
    assertTrue(rule.test(request(name + "/"), InetAddress.getByName("8.8.8.8")));
    assertFalse(rule.test(request(name + "/again", name), loopback));
  }

  @Test
  void page_stays_public_whatever_number_of_hosts_it_reaches() throws UnknownHostException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    InetAddress elsewhere = InetAddress.getByName("8.8.8.8");
    AddressRule rule = new AddressRule(host -> new InetAddress[] {loopback});
    String name = "http://turns.example";
    String idle = "http://idle.example";
    assertTrue(rule.test(request(name + "/"), elsewhere));
    assertTrue(rule.test(request(idle + "/"), elsewhere));
    for (int i = 0; i <= AddressRule.MAX_HOSTS; i++) {
      assertTrue(rule.test(request("http://host" + i + ".example/", name), elsewhere));
    }
    assertFalse(rule.test(request(name + "/again", name), loopback));
    assertFalse(rule.test(request(idle + "/again", name), loopback));
    assertFalse(rule.test(request(idle + "/again", idle), loopback), "its entry was removed");
    assertTrue(rule.test(request("http://127.0.0.1/", "http://127.0.0.1"), loopback));
  }

  @Test
  void page_is_public_only_while_no_name_server_answers() throws UnknownHostException {
    InetAddress local = InetAddress.getByName("192.168.1.1");
    List<String> asked = new ArrayList<>();
    AddressRule rule =
        new AddressRule(host -> {
          asked.add(host);
          if (asked.size() == 1) {
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {local};
        });
    ResourceRequest request = request("http://other.example/", "http://page.example");
    assertFalse(rule.test(request, local));
    assertTrue(rule.test(request, local));
    assertTrue(rule.test(request, local));
    assertEquals(List.of("page.example", "page.example"), asked);
  }

  @Test
  void addresses_are_checked_on_another_thread() throws Exception {
    List<Thread> threads = new ArrayList<>();
    HttpOptions options =
        HttpOptions.newBuilder()
            .addresses((request, address) -> threads.add(Thread.currentThread()))
            .build();
    try (ResourceLoader http = ResourceLoader.http(options)) {
      http.load(request("http://127.0.0.1:" + port + "/"))
          .toCompletableFuture()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    assertEquals(1, threads.size());
    assertFalse(threads.contains(Thread.currentThread()));
  }

  /** Evaluates a script in a page of an origin; its resources come from memory or the server. */
  private String inPage(String pageUrl, HttpOptions options, String script) throws Exception {
    List<String> failures = new ArrayList<>();
    try (Driver driver = Driver.threadPool(2);
        ResourceLoader http = ResourceLoader.http(options);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request ->
                    request.url().equals(pageUrl)
                        ? CompletableFuture.completedFuture(
                            ResourceResponse.of(pageUrl, "text/html", "<body></body>"))
                        : http.load(request)
                            .whenComplete((response, failure) -> {
                              if (failure != null) {
                                failures.add(
                                    (failure instanceof CompletionException
                                            ? failure.getCause()
                                            : failure)
                                        .getMessage());
                              }
                            }))
                .build()) {
      Window window = userAgent.open(pageUrl);
      window.loaded().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      EvaluationOptions await = EvaluationOptions.newBuilder().await(true).build();
      return window
              .evaluate(script.replace("PORT", "" + port), await)
              .get(LIMIT_SECONDS, TimeUnit.SECONDS)
              .text()
          + failures;
    }
  }

  private static final HttpOptions DEFAULT = HttpOptions.newBuilder().build();

  private static final String REFUSED =
      "[a request that comes from [http://8.8.8.8] may not reach 127.0.0.1, the address of"
          + " 127.0.0.1; HttpOptions.addresses can allow it]";

  @Test
  void public_page_reaches_no_service_of_this_machine() throws Exception {
    String page = "http://8.8.8.8/";
    assertEquals(
        "'TypeError'" + REFUSED,
        inPage(
            page,
            DEFAULT,
            "fetch('http://127.0.0.1:PORT/x', {method: 'POST', mode: 'no-cors'})"
                + ".then(r => r.type, e => e.name)"));
    assertEquals(
        "'error'" + REFUSED,
        inPage(
            page,
            DEFAULT,
            """
            new Promise(done => {
              const script = document.createElement('script');
              script.src = 'http://127.0.0.1:PORT/x.js';
              script.onload = script.onerror = event => done(event.type);
              document.body.append(script);
            })
            """));
    assertEquals(
        "'null'" + REFUSED,
        inPage(
            page,
            DEFAULT,
            """
            new Promise(done => {
              const frame = document.createElement('iframe');
              frame.src = 'http://127.0.0.1:PORT/';
              frame.onload = () => done(String(frame.contentDocument));
              document.body.append(frame);
            })
            """));
    assertEquals(List.of(), List.copyOf(served));
  }

  @Test
  void loopback_page_and_allowed_addresses_reach_the_service() throws Exception {
    String script = "fetch('http://localhost:PORT/x').then(r => r.text(), e => e.name)";
    assertEquals("'hello'[]", inPage("http://127.0.0.1/", DEFAULT, script));
    assertEquals("'hello'[]", inPage("https://localhost/", DEFAULT, script));
    HttpOptions all = HttpOptions.newBuilder().addresses((request, address) -> true).build();
    assertEquals("'hello'[]", inPage("http://8.8.8.8/", all, script));
    HttpOptions none = HttpOptions.newBuilder().addresses((request, address) -> false).build();
    assertTrue(inPage("http://127.0.0.1/", none, script).startsWith("'TypeError'"));
    HttpOptions broken =
        HttpOptions.newBuilder()
            .addresses((request, address) -> {
              throw new IllegalStateException("broken");
            })
            .build();
    assertEquals("'TypeError'[broken]", inPage("http://127.0.0.1/", broken, script));
  }

  @Test
  void public_server_does_not_redirect_a_window_to_this_machine() throws Exception {
    String start = "http://8.8.8.8/start";
    try (ResourceLoader http = ResourceLoader.http();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request ->
                    request.url().equals(start)
                        ? CompletableFuture.completedFuture(
                            new ResourceResponse(
                                start,
                                302,
                                "Found",
                                List.of(Map.entry("Location", "http://127.0.0.1:" + port + "/")),
                                new byte[0]))
                        : http.load(request))
                .build()) {
      CompletableFuture<Void> redirected = userAgent.open(start).loaded();
      redirected.exceptionally(failure -> null).get(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertTrue(redirected.isCompletedExceptionally());
      assertEquals(List.of(), List.copyOf(served));
      userAgent
          .open("http://127.0.0.1:" + port + "/")
          .loaded()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertEquals(List.of("GET /"), List.copyOf(served));
    }
  }
}
