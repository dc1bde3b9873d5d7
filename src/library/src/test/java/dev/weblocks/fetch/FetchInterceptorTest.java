package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.fetch.FetchInterceptor.Interception;
import dev.weblocks.fetch.FetchRequest.Mode;
import dev.weblocks.fetch.FetchRequest.Redirect;
import dev.weblocks.fetch.FetchResponse.Type;
import dev.weblocks.file.ByteSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Interceptors between a request and the resource loader. */
class FetchInterceptorTest {

  private static final Origin ORIGIN = new Origin.Tuple("https", "one.test", -1);
  private static final EnvironmentSettings CLIENT =
      new EnvironmentSettings(
          "id", "https://one.test/page", ORIGIN, ORIGIN, true, Set.of("Window"));

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final UserAgent userAgent =
      new UserAgent(
          new Configuration(
                  driver,
                  new RandomSource(new SplittableRandom(1)),
                  (modules, limits) -> {
                    throw new IllegalStateException("no context is needed");
                  },
                  (agent, where, failure) -> {})
              .with(new FetchSettings(this::fetch, any -> this::intercept, null)));
  private final List<String> asked = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();

  @AfterEach
  void close() {
    driver.close();
  }

  private @Nullable FetchInterceptor interceptor;

  private void intercept(FetchInterceptor interceptor) {
    this.interceptor = interceptor;
  }

  private @Nullable CompletionStage<Interception> intercept(FetchRequest request) {
    asked.add(request.url());
    return Objects.requireNonNull(interceptor).intercept(request);
  }

  private CompletableFuture<FetchResponse> fetch(UserAgent any, FetchRequest request) {
    sent.add(request.url());
    boolean moves = request.url().endsWith("/moves");
    return CompletableFuture.completedFuture(
        new FetchResponse(
            request.url(),
            moves ? 302 : 200,
            "",
            moves ? List.of(Map.entry("Location", "/landed")) : List.of(),
            new byte[] {'n'}));
  }

  private static FetchRequest.Builder to(String path) {
    return FetchRequest.to("https://one.test" + path).client(CLIENT).mode(Mode.CORS);
  }

  private static FetchResponse made(Type type, String body, String... urls) {
    return new FetchResponse(
        type, List.of(urls), 200, "", List.of(), ByteSequence.utf8Encode(body), List.of());
  }

  private String fetched(FetchRequest request) {
    try {
      FetchResponse response = Fetcher.start(userAgent, request).future().join();
      return response.type() + " " + response.urlList() + " " + response.text();
    } catch (CompletionException networkError) {
      return "network error";
    }
  }

  @Test
  void response_of_the_interceptor_replaces_that_of_the_network() {
    intercept(request ->
        CompletableFuture.completedFuture(
            new Interception.Answer(made(Type.DEFAULT, request.client().id()))));
    assertEquals("basic [https://one.test/a#f] id", fetched(to("/a#f").build()));
    assertEquals(List.of(), sent);
  }

  @Test
  void network_is_used_if_the_interceptor_returns_no_response() {
    intercept(request ->
        request.url().endsWith("1")
            ? null
            : CompletableFuture.completedFuture(new Interception.NotHandled()));
    assertEquals("basic [https://one.test/1] n", fetched(to("/1").build()));
    assertEquals("basic [https://one.test/2] n", fetched(to("/2").build()));
  }

  @Test
  void interceptor_may_fail_a_request() {
    intercept(request ->
        switch (request.currentUrl().query()) {
          case "tells" ->
              CompletableFuture.completedFuture(new Interception.NetworkError("because"));
          case "breaks" -> CompletableFuture.failedFuture(new IllegalStateException("broken"));
          default -> throw new IllegalStateException("broken");
        });
    for (String how : List.of("tells", "breaks", "throws")) {
      assertEquals("network error", fetched(to("/?" + how).build()));
    }
    assertEquals(List.of(), sent);
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR, CORS, FOLLOW, https://one.test/a, network error",
    "CORS, CORS, FOLLOW, https://two.test/b, cors [https://two.test/b] s",
    "CORS, SAME_ORIGIN, FOLLOW, https://two.test/b, network error",
    "OPAQUE, CORS, FOLLOW, https://two.test/b, network error",
    "OPAQUE, NO_CORS, FOLLOW, https://two.test/b, opaque [https://two.test/b] s",
    "OPAQUEREDIRECT, CORS, FOLLOW, https://one.test/a, network error",
    "OPAQUEREDIRECT, CORS, MANUAL, https://one.test/a, opaqueredirect [https://one.test/a] s",
    "BASIC, CORS, FOLLOW, https://one.test/b https://one.test/c,"
        + " 'basic [https://one.test/b, https://one.test/c] s'",
    "BASIC, CORS, MANUAL, https://one.test/b https://one.test/c, network error",
  })
  void response_that_does_not_fit_the_request_is_a_network_error(
      Type type, Mode mode, Redirect redirect, String urls, String expected) {
    intercept(request ->
        CompletableFuture.completedFuture(
            new Interception.Answer(made(type, "s", urls.split(" ")))));
    assertEquals(expected, fetched(to("/a").mode(mode).redirect(redirect).build()));
  }

  @Test
  void request_can_bypass_service_workers() {
    intercept(request -> CompletableFuture.completedFuture(new Interception.NetworkError("")));
    assertEquals("basic [https://one.test/a] n", fetched(to("/a").serviceWorkers(false).build()));
    assertEquals("basic [data:,x] x", fetched(FetchRequest.to("data:,x").build()));
    assertEquals(List.of(), asked);
  }

  @Test
  void redirect_is_intercepted_again_only_for_a_navigation() {
    intercept(request -> null);
    assertEquals(
        "basic [https://one.test/moves, https://one.test/landed] n", fetched(to("/moves").build()));
    assertEquals(List.of("https://one.test/moves"), asked);
    asked.clear();
    FetchRequest navigation =
        FetchRequest.to("https://one.test/moves")
            .mode(Mode.NAVIGATE)
            .redirect(Redirect.MANUAL)
            .reservedClient(new FetchRequest.ReservedClient("next", null, null, false))
            .build();
    assertEquals("basic [https://one.test/moves, https://one.test/landed] n", fetched(navigation));
    assertEquals(List.of("https://one.test/moves", "https://one.test/landed"), asked);
  }

  @Test
  void abort_reaches_the_interceptor() {
    CompletableFuture<Interception> waits = new CompletableFuture<>();
    intercept(request -> waits);
    FetchController controller = Fetcher.start(userAgent, to("/a").build());
    controller.abort();
    assertTrue(waits.isCancelled());
    assertTrue(controller.future().isCompletedExceptionally());
    assertEquals(List.of(), sent);
  }

  @Test
  void fetch_that_starts_after_its_user_agent_has_closed_is_aborted() {
    intercept(request -> new CompletableFuture<>());
    userAgent.close();
    driver.runUntilQuiescent(100);
    FetchController controller = Fetcher.start(userAgent, to("/a").build());
    assertTrue(controller.future().isCompletedExceptionally());
  }
}
