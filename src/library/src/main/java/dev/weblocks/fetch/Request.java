package dev.weblocks.fetch;

import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.fetch.FetchRequest.Cache;
import dev.weblocks.fetch.FetchRequest.Credentials;
import dev.weblocks.fetch.FetchRequest.Mode;
import dev.weblocks.fetch.FetchRequest.Redirect;
import dev.weblocks.fetch.FetchRequest.ReferrerPolicy;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Request} interface.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#request-class">Fetch</a>
 */
public final class Request extends BodyOwner {

  private static final List<String> INIT_MEMBERS =
      List.of(
          """
          method headers body referrer referrerPolicy mode credentials cache redirect integrity
          keepalive signal duplex window
          """
              .split("\\s+"));

  /** The request without the parts that script may still change: its headers and its body. */
  private final FetchRequest request;

  private final AbortSignal signal;

  private Request(
      Realm realm, FetchRequest request, Headers headers, @Nullable Body body, AbortSignal signal) {
    super(realm, headers, body);
    this.request = request.toBuilder().headers(List.of()).body(null).build();
    this.signal = signal;
  }

  /**
   * Creates an object with immutable headers for a request not made by script. Called on the event
   * loop.
   *
   * @param signal a signal that is aborted when a response is no longer needed
   * @see <a href="https://fetch.spec.whatwg.org/#request-create">create a Request object</a>
   */
  public static Request of(Realm realm, FetchRequest request, AbortSignal signal) {
    return new Request(
        realm,
        request,
        new Headers(realm, HeaderList.of(request.headers()), Headers.Guard.IMMUTABLE),
        request.body() == null ? null : new Body(request.body()),
        signal);
  }

  /** Returns the request with its current headers and body. Called on the event loop. */
  public FetchRequest request() {
    Body body = body();
    return request.toBuilder()
        .headers(headers().list().entries())
        .body(body == null ? null : body.source())
        .build();
  }

  public AbortSignal signal() {
    return signal;
  }

  @Override
  String interfaceName() {
    return "Request";
  }

  private static Request construct(Realm realm, Arguments args) {
    return new Constructing(realm, "Failed to construct 'Request'")
        .request(args.any(0), args.dictionary(1));
  }

  /** Creates the request of a call of {@code fetch()}. */
  static Request forFetch(Arguments args, Realm realm) {
    return new Constructing(realm, "Failed to execute 'fetch'")
        .request(args.any(0), args.dictionary(1));
  }

  /** The construction of one request; exception messages begin with {@code attempt}. */
  private record Constructing(Realm realm, String attempt) {

    private ScriptException typeError(String what) {
      return ScriptException.typeError(attempt + ": " + what);
    }

    /** <a href="https://fetch.spec.whatwg.org/#dom-request">Request()</a> */
    Request request(Value info, @Nullable DictionaryView givenInit) {
      DictionaryView init = isEmpty(givenInit) ? null : givenInit;
      Request input = info.isString() ? null : info.asHostObject();
      FetchRequest from =
          input == null
              ? FetchRequest.to(url(info.asString()))
                  .mode(Mode.CORS)
                  .build()
                  .resolveBlobUrl(realm.agent().userAgent()) // 5
              : input.request; // 6
      FetchRequest.Builder request =
          from.toBuilder()
              .destination(FetchRequest.Destination.NONE)
              .unsafeRequest(true)
              .serviceWorkers(true)
              .reservedClient(null)
              .client(realm.settings()); // 12
      Mode mode = from.mode();
      HeaderList list = input == null ? new HeaderList() : new HeaderList(input.headers().list());
      if (init != null) {
        if (init.isPresent("window") && !init.any("window").isNull()) { // 10
          throw typeError("'window' can only be null.");
        }
        if (mode == Mode.NAVIGATE) { // 13
          mode = Mode.SAME_ORIGIN;
        }
        request
            .referrer(FetchRequest.CLIENT_REFERRER)
            .referrerPolicy(ReferrerPolicy.DEFAULT)
            .onlyCurrentUrl();
        if (init.isPresent("referrer")) { // 14
          request.referrer(referrer(init.string("referrer")));
        }
        if (init.isPresent("referrerPolicy")) { // 15
          request.referrerPolicy(
              FetchRequest.of(ReferrerPolicy.values(), init.string("referrerPolicy")));
        }
        if (init.isPresent("mode")) { // 16 to 18
          mode = FetchRequest.of(Mode.values(), init.string("mode"));
          if (mode == Mode.NAVIGATE) {
            throw typeError("The mode of a request cannot be 'navigate'.");
          }
        }
        if (init.isPresent("credentials")) { // 19
          request.credentials(FetchRequest.of(Credentials.values(), init.string("credentials")));
        }
      }
      request.mode(mode);
      Cache cache =
          init != null && init.isPresent("cache") // 20
              ? FetchRequest.of(Cache.values(), init.string("cache"))
              : from.cache();
      request.cache(cache);
      if (cache == Cache.ONLY_IF_CACHED && mode != Mode.SAME_ORIGIN) { // 21
        throw typeError("'only-if-cached' can be set only with 'same-origin' mode.");
      }
      String method = from.method();
      AbortSignal signal = input == null ? null : input.signal;
      if (init != null) {
        if (init.isPresent("redirect")) { // 22
          request.redirect(FetchRequest.of(Redirect.values(), init.string("redirect")));
        }
        if (init.isPresent("integrity")) { // 23
          request.integrity(init.string("integrity"));
        }
        if (init.isPresent("keepalive")) { // 24
          request.keepalive(init.bool("keepalive"));
        }
        if (init.isPresent("method")) { // 25
          method = method(init.string("method"));
        }
        if (init.isPresent("signal")) { // 26
          signal = init.objectOrNull("signal", AbortSignal.class);
        }
      }
      request.method(method);
      AbortSignal own =
          AbortSignal.createDependent(
              realm, signal == null ? List.of() : List.of(signal)); // 29, 30
      Headers.Guard guard = Headers.Guard.REQUEST; // 31
      if (mode == Mode.NO_CORS) { // 32
        if (!Cors.isSafelistedMethod(method)) {
          throw typeError("Method '" + method + "' is not allowed in 'no-cors' mode.");
        }
        guard = Headers.Guard.REQUEST_NO_CORS;
      }
      boolean refill = init != null && init.isPresent("headers");
      Headers headers = headers(guard, list, init != null); // 33
      if (refill) {
        headers = new Headers(realm, new HeaderList(), guard);
        headers.fill(java.util.Objects.requireNonNull(init).any("headers"), attempt);
      }
      return new Request(realm, request.build(), headers, body(init, method, headers, input), own);
    }

    /** Returns the input's headers; with an init dictionary, only those that the guard allows. */
    private Headers headers(Headers.Guard guard, HeaderList list, boolean filtered) {
      if (!filtered) {
        return new Headers(realm, list, guard);
      }
      Headers headers = new Headers(realm, new HeaderList(), guard);
      headers.fill(list, attempt);
      return headers;
    }

    /** Runs steps 34 to 42 of the constructor; returns the body, null for none. */
    private @Nullable Body body(
        @Nullable DictionaryView init, String method, Headers headers, @Nullable Request input) {
      Body inputBody = input == null ? null : input.body(); // 34
      Value given =
          init != null && init.isPresent("body") && !init.any("body").isNull()
              ? init.any("body")
              : null;
      if ((given != null || inputBody != null)
          && (method.equals("GET") || method.equals("HEAD"))) { // 35
        throw typeError("A request with method '" + method + "' cannot have a body.");
      }
      if (given != null) { // 37
        Body.WithType body = Body.extract(RealmBinding.of(realm), given);
        if (body.type() != null && !headers.list().contains("Content-Type")) {
          headers.append("Content-Type", body.type(), attempt);
        }
        return new Body(body.source());
      }
      if (inputBody == null) {
        return null;
      }
      if (inputBody.isUsed()) { // 41.1
        throw typeError("The body of the given Request has already been read.");
      }
      return new Body(inputBody.use()); // 41.2
    }

    private UrlRecord url(String input) {
      UrlRecord url = UrlParser.parse(input, GlobalScope.of(realm).apiBaseUrl()); // 5.1
      if (url == null) { // 5.2
        throw typeError("'" + input + "' is not a valid URL.");
      }
      if (url.includesCredentials()) { // 5.3
        throw typeError("'" + input + "' is a URL that includes credentials.");
      }
      return url;
    }

    private String referrer(String given) {
      if (given.isEmpty()) { // 14.2
        return "";
      }
      UrlRecord parsed = UrlParser.parse(given, GlobalScope.of(realm).apiBaseUrl()); // 14.3.1
      if (parsed == null) { // 14.3.2
        throw typeError("The referrer '" + given + "' is not a valid URL.");
      }
      Origin.Tuple origin = parsed.tupleOrigin();
      boolean isClient =
          parsed.href().equals(FetchRequest.CLIENT_REFERRER)
              || !realm.settings().origin().equals(origin);
      return isClient ? FetchRequest.CLIENT_REFERRER : parsed.href(); // 14.3.3, 14.3.4
    }

    private String method(String method) {
      if (!HttpText.isToken(method)) { // 25.2
        throw typeError("'" + method + "' is not a valid HTTP method.");
      }
      if (RequestRules.isForbiddenMethod(method)) {
        throw typeError("Method '" + method + "' is not allowed.");
      }
      return RequestRules.normalizeMethod(method); // 25.3
    }

    private static boolean isEmpty(@Nullable DictionaryView init) {
      return init == null || INIT_MEMBERS.stream().noneMatch(init::isPresent);
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-request-clone">clone()</a> */
  private Request copy() {
    requireUsable("clone"); // 1
    Body body = body();
    return new Request(
        realm(),
        request,
        new Headers(realm(), new HeaderList(headers().list()), headers().guard()),
        body == null ? null : body.copy(),
        AbortSignal.createDependent(realm(), List.of(signal))); // 4
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Request", Request.class)
        .constructor(Request::construct)
        .getter("method", self -> self.request.method())
        .getter("url", self -> self.request.urlList().getFirst().href())
        .getter("headers", BodyOwner::headers)
        .getter("destination", self -> FetchRequest.idlValue(self.request.destination()))
        .getter("referrer", self -> self.request.referrer())
        .getter("referrerPolicy", self -> FetchRequest.idlValue(self.request.referrerPolicy()))
        .getter("mode", self -> FetchRequest.idlValue(self.request.mode()))
        .getter("credentials", self -> FetchRequest.idlValue(self.request.credentials()))
        .getter("cache", self -> FetchRequest.idlValue(self.request.cache()))
        .getter("redirect", self -> FetchRequest.idlValue(self.request.redirect()))
        .getter("integrity", self -> self.request.integrity())
        .getter("keepalive", self -> self.request.keepalive())
        .getter("signal", Request::signal)
        .getter("duplex", self -> "half")
        .operation("clone", (self, args) -> self.copy());
  }
}
