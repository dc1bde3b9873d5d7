package dev.weblocks.embed;

import dev.weblocks.agent.Activity;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.file.ByteSequence;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A fetcher that gets resources from the loader of the embedder. */
record ResourceLoading(ResourceLoader loader, Driver driver) implements Fetcher {

  @Override
  public CompletionStage<FetchResponse> fetch(
      dev.weblocks.agent.UserAgent userAgent, FetchRequest request) {
    CompletionStage<ResourceResponse> loading;
    try {
      loading =
          Objects.requireNonNull(
              loader.load(requestFor(request)), "the resource loader returned null");
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    CompletableFuture<FetchResponse> answer = new CompletableFuture<>();
    Activity activity = userAgent.activity();
    AtomicBoolean over = new AtomicBoolean();
    activity.begin();
    loading
        .thenApply(ResourceLoading::responseOf)
        .whenComplete((response, failure) -> {
          if (answer.isDone()) {
            return; // no longer needed
          }
          driver.arrive(
              "response to " + request.method() + " " + request.url(),
              () -> {
                if (failure != null) {
                  answer.completeExceptionally(failure);
                } else {
                  answer.complete(response);
                }
                endOnce(activity, over); // the dependents of the answer have run
              });
        });
    answer.whenComplete((response, failure) -> {
      if (answer.isCancelled()) {
        endOnce(activity, over);
        loading.toCompletableFuture().cancel(true); // code of the embedder, which may throw
      }
    });
    return answer;
  }

  private static ResourceRequest requestFor(FetchRequest request) {
    ByteSequence body = request.body();
    return new ResourceRequest(
        request.method(),
        request.url(),
        request.headers(),
        body == null ? new byte[0] : body.toByteArray());
  }

  private static FetchResponse responseOf(ResourceResponse response) {
    return new FetchResponse(
        response.url(),
        response.status(),
        response.statusText(),
        response.headers(),
        response.body());
  }

  private static void endOnce(Activity activity, AtomicBoolean over) {
    if (over.compareAndSet(false, true)) {
      activity.end();
    }
  }
}
