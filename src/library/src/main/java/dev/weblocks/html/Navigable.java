package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A top-level window or a frame, which shows one document after another. A navigable belongs to no
 * agent, because its documents may have different agents. Thread-safe.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/document-sequences.html#navigable">HTML</a>
 */
class Navigable {

  private final UserAgent userAgent;
  private final @Nullable Window parentWindow;
  private final @Nullable FrameOwner owner;
  private volatile @Nullable Window active;
  private volatile String targetName = "";
  private volatile boolean destroyed;

  /** The history entries of a frame; null at the top level. */
  private final SessionHistory.@Nullable OfNavigable entries;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#ongoing-navigation">ongoing
   * navigation</a>
   */
  private final AtomicReference<@Nullable Navigation> ongoing = new AtomicReference<>();

  /** The frame element that contains a navigable. Called on the event loop of the element. */
  interface FrameOwner {
    /**
     * <a
     * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#iframe-load-event-steps">iframe
     * load event steps</a>
     */
    void loaded();

    /**
     * Returns the current <a
     * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#iframe-sandboxing-flag-set">iframe
     * sandboxing flag set</a>. Callable on any thread.
     */
    Sandboxing sandboxing();
  }

  /** Creates a top-level window. */
  Navigable(UserAgent userAgent) {
    this.userAgent = userAgent;
    this.parentWindow = null;
    this.owner = null;
    this.entries = null;
  }

  /** Creates a frame in the document of a window. Called on its event loop. */
  Navigable(Window parentWindow, FrameOwner owner, String targetName) {
    Navigable parent = parentWindow.navigable();
    this.userAgent = parent.userAgent;
    this.parentWindow = parentWindow;
    this.owner = owner;
    this.targetName = targetName;
    this.entries = parent.traversable().history().addFrame(parent.entries(), targetName);
  }

  /** Returns the history entries of this navigable. */
  SessionHistory.OfNavigable entries() {
    return Objects.requireNonNull(entries);
  }

  final UserAgent userAgent() {
    return userAgent;
  }

  /** Returns the window whose document contains this frame; null at the top level. */
  final @Nullable Window parentWindow() {
    return parentWindow;
  }

  final @Nullable Navigable parent() {
    return parentWindow == null ? null : parentWindow.navigable();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/document-sequences.html#nav-traversable">traversable
   * navigable</a>
   */
  Traversable traversable() {
    Navigable at = this;
    for (Navigable up = parent(); up != null; up = at.parent()) {
      at = up;
    }
    return (Traversable) at;
  }

  final BrowsingContextGroup group() {
    Window parent = parentWindow;
    return parent == null ? traversable().currentGroup() : parent.group();
  }

  final @Nullable Window activeWindow() {
    return active;
  }

  /** Makes the document of a window the active one. Called on the event loop of the window. */
  final void activate(Window window) {
    active = window;
  }

  /** Removes the active document. Callable on any thread. */
  final void deactivate() {
    active = null;
  }

  final String targetName() {
    return targetName;
  }

  final void setTargetName(String name) {
    targetName = name;
  }

  final boolean isDestroyed() {
    return destroyed;
  }

  /** Returns whether this is destroyed, or a window that script has begun to close. */
  boolean isClosing() {
    return destroyed;
  }

  /** Returns the frames of the active document, in order of creation. */
  final List<Navigable> children() {
    Window window = active;
    return window == null ? List.of() : window.children();
  }

  final @Nullable FrameOwner owner() {
    return owner;
  }

  /**
   * Determines the flags of a document that a navigation beginning now creates. Callable on any
   * thread.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsers.html#determining-the-creation-sandboxing-flags">determining
   *     the creation sandboxing flags</a>
   */
  Sandboxing determineCreationSandboxingFlags() {
    return owner == null || parentWindow == null
        ? Sandboxing.NONE
        : owner.sandboxing().and(parentWindow.sandboxing());
  }

  /** Returns whether another navigable is this one or an ancestor of it. */
  final boolean isInside(Navigable other) {
    for (Navigable at = this; at != null; at = at.parent()) {
      if (at == other) {
        return true;
      }
    }
    return false;
  }

  /**
   * Queues the load event of the frame element, after a document has loaded. Callable on any
   * thread.
   */
  final void completelyLoaded() {
    FrameOwner element = owner;
    Window parent = parentWindow;
    if (element != null && parent != null) {
      parent.realm().queueTask(TaskSource.DOM_MANIPULATION, "frame load", element::loaded);
    }
  }

  final void begin(Navigation navigation) {
    Navigation before = ongoing.getAndSet(navigation);
    if (before != null) {
      before.stop();
    }
  }

  /** Returns whether a navigation has not yet been finished, replaced or stopped. */
  final boolean isOngoing(Navigation navigation) {
    return !destroyed && ongoing.get() == navigation;
  }

  final void over(Navigation navigation) {
    ongoing.compareAndSet(navigation, null);
  }

  /** Returns the step of an ongoing navigation to another history entry; negative for none. */
  final int stepOfTraversal() {
    Navigation now = ongoing.get();
    return now == null ? -1 : now.step();
  }

  /** Stops an ongoing navigation to another history entry. */
  final void stopTraversal() {
    Navigation before = ongoing.get();
    if (before != null && before.isTraversal() && ongoing.compareAndSet(before, null)) {
      before.stop();
    }
  }

  final void stopLoading() {
    Navigation before = ongoing.getAndSet(null);
    if (before != null) {
      before.stop();
    }
  }

  /**
   * Fires {@code beforeunload} in the documents of this navigable and of the frames below it. The
   * result is always "continue": no document has the user activation that a prompt requires.
   * Callable on any thread.
   *
   * @return a future that completes after the events
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#checking-if-unloading-is-user-canceled">checking
   *     if unloading is canceled</a>
   */
  final CompletableFuture<Void> checkIfUnloadingIsCanceled() {
    List<CompletableFuture<Void>> fired = new ArrayList<>();
    fireBeforeUnload(fired);
    return CompletableFuture.allOf(fired.toArray(new CompletableFuture<?>[0]));
  }

  private void fireBeforeUnload(List<CompletableFuture<Void>> fired) {
    Window window = active;
    if (window != null && !window.isDestroyed()) {
      fired.add(queueOn(window.realm().agent(), "beforeunload", window::fireBeforeUnload));
      children().forEach(child -> child.fireBeforeUnload(fired));
    }
  }

  /** Queues the update of the visibility of the active document and of those in its frames. */
  final void queueVisibility(boolean visible) {
    Window window = active;
    if (window != null) {
      window
          .realm()
          .queueTask(
              TaskSource.USER_INTERACTION,
              "page visibility",
              () -> window.updateVisibility(visible));
      children().forEach(child -> child.queueVisibility(visible));
    }
  }

  final void markDestroyed() {
    destroyed = true;
    stopLoading();
  }

  /** Ends the loading of frames whose agents have been stopped. Callable on any thread. */
  final void markDescendantsDestroyed() {
    for (Navigable each : children()) {
      each.markDestroyed();
      each.markDescendantsDestroyed();
    }
  }

  /**
   * Destroys a frame and the frames below it. Called on the event loop of its parent's agent;
   * documents of other agents are destroyed in tasks of those agents.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#destroy-a-child-navigable">destroy
   *     a child navigable</a>
   */
  final void destroyChild() {
    markDestroyed();
    Window parent = parentWindow;
    if (parent != null) {
      parent.removeChild(this);
    }
    Window window = active;
    if (window == null) {
      return;
    }
    if (window.realm().agent().eventLoop().isOnLoop()) {
      window.destroy();
    } else {
      queueOn(window.realm().agent(), "destroy", window::destroy);
    }
  }

  /**
   * Runs steps in a task of an agent; the future also completes if the agent ends. Callable on any
   * thread.
   */
  static CompletableFuture<Void> queueOn(Agent agent, String label, Runnable steps) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    agent.queueTask(
        TaskSource.DOM_MANIPULATION,
        label,
        () -> {
          try {
            steps.run();
          } finally {
            done.complete(null);
          }
        });
    return agent.orEnded(done);
  }

  final @Nullable EnvironmentSettings parentSettings() {
    return parentWindow == null ? null : parentWindow.realm().settings();
  }
}
