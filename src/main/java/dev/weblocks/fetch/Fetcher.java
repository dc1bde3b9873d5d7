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
 * Where resources come from that the user agent does not hold itself: a supplement of the user
 * agent. Thread-safe. Its static methods are the way to it for all code of the library.
 */
@FunctionalInterface
public interface Fetcher {

  /**
   * Asks for a resource over whatever there is; follows no redirects unless it has to.
   *
   * @return a stage that completes exceptionally, or a thrown exception, is a network error; the
   *     future of the stage is cancelled when nobody waits for the response any more
   */
  CompletionStage<FetchResponse> fetch(FetchRequest request);

  /**
   * Fetches for nobody's realm, as a navigation does. Any thread; never waits. The maker of the
   * request says whose it is by {@link FetchRequest.Builder#client}.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch">fetch</a>
   */
  static FetchController start(UserAgent userAgent, FetchRequest request) {
    return Fetching.fetch(userAgent, request);
  }

  /**
   * Fetches for a realm, which becomes the client of the request, and comes back in a task of the
   * networking task source. On the event loop.
   *
   * @param onResponse gets the response, whatever its status
   * @param onNetworkError gets a reason for the host, not for script
   * @return ends the fetch by its {@code abort()}, which counts as a network error
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
   * Fetches for a realm, which becomes the client of the request, while its agent stands still;
   * other agents go on. On the event loop.
   *
   * @return the response, whatever its status
   * @throws NetworkErrorException for a network error
   * @throws IllegalStateException if the agent is ended meanwhile
   */
  static FetchResponse fetchAndWait(Realm realm, FetchRequest request)
      throws NetworkErrorException {
    try {
      return fetchAndWait(realm, request, Actor.NEVER);
    } catch (TimeoutException impossible) {
      throw new IllegalStateException("a fetch without a time limit reached it", impossible);
    }
  }

  /**
   * Like {@link #fetchAndWait(Realm, FetchRequest)}, for no longer than some time.
   *
   * @param nanos the longest time, positive; {@link Actor#NEVER} for no limit
   * @throws TimeoutException if that was too short; the fetch has ended then
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
      controller.abort(); // where it has not been waited for to the end
    }
  }

  private static FetchController start(Realm realm, FetchRequest request) {
    FetchController controller =
        start(realm.agent().userAgent(), request.toBuilder().client(realm.settings()).build());
    if (!request.keepalive()) {
      RealmFetches.of(realm).add(controller);
    }
    return controller;
  }
}
