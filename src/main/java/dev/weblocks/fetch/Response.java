package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/**
 * The {@code Response} interface, and {@code fetch()}.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#response-class">Fetch</a>
 */
final class Response extends PlatformObject {

  /** <a href="https://fetch.spec.whatwg.org/#concept-method-normalize">normalized</a> methods */
  private static final Set<String> NORMALIZED =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT");

  private final FetchResponse response;
  private boolean bodyUsed;

  private Response(Realm realm, FetchResponse response) {
    super(realm);
    this.response = response;
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-global-fetch">fetch()</a> */
  private static IdlPromise fetch(PlatformObject global, Arguments args) {
    Realm realm = global.realm();
    URI url = Urls.parse(args.string(0), realm.settings().creationUrl());
    if (url == null) {
      throw ScriptException.typeError(
          "Failed to execute 'fetch': '" + args.string(0) + "' is not a valid URL");
    }
    DictionaryView init = args.dictionary(1);
    String method = "GET";
    if (init.isPresent("method")) {
      method = init.string("method");
      String upper = method.toUpperCase(Locale.ROOT);
      method = NORMALIZED.contains(upper) ? upper : method;
    }
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    if (init.isPresent("headers")) {
      Value flat = init.any("headers");
      for (long i = 0; i < flat.getArraySize(); i += 2) {
        headers.add(
            Map.entry(flat.getArrayElement(i).asString(), flat.getArrayElement(i + 1).asString()));
      }
    }
    byte[] body = new byte[0];
    if (init.isPresent("body") && !init.any("body").isNull()) {
      if (method.equals("GET") || method.equals("HEAD")) {
        throw ScriptException.typeError(
            "Failed to execute 'fetch': a request with method " + method + " cannot have a body");
      }
      body = init.string("body").getBytes(StandardCharsets.UTF_8);
    }
    FetchRequest get = FetchRequest.get(url.toString());
    IdlPromise promise = RealmBinding.of(realm).newPromise();
    Fetcher.fetchFor(
        realm,
        new FetchRequest(method, get.url(), headers, body),
        response -> promise.resolve(new Response(realm, response)),
        reason -> promise.reject(ScriptException.typeError("Failed to fetch")));
    return promise;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-body-consume-body">consume body</a> */
  private void consume() {
    if (bodyUsed) {
      throw ScriptException.typeError("The body of the response has been read already");
    }
    bodyUsed = true;
  }

  private IdlPromise text() {
    consume();
    IdlPromise promise = binding().newPromise();
    promise.resolve(response.text());
    return promise;
  }

  private IdlPromise json() {
    consume();
    IdlPromise promise = binding().newPromise();
    try {
      promise.resolve(binding().parseJson(response.text()));
    } catch (PolyglotException syntaxError) {
      promise.reject(syntaxError.getGuestObject());
    }
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Response", Response.class)
        .getter("url", self -> self.response.url())
        .getter("status", self -> self.response.status())
        .getter("ok", self -> self.response.ok())
        .getter("statusText", self -> self.response.statusText())
        .getter("bodyUsed", self -> self.bodyUsed)
        .operation("json", (self, args) -> self.json())
        .operation("text", (self, args) -> self.text());
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .operation("fetch", Response::fetch);
  }
}
