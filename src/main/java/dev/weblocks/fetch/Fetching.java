package dev.weblocks.fetch;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.file.ByteSequence;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * One fetch: the way of a request through the user agent. Steps run on the thread that starts it
 * and on those on which its answers come in, never two at once; none of them enters a context.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetching">Fetch</a>
 */
final class Fetching {

  private final UserAgent userAgent;
  private final FetchController controller = new FetchController();

  private Fetching(UserAgent userAgent) {
    this.userAgent = userAgent;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-fetch">fetch</a> */
  static FetchController fetch(UserAgent userAgent, FetchRequest request) {
    Fetching fetching = new Fetching(userAgent);
    CompletableFuture<FetchResponse> done = fetching.controller.future();
    fetching
        .schemeFetch(request)
        .whenComplete((response, failure) -> {
          if (failure == null) {
            done.complete(response);
          } else {
            done.completeExceptionally(networkError(failure));
          }
        });
    return fetching.controller;
  }

  static NetworkErrorException networkError(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof NetworkErrorException already
        ? already
        : new NetworkErrorException(String.valueOf(cause.getMessage()), cause);
  }

  private static CompletableFuture<FetchResponse> networkError(String reason) {
    return CompletableFuture.failedFuture(new NetworkErrorException(reason));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-scheme-fetch">scheme fetch</a> */
  private CompletableFuture<FetchResponse> schemeFetch(FetchRequest request) {
    return switch (request.currentUrl().scheme()) {
      case "about" -> about(request);
      case "data" -> data(request);
      default -> askFetcher(request);
    };
  }

  private static CompletableFuture<FetchResponse> about(FetchRequest request) {
    return request.url().equals("about:blank")
        ? local(request, "text/html;charset=utf-8", ByteSequence.empty())
        : networkError(request.url() + " is no resource");
  }

  private static CompletableFuture<FetchResponse> data(FetchRequest request) {
    DataUrl struct = DataUrl.process(request.currentUrl());
    return struct == null
        ? networkError("the data URL is malformed")
        : local(request, struct.mimeType().serialize(), struct.body());
  }

  private static CompletableFuture<FetchResponse> local(
      FetchRequest request, String contentType, ByteSequence body) {
    return CompletableFuture.completedFuture(
        new FetchResponse(
            FetchResponse.Type.DEFAULT,
            List.of(request.currentUrl().href()),
            200,
            "OK",
            List.of(Map.entry("Content-Type", contentType)),
            body,
            List.of()));
  }

  /** Asks the port. */
  private CompletableFuture<FetchResponse> askFetcher(FetchRequest request) {
    CompletableFuture<FetchResponse> answer;
    try {
      CompletionStage<FetchResponse> stage =
          userAgent.supplements().require(Fetcher.class).fetch(request);
      answer = stage.toCompletableFuture();
    } catch (RuntimeException | OutOfMemoryError refused) {
      return CompletableFuture.failedFuture(networkError(refused));
    }
    controller.waitsFor(answer);
    return answer;
  }
}
