package dev.weblocks.fetch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A fetch under way. Any thread.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetch-controller">fetch controller</a>
 */
public final class FetchController {

  private final CompletableFuture<FetchResponse> response = new CompletableFuture<>();
  private @Nullable CompletableFuture<?> waitsFor;

  FetchController() {}

  /**
   * Completes with the response, whatever its status; exceptionally with a {@link
   * NetworkErrorException}. It completes on any thread.
   */
  public CompletionStage<FetchResponse> response() {
    return response.minimalCompletionStage();
  }

  CompletableFuture<FetchResponse> future() {
    return response;
  }

  /**
   * Ends the fetch: its response is a network error from now on, and whoever works on it is told to
   * stop. Does nothing once there is a response.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#fetch-controller-abort">abort</a>
   */
  public void abort() {
    if (response.completeExceptionally(new NetworkErrorException("the fetch was aborted"))) {
      CompletableFuture<?> current;
      synchronized (this) {
        current = waitsFor;
        waitsFor = null;
      }
      if (current != null) {
        current.cancel(true);
      }
    }
  }

  /** What is to be cancelled by an abort; the fetch waits for one thing at a time. */
  void waitsFor(CompletableFuture<?> next) {
    synchronized (this) {
      waitsFor = next;
    }
    if (response.isDone()) {
      next.cancel(true);
    }
  }
}
