package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Endings;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.model.Ending;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.storage.SessionStorageShed;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.workers.SharedWorkerManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A top-level window with its session history. Thread-safe.
 *
 * <p>A document that a navigation leaves is kept for history traversal, with its agents frozen, if
 * no other window can reach the document, and as long as neither it nor its frames, workers and
 * connected shared workers hold or await a lock. So that most documents can be kept, each top-level
 * navigation creates a new browsing context group, unless the current group has other windows.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#top-level-traversable">HTML</a>
 */
public final class Traversable extends Navigable {

  /** The maximum number of documents kept for history traversal; the oldest is evicted first. */
  private static final int MAX_KEPT = 6;

  /**
   * A document that is kept, or is about to be. It is evicted if a shared worker that it is
   * connected to requests a lock, as it would then hold or await one.
   */
  private final class Kept implements Runnable {
    final Window window;
    final Set<Agent> sharedWorkers;

    /** Guarded by the window. */
    boolean mustGo;

    Kept(Window window) {
      this.window = window;
      SharedWorkerManager workers = SharedWorkerManager.of(userAgent());
      this.sharedWorkers = new LinkedHashSet<>();
      window.realms().forEach(realm -> sharedWorkers.addAll(workers.ownedBy(realm)));
      sharedWorkers.forEach(worker -> worker.freezing().watch(this));
    }

    @Override
    public void run() {
      boolean isKept;
      synchronized (Traversable.this) {
        mustGo = true;
        isKept = kept.contains(this);
      }
      if (isKept) {
        evict(this);
      }
    }

    void unwatch() {
      sharedWorkers.forEach(worker -> worker.freezing().unwatch(this));
    }
  }

  private final @Nullable Navigable opener;
  private final @Nullable Navigable onePermittedSandboxedNavigator;
  private final Sandboxing popupSandboxing;
  private final SessionStorageShed sessionStorage;
  private final String name;

  /** The agent reserved until the first document is committed; null for none. */
  private final @Nullable Agent firstAgent;

  private final CompletableFuture<Ending> ended = new CompletableFuture<>();
  private final BrowsingContextGroup firstGroup;
  private volatile BrowsingContextGroup group;
  private volatile boolean closing;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/document-sequences.html#system-visibility-state">system
   * visibility state</a>
   */
  private volatile boolean visible = true;

  private final SessionHistory history = new SessionHistory();

  // guarded by this
  private final Deque<Kept> kept = new ArrayDeque<>();
  private boolean firstAgentUsed;

  private Traversable(
      UserAgent userAgent,
      BrowsingContextGroup group,
      @Nullable Window opener,
      Sandboxing popupSandboxing,
      @Nullable Agent firstAgent) {
    super(userAgent);
    this.group = group;
    this.firstGroup = group;
    this.opener = opener == null ? null : opener.navigable();
    this.onePermittedSandboxedNavigator =
        opener != null && opener.sandboxing().navigation() ? opener.navigable() : null;
    this.popupSandboxing = popupSandboxing;
    this.sessionStorage =
        opener == null
            ? new SessionStorageShed(userAgent)
            : opener.navigable().traversable().sessionStorage.legacyClone();
    this.firstAgent = firstAgent;
    this.name = firstAgent == null ? "" : firstAgent.name();
    group.add(this);
  }

  /**
   * Opens a top-level window that no other window can reach, and begins to load a document. Any
   * thread; returns at once.
   *
   * @param discarded whether the window was discarded before and is now reopened
   * @param loaded completes when the load event has been fired; exceptionally if the fetch fails
   * @throws IllegalStateException if the user agent is closed
   */
  public static Traversable open(
      UserAgent userAgent, UrlRecord url, boolean discarded, CompletableFuture<Void> loaded) {
    Origin origin = url.origin(userAgent.ids());
    BrowsingContextGroup group = new BrowsingContextGroup(userAgent, origin);
    Agent agent = group.obtainSimilarOriginWindowAgent(origin, false);
    return open(userAgent, group, agent, url, origin, null, Sandboxing.NONE, discarded, loaded);
  }

  private static Traversable open(
      UserAgent userAgent,
      BrowsingContextGroup group,
      Agent agent,
      UrlRecord url,
      Origin origin,
      @Nullable EnvironmentSettings by,
      Sandboxing popupSandboxing,
      boolean discarded,
      CompletableFuture<Void> loaded) {
    Traversable made = new Traversable(userAgent, group, null, popupSandboxing, agent);
    Navigation.ofNewWindow(made, url, origin, by, discarded, loaded).start();
    return made;
  }

  /** Opens an auxiliary window, which its opener can reach. */
  static Traversable auxiliary(Window opener) {
    Navigable navigable = opener.navigable();
    return new Traversable(
        navigable.userAgent(), navigable.group(), opener, opener.sandboxing().ofPopup(), null);
  }

  /** Returns the name of the agent reserved for the first document, for traces; empty for none. */
  public String name() {
    return name;
  }

  @Override
  Traversable traversable() {
    return this;
  }

  BrowsingContextGroup currentGroup() {
    return group;
  }

  SessionStorageShed sessionStorage() {
    return sessionStorage;
  }

  @Nullable Navigable opener() {
    return opener;
  }

  /**
   * Returns the <a
   * href="https://html.spec.whatwg.org/multipage/browsers.html#one-permitted-sandboxed-navigator">one
   * permitted sandboxed navigator</a>; null for none.
   */
  @Nullable Navigable onePermittedSandboxedNavigator() {
    return onePermittedSandboxedNavigator;
  }

  @Override
  Sandboxing determineCreationSandboxingFlags() {
    return popupSandboxing;
  }

  /** Returns the agent of the active document; before there is one, the reserved agent, if any. */
  public @Nullable Agent agent() {
    Window window = activeWindow();
    return window == null ? firstAgent : window.realm().agent();
  }

  /** Returns the realm of the active document; null without one. Callable on any thread. */
  public @Nullable Realm activeRealm() {
    Window window = activeWindow();
    return window == null ? null : window.realm();
  }

  /** Returns whether an agent runs the active document, or is reserved for the first one. */
  boolean dependsOn(Agent agent) {
    Window window = activeWindow();
    return agent() == agent && (window == null || !window.isDestroyed());
  }

  /** Returns a stage that completes when no script of this window can act any more. */
  public CompletionStage<Ending> ended() {
    return ended.minimalCompletionStage();
  }

  boolean isVisible() {
    return visible;
  }

  /**
   * Changes the system visibility state, and that of the active documents in tasks of them; no-op
   * if it is the same. Callable on any thread.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/interaction.html#page-visibility">HTML</a>
   */
  public synchronized void setVisible(boolean now) {
    if (visible != now) {
      visible = now;
      queueVisibility(now);
    }
  }

  @Override
  boolean isClosing() {
    return closing || super.isClosing();
  }

  /** Begins the closing by script; returns false if it has begun before. */
  synchronized boolean beginClosing() {
    boolean begins = !closing;
    closing = true;
    return begins;
  }

  /**
   * Unloads the document and closes the window. Callable on any thread.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#definitely-close-a-top-level-traversable">definitely
   *     close a top-level traversable</a>
   */
  void definitelyClose() {
    checkIfUnloadingIsCanceled()
        .thenCompose(canceled -> {
          Window window = activeWindow();
          return window == null
              ? CompletableFuture.completedFuture(null)
              : queueOn(window.realm().agent(), "unload", window::unloadAndDestroy);
        })
        .thenRun(this::close);
  }

  public boolean isClosed() {
    return isDestroyed();
  }

  /**
   * Closes the window and destroys its documents, also kept ones, even while their scripts run. If
   * other windows are in its group, a task destroys the active document. Callable on any thread;
   * idempotent.
   */
  public void close() {
    Set<BrowsingContextGroup> groups = new LinkedHashSet<>();
    synchronized (this) {
      if (isDestroyed()) {
        return;
      }
      markDestroyed();
      groups.add(group);
      groups.addAll(history.groups());
    }
    List<CompletableFuture<Ending>> endings = new ArrayList<>();
    for (BrowsingContextGroup each : groups) {
      CompletableFuture<Ending> ending = each.remove(this);
      if (ending != null) {
        endings.add(ending);
        markDescendantsDestroyed();
      } else {
        Window window = activeWindow();
        if (window != null) {
          endings.add(
              queueOn(window.realm().agent(), "close", window::unloadAndDestroy)
                  .thenApply(done -> Ending.STOPPED));
        }
      }
    }
    Endings.allOf(endings)
        .whenComplete((ending, failure) -> {
          forgetDocuments();
          ended.complete(failure == null ? ending : Ending.STOPPED);
        });
  }

  /** Clears references so that a retained window does not leak its documents. */
  private synchronized void forgetDocuments() {
    history.clear();
    kept.forEach(Kept::unwatch);
    kept.clear();
    deactivate();
  }

  // ---- session history -------------------------------------------------------------------------

  SessionHistory history() {
    return history;
  }

  @Override
  SessionHistory.OfNavigable entries() {
    return history.top();
  }

  /**
   * Returns the group for the next document: a new one, unless the current one has other windows or
   * has had no document yet.
   */
  synchronized BrowsingContextGroup groupOfNext() {
    if (history.active(history.top()) != null && group.hasOnly(this)) {
      BrowsingContextGroup next = new BrowsingContextGroup(userAgent(), group.responsible());
      next.add(this);
      return next;
    }
    return group;
  }

  /**
   * Makes a document the active one of this window or of a frame. Called on the event loop of the
   * document.
   *
   * @return the history entry of the document
   */
  SessionHistory.Entry commit(Window window, UrlRecord url, SessionHistory.Change change) {
    Navigable navigable = window.navigable();
    Set<BrowsingContextGroup> before = history.groups();
    SessionHistory.Entry entry;
    boolean closed;
    synchronized (this) {
      closed = isDestroyed();
      navigable.activate(window);
      if (navigable == this) {
        group = window.group();
      }
      entry = history.commit(navigable.entries(), window, url, change);
    }
    leaveUnused(before);
    if (navigable == this) {
      giveFirstAgentBack();
      if (closed) { // meanwhile; close() did not see this group
        window.group().remove(this);
      }
    }
    return entry;
  }

  /** Adds or replaces an entry for the current document of this window or of a frame. */
  void sameDocument(
      Window window, UrlRecord url, @Nullable SerializedValue state, boolean replace) {
    // without forward history, no entry is removed
    Set<BrowsingContextGroup> before = history.hasForward() ? history.groups() : Set.of();
    history.sameDocument(
        window.navigable().entries(),
        window,
        url,
        state,
        replace ? SessionHistory.Handling.REPLACE : SessionHistory.Handling.PUSH);
    leaveUnused(before);
  }

  /** Opens a top-level window that the opening script cannot reach. Callable on any thread. */
  static void openFor(Window opener, UrlRecord url) {
    UserAgent userAgent = opener.navigable().userAgent();
    Origin origin = url.origin(userAgent.ids());
    BrowsingContextGroup group = new BrowsingContextGroup(userAgent, opener.group().responsible());
    Agent agent = group.obtainSimilarOriginWindowAgent(origin, true);
    open(
        userAgent,
        group,
        agent,
        url,
        origin,
        opener.realm().settings(),
        opener.sandboxing().ofPopup(),
        false,
        new CompletableFuture<>());
  }

  /** Releases the agent reserved for the first document; idempotent. */
  void giveFirstAgentBack() {
    synchronized (this) {
      if (firstAgent == null || firstAgentUsed) {
        return;
      }
      firstAgentUsed = true;
    }
    firstGroup.release(firstAgent);
  }

  /** Leaves the groups of documents whose last history entry was removed. */
  private void leaveUnused(Set<BrowsingContextGroup> before) {
    for (BrowsingContextGroup each : before) {
      boolean used;
      synchronized (this) {
        used = each == group || history.groups().contains(each);
        if (!used) {
          removeKept(document -> document.window.group() == each);
        }
      }
      if (!used) {
        each.remove(this);
      }
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#traverse-the-history-by-a-delta">traverse
   * the history by a delta</a>. Callable on any thread; returns at once.
   *
   * @param source the window of the document that starts the traversal
   */
  void traverseHistory(int delta, Window source) {
    int step = history.stepAt(delta, stepOfTraversal());
    SessionHistory.Entry active = history.active(entries());
    SessionHistory.Entry target = history.target(entries(), step);
    if (isDestroyed()
        || target == null
        || active == null
        || !source.navigation().isAllowedBySandboxingToTraverse(this, step)) {
      return;
    }
    Window kept = history.windowOf(target.document);
    if (target.document == active.document) {
      history.setCurrentStep(step);
      applyHistoryStep(this, step, source.realm().settings());
    } else if (kept == null) {
      Navigation.to(this, target, step, source.realm().settings()).start();
    } else {
      stopLoading();
      checkIfUnloadingIsCanceled()
          .thenCompose(canceled -> leave())
          .thenRun(() -> restore(target, kept, step, source.realm().settings()));
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#reactivate-a-document">reactivate
   * a document</a>
   */
  private void restore(
      SessionHistory.Entry entry, Window window, int step, EnvironmentSettings by) {
    synchronized (this) {
      if (isDestroyed()) {
        return;
      }
      if (removeKept(each -> each.window == window)) {
        activate(window);
        group = window.group();
        history.setCurrentStep(step);
      }
    }
    if (activeWindow() != window) { // evicted meanwhile
      Navigation.to(this, entry, step, by).start();
      return;
    }
    showEntry(window, entry);
    window.willBeShownAgain();
    // HTML, "run steps after a timeout": only the time while a document is fully active counts
    window.group().agents().forEach(agent -> agent.freezing().resumeWithTimersStood());
    window.children().forEach(child -> applyHistoryStep(child, step, by));
  }

  /**
   * Makes a navigable and the frames below it show their entries of a step.
   *
   * @param by the settings of the document that causes it
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#apply-the-history-step">apply
   *     the history step</a>
   */
  private static void applyHistoryStep(Navigable navigable, int step, EnvironmentSettings by) {
    SessionHistory history = navigable.traversable().history();
    SessionHistory.Entry active = history.active(navigable.entries());
    SessionHistory.Entry target = history.target(navigable.entries(), step);
    Window window = navigable.activeWindow();
    if (target == null || window == null) {
      return;
    }
    if (active == null || active.document != target.document) {
      Navigation.to(navigable, target, step, by).start();
      return;
    }
    navigable.stopTraversal();
    showEntry(window, target);
    window.children().forEach(child -> applyHistoryStep(child, step, by));
  }

  /** Makes a window show an entry of its document. */
  private static void showEntry(Window window, SessionHistory.Entry entry) {
    Navigable navigable = window.navigable();
    if (navigable.traversable().history().activate(navigable.entries(), entry)) {
      window
          .realm()
          .queueTask(
              TaskSource.HISTORY_TRAVERSAL,
              "popstate",
              () -> window.history().restore(entry.url, entry.state));
    }
  }

  /**
   * Leaves the active document, and keeps it for history traversal if possible. The future
   * completes, never exceptionally, when no script of the document can run.
   */
  CompletableFuture<Void> leave() {
    Window window = activeWindow();
    if (window == null || window.isDestroyed()) {
      return CompletableFuture.completedFuture(null);
    }
    SessionHistory.Entry active = history.active(entries());
    BrowsingContextGroup before = group;
    if (active == null
        || history.windowOf(active.document) != window
        || !before.hasOnly(this)
        || !window.isSalvageable()) {
      return unload(window);
    }
    Kept document = new Kept(window);
    Set<Agent> involved = new LinkedHashSet<>(before.agents());
    involved.addAll(document.sharedWorkers);
    return all(involved, agent -> agent.freezing().mayFreeze())
        .thenCompose(may -> may ? keep(document, before) : unload(document))
        .exceptionally(endedMeanwhile -> {
          document.unwatch();
          return null;
        });
  }

  private CompletableFuture<Void> unload(Kept document) {
    document.unwatch();
    return unload(document.window);
  }

  private CompletableFuture<Void> keep(Kept document, BrowsingContextGroup of) {
    Window window = document.window;
    return queueOn(window.realm().agent(), "pagehide", () -> window.pageHide(true))
        .thenCompose(
            hidden -> all(of.agents(), agent -> agent.freezing().freeze(FrozenLocks.REFUSE)))
        .thenCompose(frozen -> {
          if (frozen) {
            keptNow(document);
            return CompletableFuture.completedFuture(null);
          }
          of.agents().forEach(agent -> agent.freezing().resume());
          return unload(document);
        });
  }

  private void keptNow(Kept document) {
    Kept evicted = null;
    synchronized (this) {
      kept.add(document);
      if (document.mustGo) {
        evicted = document;
      } else if (kept.size() > MAX_KEPT) {
        evicted = kept.peek();
      }
    }
    if (evicted != null) {
      evict(evicted);
    }
  }

  /** Destroys a kept document; a no-op if it is not kept any more. Callable on any thread. */
  private void evict(Kept document) {
    synchronized (this) {
      if (!removeKept(each -> each == document)) {
        return;
      }
      history.forgetWindow(document.window);
    }
    document.window.group().remove(this);
  }

  /** Removes kept documents from the list; returns whether there was one. Called with the lock. */
  private boolean removeKept(Predicate<Kept> which) {
    return kept.removeIf(each -> {
      boolean matches = which.test(each);
      if (matches) {
        each.unwatch();
      }
      return matches;
    });
  }

  private CompletableFuture<Void> unload(Window window) {
    history.forgetWindow(window);
    return queueOn(window.realm().agent(), "unload", window::unloadAndDestroy);
  }

  private static CompletableFuture<Boolean> all(
      Collection<Agent> agents, Function<Agent, CompletionStage<Boolean>> question) {
    CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
    for (Agent agent : agents) {
      all =
          all.thenCombine(
              question.apply(agent).exceptionally(hasEnded -> true), Boolean::logicalAnd);
    }
    return all;
  }
}
