package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The {@code fetch()} method. What the network does, redirects and CORS among it, is behind {@link
 * Fetcher}.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetch-method">Fetch</a>
 */
final class FetchMethod {

  private static final String ATTEMPT = "Failed to execute 'fetch'";

  /** <a href="https://fetch.spec.whatwg.org/#concept-method-normalize">normalized</a> methods */
  private static final Set<String> NORMALIZED =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT");

  /**
   * <a href="https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name">CORS-safelisted
   * response-header names</a>
   */
  private static final Set<String> CORS_SAFELISTED =
      Set.of(
          "cache-control",
          "content-language",
          "content-length",
          "content-type",
          "expires",
          "last-modified",
          "pragma");

  private FetchMethod() {}

  /** <a href="https://fetch.spec.whatwg.org/#dom-global-fetch">fetch()</a> */
  private static IdlPromise fetch(PlatformObject global, Arguments args) {
    Realm realm = global.realm();
    UrlRecord url = requestUrl(realm, args.string(0));
    FetchRequest request = request(realm, url, args.dictionary(1));
    IdlPromise promise = RealmBinding.of(realm).newPromise();
    Fetcher.fetchFor(
        realm,
        request,
        response -> promise.resolve(filtered(realm, request, response)),
        reason -> promise.reject(ScriptException.typeError("Failed to fetch")));
    return promise;
  }

  private static UrlRecord requestUrl(Realm realm, String input) {
    UrlRecord url = UrlParser.parse(input, GlobalScope.of(realm).apiBaseUrl());
    if (url == null) {
      throw ScriptException.typeError(ATTEMPT + ": '" + input + "' is not a valid URL");
    }
    if (url.includesCredentials()) {
      throw ScriptException.typeError(
          ATTEMPT + ": '" + input + "' is a URL that includes credentials");
    }
    return url;
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-request">Request()</a>, as far as it is there */
  private static FetchRequest request(Realm realm, UrlRecord url, DictionaryView init) {
    String method = init.isPresent("method") ? method(init.string("method")) : "GET"; // 25
    HeaderList list = new HeaderList();
    if (init.isPresent("headers")) { // 33
      new Headers(realm, list, Headers.Guard.REQUEST).fill(init.any("headers"), ATTEMPT);
    }
    ByteSequence bytes = null;
    if (init.isPresent("body") && !init.any("body").isNull()) {
      if (method.equals("GET") || method.equals("HEAD")) { // 35
        throw ScriptException.typeError(
            ATTEMPT + ": a request with method " + method + " cannot have a body");
      }
      Body.WithType body = Body.extract(RealmBinding.of(realm), init.any("body")); // 37
      if (body.type() != null && !list.contains("Content-Type")) {
        list.append("Content-Type", body.type());
      }
      bytes = body.source();
    }
    return FetchRequest.to(url)
        .method(method)
        .headers(list.entries())
        .body(bytes)
        .mode(FetchRequest.Mode.CORS)
        .build();
  }

  private static String method(String method) {
    if (!HttpText.isToken(method)) {
      throw ScriptException.typeError(ATTEMPT + ": '" + method + "' is not a valid HTTP method");
    }
    if (Headers.isForbiddenMethod(method)) {
      throw ScriptException.typeError(ATTEMPT + ": method '" + method + "' is not allowed");
    }
    String upper = method.toUpperCase(Locale.ROOT);
    return NORMALIZED.contains(upper) ? upper : method;
  }

  /**
   * The response as script may see it: a <a
   * href="https://fetch.spec.whatwg.org/#concept-filtered-response-basic">basic</a> or a <a
   * href="https://fetch.spec.whatwg.org/#concept-filtered-response-cors">CORS filtered
   * response</a>.
   */
  private static Response filtered(Realm realm, FetchRequest request, FetchResponse response) {
    UrlRecord landed = UrlParser.parse(response.url());
    String url = landed == null ? "" : UrlSerializer.serialize(landed, true);
    boolean sameOrigin = isSameOrigin(realm, url);
    HeaderList all = HeaderList.of(response.headers());
    HeaderList visible = new HeaderList();
    Set<String> exposed = new HashSet<>(CORS_SAFELISTED);
    List<String> named = all.getDecodeAndSplit("Access-Control-Expose-Headers");
    if (named != null) {
      named.forEach(name -> exposed.add(name.toLowerCase(Locale.ROOT)));
    }
    for (HeaderList.Header each : all.headers()) {
      boolean isVisible =
          !Headers.isForbiddenResponseHeaderName(each.name())
              && (sameOrigin
                  || exposed.contains("*") // credentials go to the own origin only
                  || exposed.contains(each.name().toLowerCase(Locale.ROOT)));
      if (isVisible) {
        visible.append(each.name(), each.value());
      }
    }
    ByteSequence body =
        request.method().equals("HEAD") || Response.isNullBodyStatus(response.status())
            ? null
            : response.body();
    return new Response(
        realm,
        new Response.Head(
            sameOrigin ? "basic" : "cors",
            url,
            !url.equals(request.url()),
            response.status(),
            response.statusText()),
        new Headers(realm, visible, Headers.Guard.IMMUTABLE),
        body == null ? null : new Body(body));
  }

  private static boolean isSameOrigin(Realm realm, String url) {
    UrlRecord parsed = UrlParser.parse(url);
    return parsed != null
        && (parsed.scheme().equals("data")
            || realm.settings().origin().equals(parsed.tupleOrigin()));
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .operation("fetch", FetchMethod::fetch);
  }
}
