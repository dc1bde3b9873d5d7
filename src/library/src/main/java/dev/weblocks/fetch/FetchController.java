package dev.weblocks.fetch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The controller of a fetch in flight. Thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#fetch-controller">fetch controller</a>
 */
public final class FetchController {

  private final CompletableFuture<FetchResponse> response = new CompletableFuture<>();
  private @Nullable CompletableFuture<?> waitsFor;

  FetchController() {}

  /**
   * Returns a stage that completes with the response, whatever its status, or exceptionally with a
   * {@link NetworkErrorException}. It completes on any thread.
   */
  public CompletionStage<FetchResponse> response() {
    return response.minimalCompletionStage();
  }

  CompletableFuture<FetchResponse> future() {
    return response;
  }

  /**
   * Aborts the fetch: its response becomes a network error, and the future that the fetch waits for
   * is cancelled. No-op once there is a response.
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

  /** Sets the future that an abort cancels; the fetch waits for one future at a time. */
  void waitsFor(CompletableFuture<?> next) {
    synchronized (this) {
      waitsFor = next;
    }
    if (response.isDone()) {
      next.cancel(true);
    }
  }
}
