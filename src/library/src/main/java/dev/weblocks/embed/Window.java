package dev.weblocks.embed;

import dev.weblocks.agent.Freezing;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.html.Traversable;
import dev.weblocks.model.Ending;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.url.UrlRecord;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * A top-level window, like a tab of a browser: shows one document after another, each with its
 * frames and workers, in contexts that the library makes. {@link UserAgent#open} opens one. It ends
 * by {@link #close()}, or with its user agent. Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="window"}
 */
public final class Window implements AutoCloseable {

  private final dev.weblocks.agent.UserAgent userAgent;
  private final Traversable traversable;
  private final UrlRecord url;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private final FrozenLocks frozenLocks;
  private volatile boolean discarded;

  /** Opens a window. {@code wasDiscarded} is the value of {@code document.wasDiscarded}. */
  Window(
      dev.weblocks.agent.UserAgent userAgent,
      UrlRecord url,
      FrozenLocks frozenLocks,
      boolean wasDiscarded) {
    this.userAgent = userAgent;
    this.url = url;
    this.frozenLocks = frozenLocks;
    traversable = Traversable.open(userAgent, url, wasDiscarded, loaded);
  }

  private Freezing freezing() {
    return Objects.requireNonNull(traversable.agent()).freezing();
  }

  /**
   * Returns the name that traces show for the event loop of this window's first document, such as
   * {@code window-1}.
   */
  public String name() {
    return traversable.name();
  }

  /**
   * Returns a future that completes after the load event of the document. It completes
   * exceptionally if the document could not be fetched, and with a {@link
   * java.util.concurrent.CancellationException} if the window is closed first.
   */
  public CompletableFuture<Void> loaded() {
    return loaded.copy();
  }

  /**
   * Returns a future that completes when the window has ended, by {@link #close()} or with its user
   * agent: no script of it or of its dedicated workers can act any more, their locks are released,
   * and, unless it was cut off, their memory can be collected. Its value says whether script has
   * stopped or was cut off, see {@link dev.weblocks.model.Limits.Builder#endLimit}. Never completes
   * exceptionally. Dependent stages run on a thread of the driver and must not block, except by
   * waiting for the end of other windows or of the user agent.
   */
  public CompletableFuture<Ending> ended() {
    return traversable.ended().toCompletableFuture();
  }

  /**
   * Freezes the window and its dedicated workers, with the policy of {@link
   * UserAgent.Builder#frozenLocks} for locks.
   *
   * @see #freeze(FrozenLocks)
   */
  public CompletableFuture<Boolean> freeze() {
    return freeze(frozenLocks);
  }

  /**
   * Freezes the window and its dedicated workers, as browsers freeze a tab in the background. The
   * document becomes hidden and gets a {@code freeze} event, after the tasks that are queued
   * already. Then no task and no timer runs until {@link #resume()}; tasks wait in their order. A
   * timer that becomes due meanwhile fires once after the window has resumed; so does an interval.
   * A frozen window can be closed. Calls to freeze and to resume take effect in their order.
   * Callable on any thread; returns at once; no-op if the window is frozen by then.
   *
   * @return a future that completes with true when the window is frozen; with false if {@link
   *     FrozenLocks#REFUSE} prevents it; with a {@link java.util.concurrent.CancellationException}
   *     if the window ends first. It never completes if a running script does not end
   * @see <a href="https://wicg.github.io/page-lifecycle/">Page Lifecycle</a>
   */
  public CompletableFuture<Boolean> freeze(FrozenLocks locks) {
    return freezing().freeze(Objects.requireNonNull(locks, "locks")).toCompletableFuture();
  }

  /**
   * Resumes a frozen window and its workers: the document gets a {@code resume} event and becomes
   * visible, unless {@link #setVisible} has hidden the window. Then all waiting tasks run. Callable
   * on any thread; returns at once; no-op if the window is not frozen by then.
   *
   * @return a future that completes when the window has resumed; exceptionally with a {@link
   *     java.util.concurrent.CancellationException} if the window ends first
   */
  public CompletableFuture<Void> resume() {
    return freezing().resume().toCompletableFuture();
  }

  /**
   * Shows or hides the window, as when the user changes between tabs of a browser. A new window is
   * visible. If this is a change, {@code document.visibilityState} changes in the document and in
   * its frames, each in a task with an event {@code visibilitychange}; later documents begin with
   * the new state. A frozen window gets these tasks after it has resumed. The callbacks of {@code
   * requestAnimationFrame()} wait while the document is hidden; timers run as ever. Callable on any
   * thread; returns at once; no-op if the window is closed.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/interaction.html#page-visibility">HTML</a>
   */
  public void setVisible(boolean visible) {
    traversable.setVisible(visible);
  }

  /** Runs a script with the default options, see {@link #evaluate(String, EvaluationOptions)}. */
  public CompletableFuture<EvaluatedValue> evaluate(String code) {
    return evaluate(code, EvaluationOptions.DEFAULT);
  }

  /**
   * Runs a classic script in the active document of the window, in a separate task, as the prompt
   * of a browser's console does. Callable on any thread; returns at once. An exception of the
   * script completes the future only: neither the page nor the {@link
   * dev.weblocks.model.ErrorListener} gets an error.
   *
   * @param code a classic script
   * @return a future that completes with the value of the last expression statement; exceptionally
   *     with an {@link EvaluationException} if the script fails, for example by a syntax error, or
   *     the engine fails while it runs; with a {@link CancellationException} if the document ends
   *     first; with an {@link IllegalStateException} if there is no document yet, see {@link
   *     #loaded()}. It never completes for a script that does not end, or whose promise is never
   *     settled
   */
  public CompletableFuture<EvaluatedValue> evaluate(String code, EvaluationOptions options) {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(options, "options");
    Realm realm = traversable.activeRealm();
    if (realm == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(
              "window " + name() + " has no document yet; wait until it has loaded"));
    }
    CompletableFuture<EvaluatedValue> outcome = new CompletableFuture<>();
    realm.queueTask(
        TaskSource.DOM_MANIPULATION,
        "evaluate",
        () -> new ScriptEvaluation(realm, options, outcome).run(code));
    realm.onDiscard(
        () -> outcome.completeExceptionally(new CancellationException("the document has ended")));
    return outcome;
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. Callable on any thread. */
  public boolean isClosed() {
    return traversable.isClosed() || userAgent.isClosed();
  }

  /** Returns whether the window is frozen now. */
  public boolean isFrozen() {
    return freezing().isFrozen();
  }

  /**
   * Closes the window like {@link #close()}, as browsers do to save the memory of a tab; {@link
   * #reopen()} opens it again. No-op if the window is already closed.
   */
  public void discard() {
    if (!traversable.isClosed()) {
      discarded = true;
    }
    close();
  }

  /**
   * Opens a new window with the original URL of this window, as browsers do when the user returns
   * to a discarded tab. In the new window, {@code document.wasDiscarded} is true.
   *
   * @throws IllegalStateException if this window was not discarded, or the user agent is closed
   */
  public Window reopen() {
    if (!discarded) {
      throw new IllegalStateException(
          "window " + name() + " was not discarded; open its URL with UserAgent.open(url)");
    }
    return new Window(userAgent, url, frozenLocks, /* wasDiscarded= */ true);
  }

  /**
   * Begins the end of the window and its workers, and returns at once; {@link #ended()} completes
   * when they have ended. Their script may be in any state: idle, in an endless loop, in the
   * callback of a lock, not begun yet. Callable on any thread, including that of its own script;
   * idempotent.
   */
  @Override
  public void close() {
    traversable.close();
  }
}
