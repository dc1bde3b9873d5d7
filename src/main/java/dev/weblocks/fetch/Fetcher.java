package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Where resources come from: a supplement of the user agent. Thread-safe. */
@FunctionalInterface
public interface Fetcher {

  /**
   * Fetches; a stage that completes exceptionally, or a thrown exception, is a network error.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch">fetch</a>
   */
  CompletionStage<FetchResponse> fetch(FetchRequest request);

  /**
   * Fetches and comes back in a task of the networking task source.
   *
   * @param onResponse gets the response, whatever its status
   * @param onNetworkError gets a reason for the host, not for script
   */
  static void fetchFor(
      Realm realm,
      FetchRequest request,
      Consumer<FetchResponse> onResponse,
      Consumer<String> onNetworkError) {
    CompletionStage<FetchResponse> stage;
    try {
      stage = realm.agent().userAgent().supplements().require(Fetcher.class).fetch(request);
    } catch (RuntimeException refused) {
      realm.queueTask(
          TaskSource.NETWORKING,
          "network error " + request.url(),
          () -> onNetworkError.accept(String.valueOf(refused.getMessage())));
      return;
    }
    stage.whenComplete((response, failure) ->
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
  }
}
