package dev.weblocks.fetch;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The source of resources that the user agent does not hold itself. Thread-safe. All code of the
 * library fetches through the static methods of this interface.
 */
@FunctionalInterface
public interface Fetcher {

  /**
   * Fetches a resource by any means. The implementation should not follow redirects.
   *
   * @return a stage for the response. An exception of the stage or of this method becomes a network
   *     error. The future of the stage is cancelled when the response is no longer needed
   */
  CompletionStage<FetchResponse> fetch(UserAgent userAgent, FetchRequest request);

  /**
   * Starts a fetch that belongs to no realm, such as a navigation. Callable on any thread; never
   * blocks. The caller sets the client with {@link FetchRequest.Builder#client}.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch">fetch</a>
   */
  static FetchController start(UserAgent userAgent, FetchRequest request) {
    return Fetching.fetch(userAgent, request);
  }

  /**
   * Fetches for a realm, which becomes the client of the request, and calls back in a task of the
   * networking task source. Called on the event loop.
   *
   * @param onResponse receives the response, whatever its status
   * @param onNetworkError receives a reason for the host, not for script
   * @return the controller; its {@code abort()} ends the fetch with a network error
   */
  static FetchController fetchFor(
      Realm realm,
      FetchRequest request,
      Consumer<FetchResponse> onResponse,
      Consumer<String> onNetworkError) {
    FetchController controller = start(realm, request);
    controller
        .future()
        .whenComplete((response, failure) ->
            realm.queueTask(
                TaskSource.NETWORKING,
                (failure == null ? "response " : "network error ") + request.url(),
                () -> {
                  if (failure == null) {
                    onResponse.accept(response);
                  } else {
                    onNetworkError.accept(String.valueOf(failure.getMessage()));
                  }
                }));
    return controller;
  }

  /**
   * Fetches for a realm, which becomes the client of the request. Pauses the agent of the realm
   * until the response arrives; other agents continue. Called on the event loop.
   *
   * @return the response, whatever its status
   * @throws NetworkErrorException for a network error
   * @throws IllegalStateException if the agent ends meanwhile
   */
  static FetchResponse fetchAndWait(Realm realm, FetchRequest request)
      throws NetworkErrorException {
    try {
      return fetchAndWait(realm, request, Actor.NEVER);
    } catch (TimeoutException impossible) {
      throw new IllegalStateException("a fetch without a time limit timed out", impossible);
    }
  }

  /**
   * Fetches like {@link #fetchAndWait(Realm, FetchRequest)}, with a time limit.
   *
   * @param nanos the limit in nanoseconds, positive; {@link Actor#NEVER} for none
   * @throws TimeoutException if the limit was reached; the fetch is then aborted
   */
  static FetchResponse fetchAndWait(Realm realm, FetchRequest request, long nanos)
      throws NetworkErrorException, TimeoutException {
    FetchController controller = start(realm, request);
    CompletableFuture<FetchResponse> fetched = controller.future();
    try {
      if (!realm.agent().pause(fetched, nanos)) {
        throw new TimeoutException(request.url());
      }
      return fetched.join();
    } catch (CompletionException failure) {
      throw Fetching.networkError(failure);
    } finally {
      controller.abort(); // a no-op unless the wait was cut short
    }
  }

  /**
   * Starts a fetch for a realm, which becomes the client of the request. The fetch is aborted when
   * the realm is discarded, unless the request has {@code keepalive}. Callable on any thread; never
   * blocks.
   */
  static FetchController start(Realm realm, FetchRequest request) {
    FetchController controller =
        start(realm.agent().userAgent(), request.toBuilder().client(realm.settings()).build());
    if (!request.keepalive()) {
      FetchGroup.of(realm).add(controller);
    }
    return controller;
  }
}
