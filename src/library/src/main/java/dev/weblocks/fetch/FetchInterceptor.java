package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.url.UrlRecord;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The access of fetches to service workers, which may answer in place of the network. Thread-safe.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#handle-fetch">Handle Fetch</a>
 */
@FunctionalInterface
public interface FetchInterceptor {

  sealed interface Interception {

    /**
     * A response in place of the network's. A response made by script has type DEFAULT; a fetched
     * response keeps its type.
     */
    record Answer(FetchResponse response) implements Interception {}

    /** A network error; the reason is for the host, not for script. */
    record NetworkError(String reason) implements Interception {}

    /** No response: the request is sent to the network. */
    record NotHandled() implements Interception {}
  }

  /**
   * Offers a request to the service workers before it is sent to the network. Called for each
   * request to an HTTP or HTTPS URL whose service-workers mode is "all". A navigation, or a request
   * whose redirect mode is not "follow", is offered again for each redirect. {@link
   * FetchRequest#client()} is the client, null for the user agent; {@link
   * FetchRequest#reservedClient()} is the environment that a navigation or a new worker will have.
   * Called on any thread, possibly inside a turn of the client's event loop; must not block.
   *
   * @return null, at once, if the request is not handled; otherwise a stage, which completes on any
   *     thread. Exceptional completion is a network error; an aborted fetch cancels the future of
   *     the stage
   */
  @Nullable CompletionStage<Interception> intercept(FetchRequest request);

  /**
   * Passes the service worker of the creator on to a new worker whose script is a blob, since no
   * request for a blob is intercepted. Callable on any thread; called before the environment
   * exists.
   */
  default void inherit(
      FetchRequest.ReservedClient client, UrlRecord url, EnvironmentSettings creator) {}

  /**
   * Releases a reserved client whose environment will not be created, since the navigation or the
   * fetch of the worker's script has failed. Callable on any thread; a no-op once the environment
   * exists.
   */
  default void discard(FetchRequest.ReservedClient client) {}

  /**
   * Passes the service worker of a reserved client on to an environment with another id, which will
   * be created instead. Callable on any thread.
   */
  default void rename(FetchRequest.ReservedClient client, String id) {}

  /**
   * Gives an existing environment its new URL and the service worker of a reserved client, since
   * its window has got the document of a navigation. Called on the event loop of the realm.
   */
  default void reuse(Realm realm, FetchRequest.ReservedClient client) {}

  /**
   * Returns the interceptor of a user agent; the default handles no request. Callable on any
   * thread.
   */
  static FetchInterceptor of(UserAgent userAgent) {
    return FetchSettings.of(userAgent).interceptors().apply(userAgent);
  }
}
