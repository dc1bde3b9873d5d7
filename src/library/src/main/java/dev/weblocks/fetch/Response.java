package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Response} interface.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#response-class">Fetch</a>
 */
public final class Response extends BodyOwner {

  /**
   * The response as received, filtered or not; without headers and body if script constructed it.
   */
  private final FetchResponse response;

  private Response(Realm realm, FetchResponse response, Headers headers, @Nullable Body body) {
    super(realm, headers, body);
    this.response = response;
  }

  /**
   * Creates a response object that shows what script may see. Called on the event loop.
   *
   * @param response a filtered response, or one that script of this user agent made
   * @see <a href="https://fetch.spec.whatwg.org/#response-create">create a Response object</a>
   */
  public static Response of(Realm realm, FetchResponse response) {
    ByteSequence bytes = isOpaque(response.type()) ? null : response.body();
    return new Response(
        realm,
        response,
        new Headers(realm, response.visibleHeaders(), Headers.Guard.IMMUTABLE),
        bytes == null ? null : new Body(bytes));
  }

  private static boolean isOpaque(FetchResponse.Type type) {
    return switch (type) {
      case ERROR, OPAQUE, OPAQUEREDIRECT -> true;
      case BASIC, CORS, DEFAULT -> false;
    };
  }

  private static Response made(
      FetchResponse.Type type,
      int status,
      String statusText,
      Headers headers,
      @Nullable Body body) {
    return new Response(
        headers.realm(),
        new FetchResponse(type, List.of(), status, statusText, List.of(), null, List.of()),
        headers,
        body);
  }

  /** Returns the type, which determines what script may see. */
  public FetchResponse.Type type() {
    return response.type();
  }

  /**
   * Returns the response as received or, if script constructed it, with its current headers and
   * body. The result may be passed to another agent. Marks the body as used. Called on the event
   * loop.
   *
   * @throws IllegalStateException if the body {@linkplain #isUnusable is unusable}
   */
  public FetchResponse take() {
    if (isUnusable()) {
      throw new IllegalStateException("the body of the response has already been read");
    }
    if (response.type() != FetchResponse.Type.DEFAULT) {
      if (body() != null) {
        body().use();
      }
      return response;
    }
    return new FetchResponse(
        response.type(),
        response.urlList(),
        response.status(),
        response.statusText(),
        headers().list().entries(),
        body() == null ? null : body().use(),
        List.of());
  }

  @Override
  String interfaceName() {
    return "Response";
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response">Response()</a> */
  private static Response construct(Realm realm, Arguments args) {
    Value init = args.nullable(0);
    return initialize(
        realm,
        args.dictionary(1),
        init == null ? null : Body.extract(RealmBinding.of(realm), init),
        "Failed to construct 'Response'");
  }

  /** <a href="https://fetch.spec.whatwg.org/#initialize-a-response">initialize a response</a> */
  private static Response initialize(
      Realm realm, DictionaryView init, Body.@Nullable WithType body, String attempt) {
    int status = init.integer("status");
    if (status < 200 || status > 599) { // 1
      throw ScriptException.rangeError(
          attempt + ": The status provided (" + status + ") is outside the range 200 to 599.");
    }
    String statusText = init.string("statusText");
    if (!HttpText.isReasonPhrase(statusText)) { // 2
      throw ScriptException.typeError(
          attempt + ": '" + statusText + "' is not a valid status text.");
    }
    Headers headers = new Headers(realm, new HeaderList(), Headers.Guard.RESPONSE);
    if (init.isPresent("headers")) { // 5
      headers.fill(init.any("headers"), attempt);
    }
    if (body != null) { // 6
      if (ResponseRules.NULL_BODY_STATUSES.contains(status)) {
        throw ScriptException.typeError(
            attempt + ": A response with status " + status + " cannot have a body.");
      }
      if (body.type() != null && !headers.list().contains("Content-Type")) {
        headers.list().append("Content-Type", body.type());
      }
    }
    return made(
        FetchResponse.Type.DEFAULT,
        status,
        statusText,
        headers,
        body == null ? null : new Body(body.source()));
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-error">error()</a> */
  private static Response error(Arguments args) {
    return made(
        FetchResponse.Type.ERROR,
        0,
        "",
        new Headers(args.realm(), new HeaderList(), Headers.Guard.IMMUTABLE),
        null);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-redirect">redirect()</a> */
  private static Response redirect(Arguments args) {
    String attempt = "Failed to execute 'redirect' on 'Response'";
    Realm realm = args.realm();
    UrlRecord url = UrlParser.parse(args.string(0), GlobalScope.of(realm).apiBaseUrl()); // 1
    if (url == null) { // 2
      throw ScriptException.typeError(attempt + ": '" + args.string(0) + "' is not a valid URL.");
    }
    int status = args.integer(1);
    if (!ResponseRules.REDIRECT_STATUSES.contains(status)) { // 3
      throw ScriptException.rangeError(attempt + ": " + status + " is not a redirect status.");
    }
    HeaderList list = new HeaderList();
    list.append("Location", url.href()); // 6, 7
    return made(
        FetchResponse.Type.DEFAULT,
        status,
        "",
        new Headers(realm, list, Headers.Guard.IMMUTABLE),
        null);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-json">static json()</a> */
  private static Response json(Arguments args) {
    String attempt = "Failed to execute 'json' on 'Response'";
    Realm realm = args.realm();
    String json = RealmBinding.of(realm).values().serializeJson(args.any(0)); // 1
    if (json == null) {
      throw ScriptException.typeError(attempt + ": The data is not JSON serializable.");
    }
    return initialize(
        realm,
        args.dictionary(1),
        new Body.WithType(ByteSequence.utf8Encode(json), "application/json"),
        attempt);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-clone">clone()</a> */
  private Response copy() {
    requireUsable("clone");
    Body body = body();
    return new Response(
        realm(),
        response,
        new Headers(realm(), new HeaderList(headers().list()), headers().guard()),
        body == null ? null : body.copy());
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-url">url</a> */
  private String url() {
    UrlRecord url =
        response.type() == FetchResponse.Type.OPAQUE ? null : UrlParser.parse(response.url());
    return url == null ? "" : UrlSerializer.serialize(url, true);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-redirected">redirected</a> */
  private boolean isRedirected() {
    return response.type() != FetchResponse.Type.OPAQUE && response.urlList().size() > 1;
  }

  private int status() {
    return isOpaque(response.type()) ? 0 : response.status();
  }

  private String statusText() {
    return isOpaque(response.type()) ? "" : response.statusText();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Response", Response.class)
        .constructor(Response::construct)
        .staticOperation("error", Response::error)
        .staticOperation("redirect", Response::redirect)
        .staticOperation("json", Response::json)
        .getter("type", self -> self.type().toString())
        .getter("url", Response::url)
        .getter("redirected", Response::isRedirected)
        .getter("status", Response::status)
        .getter("ok", self -> self.status() >= 200 && self.status() <= 299)
        .getter("statusText", Response::statusText)
        .getter("headers", BodyOwner::headers)
        .operation("clone", (self, args) -> self.copy());
  }
}
