package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A top-level window. Thread-safe. */
public final class Window implements AutoCloseable {

  private final Agent agent;
  private final CompletableFuture<Void> loaded;

  Window(Agent agent, CompletableFuture<Void> loaded) {
    this.agent = agent;
    this.loaded = loaded;
  }

  /** How traces call the event loop of this window, such as {@code window-1}. */
  public String name() {
    return agent.name();
  }

  /**
   * Completes after the load event of the document has been fired; exceptionally if the document
   * could not be fetched, with a {@link java.util.concurrent.CancellationException} if the window
   * was closed before.
   */
  public CompletionStage<Void> loaded() {
    return loaded.minimalCompletionStage();
  }

  /**
   * Completes when the window has ended, by {@link #close()} or with its user agent: no script of
   * it or of its dedicated workers can run any more, their locks have passed on, and their memory
   * can be collected. Never completes exceptionally. What depends on it runs on a thread of the
   * driver and must not block, except by waiting for the end of other windows or of the user agent.
   */
  public CompletionStage<Void> ended() {
    return agent.ended();
  }

  /**
   * Ends the window and its workers, wherever their script is: idle, in an endless loop, in the
   * callback of a lock, not begun yet. Returns at once; {@link #ended()} tells when it is done. Any
   * thread, that of its own script too, any number of times.
   */
  @Override
  public void close() {
    agent.terminate();
  }
}
