package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.url.UrlRecord;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What may answer a request in place of the network: service workers. A supplement of the user
 * agent, or none. Thread-safe.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#handle-fetch">Service Workers: Handle
 *     Fetch</a>
 */
@FunctionalInterface
public interface FetchInterceptor {

  /** What came of it. */
  sealed interface Interception {

    /**
     * An answer.
     *
     * @param response of type DEFAULT if script made it; with its own type if it was fetched
     */
    record Answer(FetchResponse response) implements Interception {}

    /**
     * The request fails.
     *
     * @param reason for the host, not for script
     */
    record NetworkError(String reason) implements Interception {}

    /** The network is asked after all. */
    record NotHandled() implements Interception {}
  }

  /**
   * Asked for each request to an HTTP or HTTPS URL whose service-workers mode is "all", before the
   * network is; of a navigation, and where the redirect mode is not "follow", for each redirect
   * anew. {@link FetchRequest#client()} tells who asks, null for the user agent; {@link
   * FetchRequest#reservedClient()} what a navigation or a new worker will be. Called on any thread,
   * maybe inside a turn of the client's event loop; must not wait.
   *
   * @return null, at once, for what is not handled; else a stage that completes on any thread. One
   *     that completes exceptionally is a network error. Its future is cancelled if the fetch is
   *     aborted.
   */
  @Nullable CompletionStage<Interception> intercept(FetchRequest request);

  /**
   * A worker whose script is a blob, which nobody else can answer, is to be treated as its creator
   * is. Any thread; before the environment is there.
   *
   * @param url of the script
   */
  default void inherit(
      FetchRequest.ReservedClient client, UrlRecord url, EnvironmentSettings creator) {}

  /**
   * What was reserved will not be any more: the navigation or the worker's script has failed. Any
   * thread; has no effect once the environment is there.
   */
  default void discard(FetchRequest.ReservedClient client) {}
}
