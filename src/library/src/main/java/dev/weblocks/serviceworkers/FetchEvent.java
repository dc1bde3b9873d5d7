package dev.weblocks.serviceworkers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.fetch.FetchInterceptor.Interception;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Request;
import dev.weblocks.fetch.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code FetchEvent} interface.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#fetchevent-interface">Service Workers</a>
 */
final class FetchEvent extends ExtendableEvent {

  /** The promise {@code handled}; null until script reads it, and in events created by script. */
  private @Nullable IdlPromise ownHandled;

  private @Nullable Interception outcome;

  /** The receiver of the event's outcome; null once called, and in events created by script. */
  private @Nullable Consumer<Interception> answer;

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#fetchevent-respond-with-entered-flag">entered
   * flag</a>
   */
  private boolean respondWithEntered;

  private FetchEvent(
      Realm realm,
      Request request,
      String clientId,
      String resultingClientId,
      Consumer<Interception> answer) {
    super(realm, "FetchEvent", "fetch", true);
    this.answer = answer;
    IdlPromise none = binding().promises().newPromise();
    none.resolve();
    with("request", request);
    with("clientId", clientId);
    with("resultingClientId", resultingClientId);
    with("preloadResponse", none);
  }

  private FetchEvent(Realm realm, Arguments args) {
    super(realm, "FetchEvent", args);
    for (String promise : List.of("preloadResponse", "handled")) {
      if (!args.dictionary(1).isPresent(promise)) {
        with(promise, binding().promises().newPromise()); // it never settles
      }
    }
  }

  /**
   * Creates the event for a request. Called on the event loop of the worker.
   *
   * @param answer receives the outcome of the event, once, on that event loop
   * @param waiting the future of that outcome; failure or cancellation aborts the request's signal
   * @see <a href="https://w3c.github.io/ServiceWorker/#create-fetch-event-and-dispatch">Create
   *     Fetch Event and Dispatch</a>
   */
  static FetchEvent of(
      Realm realm,
      FetchRequest request,
      Consumer<Interception> answer,
      CompletableFuture<?> waiting) {
    EnvironmentSettings client = request.client();
    FetchRequest.ReservedClient reserved = request.reservedClient();
    AbortSignal signal = AbortSignal.create(realm);
    waiting.whenComplete((done, failure) -> {
      if (failure != null) {
        realm.queueTask(
            TaskSource.HANDLE_FETCH,
            "abort of a fetch",
            () -> signal.signalAbort(realm, RealmBinding.of(realm).values().undefined()));
      }
    });
    return new FetchEvent(
        realm,
        Request.of(realm, request, signal),
        client == null ? "" : client.id(),
        reserved == null ? "" : reserved.id(),
        answer);
  }

  /** Sets the outcome of this event after the dispatch, if {@code respondWith()} was not called. */
  @Override
  void dispatched() {
    if (!respondWithEntered) {
      if (isCanceled()) {
        fail("the fetch event was canceled");
      } else {
        settle(new Interception.NotHandled());
      }
    }
  }

  private void settle(Interception interception) {
    Consumer<Interception> tell = answer;
    if (tell == null) {
      return;
    }
    answer = null;
    tell.accept(interception);
    outcome = interception;
    settleHandled();
  }

  private void settleHandled() {
    IdlPromise promise = ownHandled;
    if (promise == null || outcome == null) {
      return;
    }
    if (outcome instanceof Interception.NetworkError) {
      promise.reject(
          ScriptException.dom("NetworkError", "The request was answered with a network error."));
    } else {
      promise.resolve();
    }
  }

  /**
   * Returns the promise {@code handled}. It is made lazily, so that a promise that script never
   * reads is not reported as an unhandled rejection.
   */
  private @Nullable Object handled() {
    if (attribute("handled") == null) {
      IdlPromise own = binding().promises().newPromise();
      ownHandled = own;
      with("handled", own);
      settleHandled();
    }
    return attribute("handled");
  }

  private void fail(String reason) {
    settle(new Interception.NetworkError(reason));
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#fetch-event-respondwith">respondWith()</a> */
  private void respondWith(Arguments args) {
    Value promise = args.any(0);
    // 2.
    if (!isDispatching()) {
      throw invalidState("respondWith", "The fetch event has already been dispatched.");
    }
    // 3.
    if (respondWithEntered) {
      throw invalidState("respondWith", "The event has already been responded to.");
    }
    // 4.
    addLifetimePromise(promise, "respondWith");
    // 5.
    stopImmediatePropagation();
    // 6. and 7.
    respondWithEntered = true;
    // 9. and 10.
    binding()
        .promises()
        .react(
            promise,
            this::respond,
            reason -> fail("the promise that was passed to respondWith() was rejected"));
  }

  /** Runs step 10 of respondWith(). */
  private void respond(Value value) {
    PlatformObject object = binding().objects().implementation(value);
    // 10.1.
    if (!(object instanceof Response response)) {
      fail("an object that is not a Response was passed to respondWith()");
    } else if (response.type() == FetchResponse.Type.ERROR) {
      fail("a network error was passed to respondWith()");
    } else if (response.isUnusable()) { // 10.2.
      fail("the body of the response passed to respondWith() has already been read");
    } else { // 10.3.
      settle(new Interception.Answer(response.take()));
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("FetchEvent", FetchEvent.class)
        .constructor(FetchEvent::new)
        .getter("handled", FetchEvent::handled)
        .action("respondWith", FetchEvent::respondWith);
  }
}
