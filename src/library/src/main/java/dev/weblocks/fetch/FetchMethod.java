package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.global.GlobalScope;
import org.jspecify.annotations.Nullable;

/**
 * One call of the {@code fetch()} method.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetch-method">Fetch</a>
 */
final class FetchMethod {

  private final IdlPromise promise;
  private final AbortSignal signal;

  /**
   * The abort algorithm of the signal; kept in a field, since removing it needs the same object.
   */
  private final Runnable onAbort = this::abort;

  private @Nullable FetchController controller;
  private @Nullable Body responseBody;

  private FetchMethod(IdlPromise promise, AbortSignal signal) {
    this.promise = promise;
    this.signal = signal;
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-global-fetch">fetch()</a> */
  private static IdlPromise fetch(PlatformObject global, Arguments args) {
    Realm realm = global.realm();
    IdlPromise promise = RealmBinding.of(realm).promises().newPromise(); // 1
    Request requestObject = Request.forFetch(args, realm); // 2
    AbortSignal signal = requestObject.signal();
    if (signal.isAborted()) { // 4
      promise.reject(signal.reason());
      return promise;
    }
    FetchRequest request = requestObject.request(); // 3
    if (realm.settings().globalNames().contains("ServiceWorker")) { // 5
      request = request.toBuilder().serviceWorkers(false).build();
    }
    new FetchMethod(promise, signal).start(realm, request);
    return promise;
  }

  private void start(Realm realm, FetchRequest request) {
    signal.add(onAbort); // 11
    controller = // 12
        Fetcher.fetchFor(realm, request, this::processResponse, this::processNetworkError);
  }

  private void processResponse(FetchResponse response) {
    if (signal.isAborted()) { // 12.1
      return;
    }
    Response responseObject = Response.of(promise.realm(), response); // 12.4
    responseBody = responseObject.body();
    signal.remove(onAbort);
    if (responseBody != null) {
      signal.addUnobserved(onAbort); // all bytes are here, so that nothing waits for them
      responseBody.onClose(() -> signal.remove(onAbort));
    }
    promise.resolve(responseObject); // 12.5
  }

  private void processNetworkError(String reason) {
    if (!signal.isAborted()) {
      signal.remove(onAbort);
      promise.reject(ScriptException.typeError("Failed to fetch")); // 12.3
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#abort-fetch">abort a fetch() call</a> */
  private void abort() {
    if (controller != null) {
      controller.abort();
    }
    promise.reject(signal.reason()); // 1
    if (responseBody != null) { // 4, 5
      responseBody.error(signal.reason());
    }
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .operation("fetch", FetchMethod::fetch);
  }
}
