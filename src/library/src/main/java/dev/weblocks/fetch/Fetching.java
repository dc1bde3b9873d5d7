package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.fetch.FetchInterceptor.Interception;
import dev.weblocks.fetch.FetchRequest.Cache;
import dev.weblocks.fetch.FetchRequest.Credentials;
import dev.weblocks.fetch.FetchRequest.Mode;
import dev.weblocks.fetch.FetchRequest.Redirect;
import dev.weblocks.fetch.FetchRequest.ReferrerPolicy;
import dev.weblocks.fetch.FetchResponse.Type;
import dev.weblocks.file.BlobUrlStore;
import dev.weblocks.global.NavigatorFacts;
import dev.weblocks.url.PercentEncoding;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One fetch. Its steps run on the thread that starts it and on the threads that complete its
 * responses, never two at once. No step enters a context.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetching">Fetch</a>
 */
final class Fetching {

  private static final int MAX_REDIRECTS = 20;

  /** <a href="https://fetch.spec.whatwg.org/#request-body-header-name">body header names</a> */
  private static final List<String> REQUEST_BODY_HEADERS =
      List.of("Content-Encoding", "Content-Language", "Content-Location", "Content-Type");

  /** <a href="https://fetch.spec.whatwg.org/#bad-port">bad ports</a> */
  private static final Set<Integer> BAD_PORTS =
      Set.of(
          0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95,
          101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179,
          389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601,
          636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
          6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080);

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-response-tainting">tainting</a> */
  private enum Tainting {
    BASIC(Type.BASIC),
    CORS(Type.CORS),
    OPAQUE(Type.OPAQUE);

    final Type filter;

    Tainting(Type filter) {
      this.filter = filter;
    }
  }

  private final UserAgent userAgent;
  private final FetchController controller = new FetchController();
  private FetchRequest request;
  private Tainting tainting = Tainting.BASIC;

  private Fetching(UserAgent userAgent, FetchRequest request) {
    this.userAgent = userAgent;
    this.request = request;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-fetch">fetch</a> */
  static FetchController fetch(UserAgent userAgent, FetchRequest request) {
    FetchRequest resolved = request.resolveBlobUrl(userAgent);
    Fetching fetching = new Fetching(userAgent, withAccept(userAgent, resolved)); // 13, 14
    CompletableFuture<FetchResponse> done = fetching.controller.future();
    FetchGroup.of(userAgent).add(fetching.controller);
    fetching
        .mainFetch() // 17
        .thenApply(fetching::finish)
        .whenComplete((response, failure) -> {
          if (failure == null) {
            done.complete(response);
          } else {
            done.completeExceptionally(networkError(failure));
          }
        });
    return fetching.controller;
  }

  private static FetchRequest withAccept(UserAgent userAgent, FetchRequest request) {
    HeaderList headers = HeaderList.of(request.headers());
    setIfMissing(
        headers,
        "Accept",
        switch (request.destination()) {
          case DOCUMENT, FRAME, IFRAME ->
              "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
          case IMAGE -> "image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5";
          case JSON -> "application/json,*/*;q=0.5";
          case STYLE -> "text/css,*/*;q=0.1";
          default -> "*/*";
        });
    setIfMissing(
        headers, "Accept-Language", String.join(",", NavigatorFacts.of(userAgent).languages()));
    return request.toBuilder().headers(headers.entries()).build();
  }

  static NetworkErrorException networkError(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof NetworkErrorException already
        ? already
        : new NetworkErrorException(String.valueOf(cause.getMessage()), cause);
  }

  /** Returns a future that has failed with a network error; its message begins with the URL. */
  private CompletableFuture<FetchResponse> networkError(String reason) {
    return CompletableFuture.failedFuture(failure(reason));
  }

  private NetworkErrorException failure(String reason) {
    return NetworkErrorException.of(request, reason);
  }

  private boolean isSameOrigin(UrlRecord url) {
    EnvironmentSettings client = request.client();
    return client != null && client.origin().equals(originOf(url));
  }

  /** Returns the origin of a URL; null for a new opaque origin. */
  private @Nullable Origin originOf(UrlRecord url) {
    BlobUrlStore.Entry blob = request.blobUrlEntry();
    return url.scheme().equals("blob") && blob != null
        ? blob.environment().origin()
        : url.tupleOrigin();
  }

  private static boolean isHttp(UrlRecord url) {
    return url.scheme().equals("http") || url.scheme().equals("https");
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-main-fetch">main fetch</a>, up to its 12th step
   */
  private CompletableFuture<FetchResponse> mainFetch() {
    UrlRecord url = request.currentUrl();
    if (isHttp(url) && BAD_PORTS.contains(url.port())) { // 7
      return networkError("port " + url.port() + " is blocked for fetch");
    }
    ReferrerPolicy policy =
        request.referrerPolicy() == ReferrerPolicy.DEFAULT
            ? ReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN
            : request.referrerPolicy(); // 8
    request =
        request.toBuilder()
            .referrerPolicy(policy)
            .referrer(Referrers.determine(request, policy)) // 9
            .build();
    if ((isSameOrigin(url) && tainting == Tainting.BASIC) // 12
        || url.scheme().equals("data")
        || request.isNavigation()) {
      tainting = Tainting.BASIC;
      return schemeFetch();
    }
    return switch (request.mode()) {
      case SAME_ORIGIN -> networkError("it is not same-origin with " + serializedOrigin());
      case NO_CORS -> {
        if (request.redirect() != Redirect.FOLLOW) {
          yield networkError("mode 'no-cors' requires redirect mode 'follow'");
        }
        tainting = Tainting.OPAQUE;
        yield schemeFetch();
      }
      case CORS, NAVIGATE -> {
        if (!isHttp(url)) {
          yield networkError("a cross-origin request requires an http or https URL");
        }
        tainting = Tainting.CORS;
        yield httpFetch(
            request.useCorsPreflight()
                || (request.unsafeRequest()
                    && (!Cors.isSafelistedMethod(request.method())
                        || !Cors.unsafeRequestHeaderNames(HeaderList.of(request.headers()))
                            .isEmpty())));
      }
    };
  }

  /** Runs the rest of <a href="https://fetch.spec.whatwg.org/#concept-main-fetch">main fetch</a> */
  private FetchResponse finish(FetchResponse raw) {
    FetchResponse response = raw;
    if (response.type() == Type.DEFAULT) { // 14
      if (tainting == Tainting.CORS) {
        response =
            response.withCorsExposedHeaderNames(
                Cors.exposedHeaderNames(
                    HeaderList.of(response.headers()),
                    request.credentials() == Credentials.INCLUDE));
      }
      response = response.withType(tainting.filter);
    }
    if (response.urlList().isEmpty()) { // 16
      response = response.withUrlList(hrefs());
    }
    String blocked = ResponseRules.blockedByType(request, response); // 19
    if (!blocked.isEmpty()) {
      throw new CompletionException(failure(blocked));
    }
    if (request.method().equals("HEAD")
        || ResponseRules.NULL_BODY_STATUSES.contains(response.status())) { // 21
      response = response.withBody(null);
    }
    if (!request.integrity().isEmpty()
        && !ResponseRules.matchesIntegrity(request, response)) { // 22
      throw new CompletionException(
          failure("its body does not match integrity '" + request.integrity() + "'"));
    }
    return response;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-scheme-fetch">scheme fetch</a> */
  private CompletableFuture<FetchResponse> schemeFetch() {
    return switch (request.currentUrl().scheme()) {
      case "about", "blob", "data" -> LocalFetch.of(request);
      case "http", "https" -> httpFetch(false);
      case "file" ->
          mayLoadFiles()
              ? askFetcher(request).thenApply(this::landed)
              : networkError("only the embedder and pages of files may load file: URLs");
      default -> askFetcher(request).thenApply(this::landed);
    };
  }

  /** Returns whether the requester may load the files of this machine, as browsers decide it. */
  private boolean mayLoadFiles() {
    EnvironmentSettings requester = request.requester();
    return requester == null
        || requester.creationUrl().startsWith("file:") // also with the origin of a sandbox
        || (requester.origin() instanceof Origin.Opaque opaque && opaque.file()); // about:, blob:
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-http-fetch">HTTP fetch</a> */
  private CompletableFuture<FetchResponse> httpFetch(boolean makeCorsPreflight) {
    return handleFetch() // 3
        .thenCompose(answer ->
            answer == null
                ? askNetwork(makeCorsPreflight) // 4
                : CompletableFuture.completedFuture(answer))
        .thenCompose(this::followRedirect);
  }

  /** Offers the request to the service workers; completes with null if none handles it. */
  private CompletableFuture<@Nullable FetchResponse> handleFetch() {
    if (!request.serviceWorkers()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletionStage<Interception> intercepting;
    try {
      intercepting = FetchInterceptor.of(userAgent).intercept(request);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(networkError(refused));
    }
    if (intercepting == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Interception> future = intercepting.toCompletableFuture();
    controller.waitsFor(future);
    return future.thenApply(interception ->
        switch (interception) {
          case Interception.NotHandled() -> null;
          case Interception.NetworkError(String reason) ->
              throw new CompletionException(failure(reason));
          case Interception.Answer(FetchResponse response) -> {
            String objection = ResponseRules.objectionToServiceWorker(request, response);
            if (!objection.isEmpty()) {
              throw new CompletionException(failure("a service worker answered " + objection));
            }
            yield response;
          }
        });
  }

  /** Runs step 4 of HTTP fetch. */
  private CompletableFuture<FetchResponse> askNetwork(boolean makeCorsPreflight) {
    CompletableFuture<?> preflight =
        makeCorsPreflight
            ? corsPreflightFetch() // 4.1
            : CompletableFuture.completedFuture(null);
    return preflight.thenCompose(allowed -> {
      if (request.redirect() == Redirect.FOLLOW) { // 4.2
        request = request.toBuilder().serviceWorkers(false).build();
      }
      return httpNetworkOrCacheFetch() // 4.3
          .thenApply(response -> {
            if (tainting == Tainting.CORS
                && !Cors.check(
                    serializedOrigin(),
                    request.credentials(),
                    HeaderList.of(response.headers()))) { // 4.4
              throw new CompletionException(
                  failure(
                      "the response does not allow origin " + serializedOrigin() + " to read it"));
            }
            return response;
          });
    });
  }

  /** Runs step 6 of <a href="https://fetch.spec.whatwg.org/#concept-http-fetch">HTTP fetch</a> */
  private CompletableFuture<FetchResponse> followRedirect(FetchResponse response) {
    if (!ResponseRules.REDIRECT_STATUSES.contains(response.status())) {
      return CompletableFuture.completedFuture(response);
    }
    return switch (request.redirect()) {
      case ERROR -> networkError("it redirects, and the redirect mode is 'error'");
      // the standard's navigate follows manual redirects itself, hop by hop; here the fetch does so
      case MANUAL ->
          request.isNavigation()
              ? httpRedirectFetch(response)
              : CompletableFuture.completedFuture(response.withType(Type.OPAQUEREDIRECT));
      case FOLLOW -> httpRedirectFetch(response);
    };
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-http-redirect-fetch">HTTP-redirect fetch</a>
   */
  private CompletableFuture<FetchResponse> httpRedirectFetch(FetchResponse response) {
    HeaderList responseHeaders = HeaderList.of(response.headers());
    List<String> locations = responseHeaders.values("Location");
    if (locations.isEmpty()) { // 4
      return CompletableFuture.completedFuture(response);
    }
    UrlRecord current = request.currentUrl();
    String base = response.url().isEmpty() ? request.url() : response.url();
    UrlRecord location = UrlParser.parse(locations.getFirst(), UrlParser.parseAbsolute(base)); // 3
    if (location == null) { // 5
      return networkError(
          "it redirects to '" + locations.getFirst() + "', which is not a valid URL");
    }
    if (location.fragment() == null) {
      location = location.withFragment(current.fragment());
    }
    if (!isHttp(location)) { // 6
      return networkError("it redirects to '" + location + "', which is not an http or https URL");
    }
    if (request.urlList().size() > MAX_REDIRECTS) { // 7
      return networkError("it redirects more than " + MAX_REDIRECTS + " times");
    }
    if (location.includesCredentials()
        && (tainting == Tainting.CORS
            || (request.mode() == Mode.CORS && !isSameOrigin(location)))) { // 9, 10
      return networkError("it redirects to a URL with credentials");
    }
    FetchRequest.Builder next = request.toBuilder();
    HeaderList headers = HeaderList.of(request.headers());
    int status = response.status();
    String method = request.method();
    boolean becomesGet =
        status == 303
            ? !method.equals("GET") && !method.equals("HEAD")
            : (status == 301 || status == 302) && method.equals("POST");
    if (becomesGet) { // 12
      next.method("GET").body(null);
      REQUEST_BODY_HEADERS.forEach(headers::delete);
    }
    if (!Objects.equals(current.tupleOrigin(), location.tupleOrigin())) { // 13
      headers.delete("Authorization");
    }
    ReferrerPolicy policy = Referrers.parsePolicy(responseHeaders); // 19
    if (policy != null) {
      next.referrerPolicy(policy);
    }
    request = next.headers(headers.entries()).redirectedTo(location).build(); // 18
    return mainFetch(); // 22
  }

  /**
   * Returns the serialized origin of the request, as it is sent in headers.
   *
   * @see <a
   *     href="https://fetch.spec.whatwg.org/#byte-serializing-a-request-origin">byte-serializing a
   *     request origin</a>
   */
  private String serializedOrigin() {
    EnvironmentSettings client = request.client();
    return client == null || isRedirectTainted() ? "null" : client.origin().serialize();
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-tainted-origin">redirect-taint</a> */
  private boolean isRedirectTainted() {
    UrlRecord last = request.urlList().getFirst();
    for (UrlRecord url : request.urlList()) {
      if (!Objects.equals(originOf(url), originOf(last)) && !isSameOrigin(last)) {
        return true;
      }
      last = url;
    }
    return false;
  }

  /**
   * <a
   * href="https://fetch.spec.whatwg.org/#concept-http-network-or-cache-fetch">HTTP-network-or-cache
   * fetch</a>; there is no cache.
   */
  private CompletableFuture<FetchResponse> httpNetworkOrCacheFetch() {
    boolean includeCredentials =
        request.credentials() == Credentials.INCLUDE
            || (request.credentials() == Credentials.SAME_ORIGIN
                && tainting == Tainting.BASIC); // 8.3
    HeaderList headers = HeaderList.of(request.headers());
    appendOrigin(headers, request); // 8.13
    if (!request.referrer().isEmpty()) { // 8.11
      headers.set("Referer", request.referrer());
    }
    setIfMissing(headers, "User-Agent", NavigatorFacts.of(userAgent).userAgent()); // 8.15
    Cache cache = request.cache();
    if (cache == Cache.NO_CACHE) { // 8.17
      setIfMissing(headers, "Cache-Control", "max-age=0");
    } else if (cache == Cache.NO_STORE || cache == Cache.RELOAD) { // 8.18
      setIfMissing(headers, "Pragma", "no-cache");
      setIfMissing(headers, "Cache-Control", "no-cache");
    } else if (cache == Cache.ONLY_IF_CACHED) { // 10.1
      return networkError("it is not cached, and the cache mode is 'only-if-cached'");
    }
    FetchRequest httpRequest =
        request.toBuilder()
            .headers(headers.entries())
            .credentials(includeCredentials ? Credentials.INCLUDE : Credentials.OMIT)
            .build();
    return askFetcher(httpRequest)
        .thenCompose(response ->
            response.status() == 401 // 14
                    && tainting != Tainting.CORS
                    && includeCredentials
                    && request.useUrlCredentials()
                    && request.currentUrl().includesCredentials()
                    && !headers.contains("Authorization")
                ? askFetcher(withAuthorization(httpRequest))
                : CompletableFuture.completedFuture(response))
        .thenApply(this::landed);
  }

  /** Returns the request with the credentials of its URL in an {@code Authorization} header. */
  private static FetchRequest withAuthorization(FetchRequest httpRequest) {
    UrlRecord url = httpRequest.currentUrl();
    byte[] credentials = PercentEncoding.percentDecode(url.username() + ":" + url.password());
    HeaderList headers = HeaderList.of(httpRequest.headers());
    headers.append("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    return httpRequest.toBuilder().headers(headers.entries()).build();
  }

  private static void setIfMissing(HeaderList headers, String name, String value) {
    if (!headers.contains(name)) {
      headers.append(name, value);
    }
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#append-a-request-origin-header">append a request
   * `Origin` header</a>
   */
  private void appendOrigin(HeaderList headers, FetchRequest from) {
    if (tainting == Tainting.CORS) { // 2
      headers.set("Origin", serializedOrigin());
    } else if (!from.method().equals("GET") && !from.method().equals("HEAD")) { // 3
      UrlRecord url = from.currentUrl();
      EnvironmentSettings client = from.client();
      boolean hide =
          from.mode() != Mode.CORS
              && switch (from.referrerPolicy()) { // 3.1
                case NO_REFERRER -> true;
                case NO_REFERRER_WHEN_DOWNGRADE, STRICT_ORIGIN, STRICT_ORIGIN_WHEN_CROSS_ORIGIN ->
                    client != null
                        && client.origin() instanceof Origin.Tuple(String scheme, String h, int p)
                        && scheme.equals("https")
                        && !url.scheme().equals("https");
                case SAME_ORIGIN -> !isSameOrigin(url);
                default -> false;
              };
      headers.set("Origin", hide ? "null" : serializedOrigin());
    }
  }

  /**
   * Sends a CORS preflight; completes normally if the server allows the request.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#cors-preflight-fetch-0">CORS-preflight fetch</a>
   */
  private CompletableFuture<?> corsPreflightFetch() {
    HeaderList headers = new HeaderList();
    headers.append("Accept", "*/*"); // 2
    headers.append("Access-Control-Request-Method", request.method()); // 3
    List<String> unsafe = Cors.unsafeRequestHeaderNames(HeaderList.of(request.headers())); // 4
    if (!unsafe.isEmpty()) { // 5
      headers.append("Access-Control-Request-Headers", String.join(",", unsafe));
    }
    headers.append("Origin", serializedOrigin());
    headers.append("User-Agent", NavigatorFacts.of(userAgent).userAgent());
    if (!request.referrer().isEmpty()) {
      headers.append("Referer", request.referrer());
    }
    FetchRequest preflight = // 1
        request.toBuilder()
            .method("OPTIONS")
            .headers(headers.entries())
            .body(null)
            .credentials(Credentials.OMIT)
            .serviceWorkers(false)
            .build();
    return askFetcher(preflight) // 6
        .thenAccept(response -> {
          HeaderList answer = HeaderList.of(response.headers());
          if (!Cors.check(serializedOrigin(), request.credentials(), answer) || !response.ok()) {
            throw new CompletionException(
                failure("the preflight failed or does not allow origin " + serializedOrigin()));
          }
          String refusal = Cors.refusal(request, answer); // 7
          if (!refusal.isEmpty()) {
            throw new CompletionException(
                failure("the preflight response does not allow " + refusal));
          }
        });
  }

  private CompletableFuture<FetchResponse> askFetcher(FetchRequest outgoing) {
    CompletableFuture<FetchResponse> answer;
    try {
      answer =
          FetchSettings.of(userAgent).fetcher().fetch(userAgent, outgoing).toCompletableFuture();
    } catch (RuntimeException | OutOfMemoryError refused) {
      return CompletableFuture.failedFuture(networkError(refused));
    }
    controller.waitsFor(answer);
    return answer;
  }

  /**
   * Returns a response of the {@link Fetcher} with the URL list of the request. If the fetcher has
   * followed redirects itself, they count as one redirect to the final URL.
   */
  private FetchResponse landed(FetchResponse raw) {
    FetchResponse response = raw.withHeaders(normalized(raw.headers()));
    UrlRecord from = UrlParser.parse(response.url());
    if (from != null && !UrlSerializer.serialize(from, true).equals(request.url())) {
      if (request.redirect() == Redirect.ERROR) {
        throw new CompletionException(failure("it redirects, and the redirect mode is 'error'"));
      }
      if (from.fragment() == null) {
        from = from.withFragment(request.currentUrl().fragment());
      }
      request = request.toBuilder().redirectedTo(from).build();
      boolean isOwn = request.isNavigation() || (isSameOrigin(from) && tainting == Tainting.BASIC);
      if (!isOwn && tainting == Tainting.BASIC) {
        tainting =
            switch (request.mode()) {
              case NO_CORS -> Tainting.OPAQUE;
              case CORS, NAVIGATE -> Tainting.CORS;
              case SAME_ORIGIN ->
                  throw new CompletionException(
                      failure(
                          "it redirects to '%s', which is not same-origin with %s"
                              .formatted(response.url(), serializedOrigin())));
            };
      }
      if (request.redirect() == Redirect.MANUAL && !request.isNavigation()) {
        return response.withType(Type.OPAQUEREDIRECT).withUrlList(hrefs());
      }
    }
    return response.withUrlList(hrefs());
  }

  /** Normalizes the values of headers; fails on a header that HTTP forbids, as HTTP parsers do. */
  private List<Map.Entry<String, String>> normalized(List<Map.Entry<String, String>> headers) {
    List<Map.Entry<String, String>> result = new ArrayList<>();
    for (Map.Entry<String, String> each : headers) {
      String value = HttpText.normalize(each.getValue());
      if (!HttpText.isToken(each.getKey()) || !HttpText.isHeaderValue(value)) {
        throw new CompletionException(
            failure("the response has an invalid header: '" + each.getKey() + "'"));
      }
      result.add(Map.entry(each.getKey(), value));
    }
    return result;
  }

  private List<String> hrefs() {
    return request.urlList().stream().map(UrlRecord::href).toList();
  }
}
