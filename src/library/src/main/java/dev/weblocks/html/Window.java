package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.CurrentEvent;
import dev.weblocks.dom.Event;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.messaging.MessageEvents;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.messaging.StructuredClone;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Window} interface: the global object of a document.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-window-object">HTML</a>
 */
final class Window extends GlobalScope {

  private final Navigable navigable;
  private final BrowsingContextGroup group;
  private volatile Sandboxing sandboxing;
  private final WindowNavigation navigation = new WindowNavigation(this);
  private final Location location;
  private final History history;
  private final CurrentEvent currentEvent;
  private final Navigator navigator;
  private final AnimationFrames animationFrames;
  private final List<Navigable> children = new CopyOnWriteArrayList<>();
  private volatile @Nullable Document document;
  private volatile boolean destroyed;
  private volatile boolean showing;
  private volatile boolean shownAgain;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#unload-counter">unload
   * counter</a>
   */
  private volatile int unloading;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/dom.html#is-initial-about:blank">is initial
   * about:blank</a>
   */
  private volatile boolean initial;

  /** Creates the window of a document, whose destruction releases the agent to {@code group}. */
  Window(Realm realm, Navigable navigable, BrowsingContextGroup group, Sandboxing sandboxing) {
    super(realm);
    this.navigable = navigable;
    this.group = group;
    if (navigable.owner() != null) {
      FrameLimit.add(realm);
    }
    this.sandboxing = sandboxing;
    this.currentEvent = CurrentEvent.install(realm);
    this.location = new Location(this);
    this.history = new History(this);
    this.navigator = new Navigator(realm);
    this.animationFrames = new AnimationFrames(this);
    realm.agent().freezing().add(realm, new PageLifecycle(this));
  }

  static Window ofRealm(Realm realm) {
    return (Window) GlobalScope.of(realm);
  }

  @Nullable Document documentOrNull() {
    return document;
  }

  History history() {
    return history;
  }

  /**
   * Sets the document of the window: its first one, or one that replaces an initial {@code
   * about:blank} document. Called on the event loop.
   */
  void setDocument(Document associated) {
    document = associated;
    initial = false;
    PageVisibility.of(realm()).makeActive(navigable.traversable().isVisible());
    NamedObjects named = new NamedObjects(this);
    binding().global().setNamedObjects(named::namedObject);
  }

  /** Returns whether the load event of the document has been fired. Callable on any thread. */
  boolean isCompletelyLoaded() {
    Document shown = document;
    return shown != null && shown.loading().isComplete();
  }

  /** Sets an initial {@code about:blank} document. */
  void setInitialDocument(Document associated) {
    setDocument(associated);
    initial = true;
  }

  /**
   * Returns whether the next document gets this window if it has the same origin, because the
   * current one is an initial {@code about:blank} document. Callable on any thread.
   */
  boolean hasInitialDocument() {
    return initial && !destroyed;
  }

  /**
   * Unloads and destroys the initial document and its frames. The rest stays: what belongs to the
   * environment, such as listeners, timers, locks and workers.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#initialise-the-document-object">create
   *     and initialize a Document object, step 6</a>
   */
  void leaveInitialDocument() {
    unload();
    destroyFrames();
    animationFrames.clear();
  }

  Document document() {
    Document associated = document;
    if (associated == null) {
      throw new IllegalStateException("the window has no document yet");
    }
    return associated;
  }

  Navigable navigable() {
    return navigable;
  }

  BrowsingContextGroup group() {
    return group;
  }

  /**
   * Returns the <a
   * href="https://html.spec.whatwg.org/multipage/browsers.html#active-sandboxing-flag-set">active
   * sandboxing flag set</a> of the document. Callable on any thread.
   */
  Sandboxing sandboxing() {
    return sandboxing;
  }

  /** Sets the flags of the document that replaces the initial one. Called on the event loop. */
  void setSandboxing(Sandboxing flags) {
    sandboxing = flags;
  }

  @Override
  public UrlRecord apiBaseUrl() {
    Document shown = document;
    return shown == null ? super.apiBaseUrl() : shown.baseUrl();
  }

  @Override
  public @Nullable UrlRecord encodingParse(String url) {
    return document == null ? super.encodingParse(url) : document.encodingParse(url);
  }

  WindowNavigation navigation() {
    return navigation;
  }

  Location location() {
    return location;
  }

  @Override
  protected boolean hasPassiveScrollListeners() {
    return true;
  }

  @Override
  public Value objectFor(Realm viewer) {
    return viewer == realm() ? object() : WindowProxy.of(viewer, navigable).objectFor(viewer);
  }

  /** Returns this window, even if inactive, in its own realm; in others, {@link WindowProxy#of}. */
  PlatformObject seenFrom(Realm viewer) {
    return viewer == realm() ? this : WindowProxy.of(viewer, navigable);
  }

  // ---- the life of the document ----------------------------------------------------------------

  @Override
  public boolean isFullyActive() {
    Window parent = navigable.parentWindow();
    return !destroyed
        && navigable.activeWindow() == this
        // while a top-level window is being closed, its scripts run to their end
        && (parent == null || (!navigable.isDestroyed() && parent.isFullyActive()));
  }

  /** Returns whether the document has been destroyed. Callable on any thread. */
  boolean isDestroyed() {
    return destroyed;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#concept-document-salvageable">salvageable</a>:
   * whether the document may be kept when it is left. Callable on any thread.
   */
  boolean isSalvageable() {
    return !destroyed && showing;
  }

  /**
   * Returns the realms of this document and of the documents in its frames. Callable on any thread.
   */
  List<Realm> realms() {
    List<Realm> realms = new ArrayList<>();
    realms.add(realm());
    for (Navigable child : children) {
      Window window = child.activeWindow();
      if (window != null) {
        realms.addAll(window.realms());
      }
    }
    return realms;
  }

  /** Marks the document as loaded and showing, and fires {@code pageshow}. */
  void pageShow() {
    showing = true;
    document().loading().setComplete();
    firePageTransitionEvent("pageshow", false);
  }

  /**
   * Marks the document so that it is shown again when its agent resumes. Callable on any thread.
   */
  void willBeShownAgain() {
    shownAgain = true;
    showing = true;
  }

  /** Runs the last steps of reactivating a document, or those after a freeze of a shown one. */
  void showAgain() {
    Traversable top = navigable.traversable();
    Window topWindow = top.activeWindow();
    if (topWindow != null && !topWindow.isPageHidden()) {
      updateVisibility(top.isVisible());
    }
    if (shownAgain) {
      shownAgain = false;
      firePageTransitionEvent("pageshow", true);
    }
  }

  /** Returns whether the events before or at the unload are being fired. Callable on any thread. */
  boolean isUnloading() {
    return unloading > 0;
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // changed on the event loop only
  private void whileUnloading(Runnable steps) {
    unloading++;
    try {
      steps.run();
    } finally {
      unloading--;
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#fire-a-page-transition-event">fire
   * a page transition event</a>
   */
  private void firePageTransitionEvent(String type, boolean persisted) {
    fireWithTarget(
        new Event(realm(), "PageTransitionEvent", type, true, true).with("persisted", persisted),
        document());
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#steps-to-fire-beforeunload">steps
   * to fire beforeunload</a>
   */
  void fireBeforeUnload() {
    if (!destroyed) {
      whileUnloading(() -> fire(new BeforeUnloadEvent(realm(), "beforeunload", true)));
    }
  }

  @Override
  protected @Nullable Boolean callSpecialHandler(Event event, Value callback) {
    if (!event.type().equals("beforeunload")) {
      return super.callSpecialHandler(event, callback);
    }
    String result = binding().callbacks().callReturningString(callback, object(), event.object());
    return event instanceof BeforeUnloadEvent asked && asked.takeResult(result);
  }

  /**
   * Hides the document, as a part of <a
   * href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#unload-a-document">unload
   * a document</a>.
   */
  void pageHide(boolean persisted) {
    if (showing) {
      whileUnloading(() -> hidePage(persisted));
    }
    forChildrenHere(child -> child.pageHide(persisted));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#unload-a-document">unload
   * a document</a>
   */
  void unload() {
    if (destroyed) {
      return;
    }
    whileUnloading(() -> {
      if (showing) {
        hidePage(false);
      }
      Document shown = document;
      if (shown != null) {
        fireWithTarget(new Event(realm(), "unload", false, false), shown);
      }
    });
    forChildrenHere(Window::unload);
  }

  private void hidePage(boolean persisted) {
    showing = false;
    firePageTransitionEvent("pagehide", persisted);
    updateVisibility(false);
  }

  /** Returns whether {@code pagehide} was the last page transition. Callable on any thread. */
  private boolean isPageHidden() {
    return !showing && isCompletelyLoaded();
  }

  void updateVisibility(boolean visible) {
    PageVisibility.of(realm()).update(document, visible);
    animationFrames.schedule();
  }

  private void forChildrenHere(java.util.function.Consumer<Window> steps) {
    for (Navigable child : children) {
      Window window = child.activeWindow();
      if (window != null && window.realm().agent() == realm().agent()) {
        steps.accept(window);
      }
    }
  }

  /**
   * Destroys the document and its frames. Called on the event loop; document script may be on the
   * stack.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#destroy-a-document">destroy
   *     a document</a>
   */
  void destroy() {
    if (destroyed) {
      return;
    }
    destroyed = true;
    showing = false;
    destroyFrames();
    realm().discard();
    group.release(realm().agent());
  }

  void unloadAndDestroy() {
    unload();
    destroy();
  }

  private void destroyFrames() {
    children.forEach(Navigable::destroyChild);
  }

  /** Returns the frames of the document, in order of creation. Callable on any thread. */
  List<Navigable> children() {
    return children;
  }

  void addChild(Navigable child) {
    children.add(child);
  }

  void removeChild(Navigable child) {
    children.remove(child);
    childrenChanged();
  }

  /** Updates the frames seen by script; no-op in a destroyed document or on another event loop. */
  void childrenChanged() {
    if (destroyed || !realm().agent().eventLoop().isOnLoop()) {
      return;
    }
    binding()
        .global()
        .setChildren(children.stream().map(child -> WindowProxy.of(realm(), child)).toList());
  }

  // ---- other windows ---------------------------------------------------------------------------

  static Navigable parentOrSelf(Navigable navigable) {
    Navigable parent = navigable.parent();
    return parent == null ? navigable : parent;
  }

  static @Nullable Navigable openerOf(Navigable navigable) {
    return navigable instanceof Traversable top && !top.isDestroyed() ? top.opener() : null;
  }

  @Nullable PlatformObject seen(@Nullable Navigable other) {
    return WindowProxy.orNull(realm(), other);
  }

  private boolean hasContext() {
    return !destroyed && !navigable.isDestroyed();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#window-post-message-steps">window
   * post message steps</a>, with this window as the source
   */
  void postMessage(Navigable target, Arguments args) {
    boolean isList = args.overload() == 0;
    String targetOrigin;
    Value transfer;
    if (isList) {
      targetOrigin = args.string(1);
      transfer = args.any(2);
    } else {
      DictionaryView options = args.dictionary(1);
      targetOrigin = options.string("targetOrigin");
      transfer = options.any("transfer");
    }
    // 3. to 5.
    Origin only =
        switch (targetOrigin) {
          case "*" -> null;
          case "/" -> realm().settings().origin();
          default -> {
            UrlRecord url = UrlParser.parse(targetOrigin);
            if (url == null) {
              throw ScriptException.dom(
                  "SyntaxError",
                  "Failed to execute 'postMessage' on 'Window': Invalid target origin '"
                      + targetOrigin
                      + "' in a call to 'postMessage'.");
            }
            yield url.origin(navigable.userAgent().ids());
          }
        };
    // 6. and 7.
    SerializedValue message =
        StructuredClone.of(realm())
            .structuredSerializeWithTransfer(
                args.any(0), transfer, "Failed to execute 'postMessage' on 'Window'");
    // 8.
    Window receiver = target.activeWindow();
    if (receiver == null || receiver.isDestroyed()) {
      message.discard();
      return;
    }
    message.addressTo(receiver.realm().agent());
    String origin = realm().settings().origin().serialize();
    Navigable source = navigable;
    // without a realm, because a discarded realm drops its tasks, and ports would be lost
    Agent there = receiver.realm().agent();
    Runnable delivery =
        () ->
            there.queueTask(
                TaskSource.POSTED_MESSAGE,
                "window.postMessage()",
                () -> receiver.receive(message, only, origin, source));
    if (there == realm().agent()) {
      delivery.run();
    } else {
      PostedMessages.of(realm().agent()).send(delivery);
    }
  }

  private void receive(
      SerializedValue message, @Nullable Origin only, String origin, Navigable source) {
    // 8.1.
    if (destroyed || (only != null && !only.equals(realm().settings().origin()))) {
      message.discard();
      return;
    }
    // 8.2. to 8.7.
    fire(MessageEvents.of(realm(), message, origin, seen(source)));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Window", Window.class)
        .getter("window", self -> self)
        .getter("self", self -> self)
        .getter("document", self -> self.document)
        .getter("name", self -> self.navigable.targetName())
        .setter("name", (self, args) -> self.navigable.setTargetName(args.string(0)))
        .getter("location", self -> self.location)
        .getter("history", self -> self.history)
        .getter("closed", self -> self.destroyed || self.navigable.isClosing())
        .getter("frames", self -> self)
        .getter("length", self -> self.hasContext() ? self.children.size() : 0)
        .getter("top", self -> self.hasContext() ? self.seen(self.navigable.traversable()) : null)
        .getter("opener", self -> self.hasContext() ? self.seen(openerOf(self.navigable)) : null)
        .getter(
            "parent", self -> self.hasContext() ? self.seen(parentOrSelf(self.navigable)) : null)
        .getter(
            "frameElement",
            self ->
                self.hasContext()
                        && self.navigable.owner() instanceof PlatformObject element
                        && element.realm().agent() == self.realm().agent()
                    ? element
                    : null)
        .operation("open", (self, args) -> Window.ofRealm(args.caller()).navigation.open(args))
        .action(
            "close", (self, args) -> Window.ofRealm(args.caller()).navigation.close(self.navigable))
        .action("focus", (self, args) -> {})
        .action("blur", (self, args) -> {})
        .action("stop", (self, args) -> self.navigable.stopLoading())
        .action(
            "postMessage",
            (self, args) -> Window.ofRealm(args.caller()).postMessage(self.navigable, args))
        .getter("navigator", self -> self.navigator)
        .operation(
            "requestAnimationFrame", (self, args) -> self.animationFrames.request(args.function(0)))
        .action("cancelAnimationFrame", (self, args) -> self.animationFrames.cancel(args.number(0)))
        .getter(
            "event",
            self -> {
              Event current = self.currentEvent.get();
              return current == null ? self.binding().values().undefined() : current;
            });
  }
}
