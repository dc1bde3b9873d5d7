package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A top-level window. Thread-safe. */
public final class Window implements AutoCloseable {

  private final Agent agent;
  private final CompletableFuture<Void> loaded;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  Window(Agent agent, CompletableFuture<Void> loaded) {
    this.agent = agent;
    this.loaded = loaded;
    agent.onEnd(() -> ended.complete(null));
  }

  /**
   * Completes after the load event of the document has been fired; exceptionally if the document
   * could not be fetched, with a {@link java.util.concurrent.CancellationException} if the window
   * was closed before.
   */
  public CompletionStage<Void> loaded() {
    return loaded.minimalCompletionStage();
  }

  /** Completes when the window has ended, by {@link #close()} or with its user agent. */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /** Ends the window and its workers, wherever their script is. Returns at once. */
  @Override
  public void close() {
    agent.terminate();
  }
}
