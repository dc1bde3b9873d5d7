package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Platform;
import dev.weblocks.fetch.FetchController;
import dev.weblocks.fetch.FetchInterceptor;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.storage.Site;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One navigation to a URL, whose document replaces the current document. Starts on any thread.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#navigate">navigate</a>
 */
final class Navigation {

  /**
   * The initiator of a navigation, with the values that {@code about:} documents inherit.
   *
   * @param origin the origin of the initiating document, or of the URL if the user navigates
   * @param baseUrl the base URL of the initiating document; null if the user navigates
   * @param settings the settings of the initiating document, also if the new window cannot reach
   *     it; null if the user navigates
   */
  record Initiator(
      Origin origin, @Nullable UrlRecord baseUrl, @Nullable EnvironmentSettings settings) {}

  private final Navigable navigable;
  private final UrlRecord url;
  private final Initiator initiator;

  /** The environment whose script or element causes the request; null for the embedder. */
  private final @Nullable EnvironmentSettings requester;

  private final @Nullable String srcdoc;

  /**
   * The document whose {@code javascript:} URL had the result in {@link #srcdoc}; null for another
   * navigation.
   */
  private final @Nullable Window evaluated;

  /** The flags of the new document, as they were when this navigation began. */
  private final Sandboxing sandboxing;

  private final SessionHistory.Change change;

  /**
   * The window of the initial document that this navigation replaces; null for another document.
   */
  private final @Nullable Window initial;

  private final boolean discarded;
  private final CompletableFuture<Void> loaded;
  private final FetchRequest.ReservedClient client;
  private volatile @Nullable FetchController fetch;

  private Navigation(
      Navigable navigable,
      UrlRecord url,
      Initiator initiator,
      @Nullable EnvironmentSettings requester,
      @Nullable String srcdoc,
      @Nullable Window evaluated,
      boolean replace,
      SessionHistory.@Nullable Entry into,
      int step,
      boolean discarded,
      CompletableFuture<Void> loaded) {
    this.navigable = navigable;
    this.url = url;
    this.initiator = initiator;
    this.requester = requester;
    this.srcdoc = srcdoc;
    this.evaluated = evaluated;
    this.sandboxing =
        evaluated == null ? navigable.determineCreationSandboxingFlags() : evaluated.sandboxing();
    Window shown = navigable.activeWindow();
    this.initial = shown != null && shown.hasInitialDocument() ? shown : null;
    this.change =
        new SessionHistory.Change(
            replace || initial != null
                ? SessionHistory.Handling.REPLACE
                : SessionHistory.Handling.PUSH,
            into,
            step,
            new SessionHistory.DocumentState(
                initiator, url.href().equals("about:srcdoc") ? srcdoc : null));
    this.discarded = discarded;
    this.loaded = loaded;
    EnvironmentSettings parent = navigable.parentSettings();
    this.client =
        new FetchRequest.ReservedClient(
            initial != null && initial.realm().settings().origin().equals(url.tupleOrigin())
                ? initial.realm().settings().id()
                : navigable.userAgent().ids().nextUuid(),
            parent == null ? null : parent.topLevelOrigin(),
            parent == null ? null : parent.origin(),
            parent != null && parent.crossSiteAncestor());
  }

  /**
   * Creates the first navigation of a window that no other one can reach.
   *
   * @param origin of the URL
   * @param by the settings of the document that has opened the window; null for the user
   */
  static Navigation ofNewWindow(
      Traversable traversable,
      UrlRecord url,
      Origin origin,
      @Nullable EnvironmentSettings by,
      boolean discarded,
      CompletableFuture<Void> loaded) {
    traversable
        .ended()
        .thenRun(() ->
            loaded.completeExceptionally(
                new CancellationException("the window was closed before " + url + " was loaded")));
    return new Navigation(
        traversable,
        url,
        new Initiator(origin, null, by),
        by,
        null,
        null,
        false,
        null,
        -1,
        discarded,
        loaded);
  }

  /**
   * Creates a navigation that loads the document of a history entry again.
   *
   * @param step the step of the traversal; negative for a reload
   * @param by the settings of the document that causes it, which need not be the one that once
   *     initiated the navigation to the entry
   */
  static Navigation to(
      Navigable navigable, SessionHistory.Entry entry, int step, EnvironmentSettings by) {
    return new Navigation(
        navigable,
        entry.url,
        entry.document.initiator,
        by,
        entry.document.srcdoc,
        null,
        true,
        entry,
        step,
        false,
        new CompletableFuture<>());
  }

  /** Creates a navigation that script or an element initiates. */
  static Navigation of(
      Navigable navigable,
      UrlRecord url,
      Initiator initiator,
      @Nullable String srcdoc,
      boolean replace) {
    return new Navigation(
        navigable,
        url,
        initiator,
        initiator.settings(),
        srcdoc,
        null,
        replace,
        null,
        -1,
        false,
        new CompletableFuture<>());
  }

  /** Creates a navigation to the string result of a {@code javascript:} URL in a document. */
  static Navigation toResult(Window evaluated, Initiator initiator, String markup) {
    return new Navigation(
        evaluated.navigable(),
        evaluated.document().urlRecord(),
        initiator,
        initiator.settings(),
        markup,
        evaluated,
        true,
        null,
        -1,
        false,
        new CompletableFuture<>());
  }

  /** Returns whether this navigation is to an existing history entry, not a reload. */
  boolean isTraversal() {
    return change.step() >= 0;
  }

  int step() {
    return change.step();
  }

  void start() {
    navigable.begin(this);
    navigable.checkIfUnloadingIsCanceled().thenRun(this::populate);
  }

  /** Starts with the result of a {@code javascript:} URL, which fires no {@code beforeunload}. */
  void startWithoutCheck() {
    navigable.begin(this);
    populate();
  }

  private void populate() {
    if (!navigable.isOngoing(this)) {
      giveUp();
      return;
    }
    if (srcdoc != null) {
      arrived(FetchResponse.text(url.href(), "text/html", srcdoc));
    } else if (url.scheme().equals("about")) {
      arrived(FetchResponse.text(url.href(), "text/html", ""));
    } else {
      UserAgent userAgent = navigable.userAgent();
      FetchController controller = Fetcher.start(userAgent, request());
      fetch = controller;
      if (!navigable.isOngoing(this)) {
        controller.abort();
      }
      controller
          .response()
          .whenComplete((response, failure) -> {
            if (failure != null) {
              failed(failure);
            } else {
              arrived(response);
            }
          });
    }
  }

  private FetchRequest request() {
    return FetchRequest.to(url)
        .destination(FetchRequest.Destination.DOCUMENT)
        .mode(FetchRequest.Mode.NAVIGATE)
        .credentials(FetchRequest.Credentials.INCLUDE)
        .redirect(FetchRequest.Redirect.MANUAL)
        .reservedClient(client)
        // a service worker would control the URL's origin, which this document does not have
        .serviceWorkers(!sandboxing.origin())
        .initiator(requester)
        .build();
  }

  /**
   * Stops this navigation, because another one replaces it or the navigable ends. Callable on any
   * thread.
   */
  void stop() {
    FetchController running = fetch;
    if (running != null) {
      running.abort();
    }
    giveUp();
  }

  private void giveUp() {
    FetchInterceptor.of(navigable.userAgent()).discard(client);
  }

  private void failed(Throwable failure) {
    loaded.completeExceptionally(failure);
    if (!navigable.isOngoing(this)) {
      giveUp();
    } else if (navigable instanceof Traversable) {
      giveUp();
      navigable.over(this);
    } else {
      // an empty error page with a unique origin
      proceed(
          FetchResponse.text(url.href(), "text/html", ""),
          url,
          new Origin.Opaque(navigable.userAgent().ids().nextUuid()));
    }
  }

  private void arrived(FetchResponse response) {
    if (response.status() == 204 || response.status() == 205) {
      giveUp();
      navigable.over(this);
      loaded.complete(null);
      return;
    }
    UrlRecord landed = landed(response);
    proceed(response, landed, determineOrigin(landed));
  }

  /** Returns the URL after redirects; if it has no fragment, with the fragment of the request. */
  private UrlRecord landed(FetchResponse response) {
    UrlRecord parsed = UrlParser.parse(response.url(), url);
    if (parsed == null) {
      return url;
    }
    return parsed.fragment() == null ? parsed.withFragment(url.fragment()) : parsed;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/document-sequences.html#determining-the-origin">determine
   * the origin</a>
   */
  private Origin determineOrigin(UrlRecord landed) {
    if (evaluated != null) { // not determined, but kept
      return evaluated.realm().settings().origin();
    }
    if (sandboxing.origin()) { // 1
      return new Origin.Opaque(navigable.userAgent().ids().nextUuid());
    }
    Window parent = navigable.parentWindow();
    if (srcdoc != null && parent != null && landed.href().equals("about:srcdoc")) { // 3
      return parent.realm().settings().origin();
    }
    if (landed.scheme().equals("about")) { // 4
      return initiator.origin();
    }
    return landed.origin(navigable.userAgent().ids()); // 5
  }

  /** Leaves the current document, then shows the response. Callable on any thread. */
  private void proceed(FetchResponse response, UrlRecord landed, Origin origin) {
    if (!navigable.isOngoing(this)) {
      giveUp();
      return;
    }
    EnvironmentSettings settings = settings(navigable, client.id(), landed, origin, initiator);
    if (initial != null
        && initial.hasInitialDocument()
        && initial.realm().settings().isLike(settings)) {
      Agent agent = initial.realm().agent();
      agent.queueTask(
          TaskSource.NETWORKING,
          "document " + landed,
          () -> DocumentLoader.orFail(agent, loaded, () -> reuse(initial, response, landed)));
      return;
    }
    if (initial != null && initial.realm().settings().id().equals(client.id())) {
      settings = settings.withId(navigable.userAgent().ids().nextUuid());
      FetchInterceptor.of(navigable.userAgent()).rename(client, settings.id());
    }
    EnvironmentSettings ofNew = settings;
    BrowsingContextGroup group =
        navigable instanceof Traversable top ? top.groupOfNext() : navigable.group();
    Agent agent;
    try {
      agent = group.obtainSimilarOriginWindowAgent(origin, requester != null);
    } catch (IllegalStateException refused) { // the window is closed, or a limit is reached
      giveUp();
      loaded.completeExceptionally(refused);
      return;
    }
    leave()
        .thenRun(() ->
            agent.queueTask(
                TaskSource.NETWORKING,
                "document " + landed,
                () ->
                    DocumentLoader.orFail(
                        agent, loaded, () -> show(agent, group, response, landed, ofNew))));
  }

  /** Shows the new document in the window of the initial one. Called on its event loop. */
  private void reuse(Window window, FetchResponse response, UrlRecord landed) {
    if (navigable.isOngoing(this)) {
      window.leaveInitialDocument();
    }
    if (!navigable.isOngoing(this)) { // or the unload event has removed the frame
      giveUp();
      return;
    }
    window.setSandboxing(sandboxing);
    window.realm().setCreationUrl(landed.href());
    FetchInterceptor.of(navigable.userAgent()).reuse(window.realm(), client);
    load(window, response, landed);
  }

  private CompletableFuture<Void> leave() {
    if (navigable instanceof Traversable top) {
      return top.leave();
    }
    Window window = navigable.activeWindow();
    return window == null
        ? CompletableFuture.completedFuture(null)
        : Navigable.queueOn(window.realm().agent(), "unload", window::unloadAndDestroy);
  }

  /** Shows the new document. Called on the event loop of {@code agent}. */
  private void show(
      Agent agent,
      BrowsingContextGroup group,
      FetchResponse response,
      UrlRecord landed,
      EnvironmentSettings settings) {
    if (!navigable.isOngoing(this)) {
      giveUp();
      group.release(agent);
      return;
    }
    load(createWindow(agent, group, navigable, settings, sandboxing), response, landed);
  }

  private void load(Window window, FetchResponse response, UrlRecord landed) {
    navigable.over(this);
    SessionHistory.Entry entry = navigable.traversable().commit(window, landed, change);
    window.history().restoreState(entry.state);
    DocumentLoader.load(
        window,
        response,
        aboutBaseUrl(landed),
        discarded,
        () -> {
          navigable.completelyLoaded();
          loaded.complete(null);
        },
        loaded::completeExceptionally);
  }

  private @Nullable UrlRecord aboutBaseUrl(UrlRecord landed) {
    return landed.scheme().equals("about") ? initiator.baseUrl() : null;
  }

  /** Creates the window of a new document. Called on the event loop of its agent. */
  static Window createWindow(
      Agent agent,
      BrowsingContextGroup group,
      Navigable navigable,
      EnvironmentSettings settings,
      Sandboxing sandboxing) {
    Realm realm = agent.createRealm(settings);
    navigable.traversable().sessionStorage().give(realm);
    Platform.of(agent.userAgent()).install(realm);
    Window window = new Window(realm, navigable, group, sandboxing);
    window.becomeGlobal();
    return window;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#set-up-a-window-environment-settings-object">set
   * up a window environment settings object</a>
   */
  static EnvironmentSettings settings(
      Navigable navigable, String id, UrlRecord url, Origin origin, Initiator initiator) {
    EnvironmentSettings parent = navigable.parentSettings();
    // an opaque origin is as trustworthy as the maker: the parent or, for about:, the initiator;
    // without a maker, as the URL
    EnvironmentSettings maker =
        parent != null ? parent : url.scheme().equals("about") ? initiator.settings() : null;
    Origin ofUrl = url.tupleOrigin();
    boolean trustworthy =
        origin.isPotentiallyTrustworthy()
            || (origin instanceof Origin.Opaque
                && (maker != null || (ofUrl != null && ofUrl.isPotentiallyTrustworthy())));
    return new EnvironmentSettings(
        id,
        url.href(),
        origin,
        parent == null ? origin : parent.topLevelOrigin(),
        trustworthy && (maker == null || maker.secureContext()),
        parent != null
            && (parent.crossSiteAncestor()
                || !Site.obtain(parent.origin()).equals(Site.obtain(origin))),
        Set.of("Window"));
  }
}
