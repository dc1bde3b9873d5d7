package dev.weblocks.html;

import dev.weblocks.agent.ScriptSource;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.url.PercentEncoding;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.utf8.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The navigations that a window starts in its own navigable or in others. Used on its event loop.
 */
final class WindowNavigation {

  private final Window window;

  WindowNavigation(Window window) {
    this.window = window;
  }

  Navigation.Initiator asInitiator() {
    return new Navigation.Initiator(
        window.realm().settings().origin(), window.apiBaseUrl(), window.realm().settings());
  }

  /**
   * Navigates a target to a URL that script has passed.
   *
   * @throws ScriptException a SyntaxError, or a SecurityError as for {@link #navigate}
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#location-object-navigate">Location-object
   *     navigate</a>
   */
  void navigateTo(Navigable target, String given, boolean replace) {
    UrlRecord url = window.encodingParse(given);
    if (url == null) {
      throw ScriptException.dom("SyntaxError", "'" + given + "' is not a valid URL.");
    }
    Window shown = target.activeWindow();
    navigate(target, url, replace || (shown != null && !shown.isCompletelyLoaded()));
  }

  /**
   * Returns whether the flags of this document let it navigate a target. No document has transient
   * activation. Callable on any thread.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#allowed-to-navigate">allowed
   *     by sandboxing to navigate</a>
   */
  boolean isAllowedBySandboxingToNavigate(Navigable target) {
    Sandboxing flags = window.sandboxing();
    Navigable source = window.navigable();
    if (target.isInside(source)) { // 1 and 2
      return true;
    }
    if (!(target instanceof Traversable top)) {
      // 5 and 6; 3.1 allows all ancestors, but the definition of the flag and browsers do not
      return !flags.navigation();
    }
    return source.isInside(top)
        ? !flags.topNavigation() // 3.3 and 3.4
        : top.onePermittedSandboxedNavigator() == source || !flags.navigation(); // 4
  }

  /**
   * Returns whether the flags of this document let it navigate each navigable in a tree whose
   * history entry changes with a step. Callable on any thread.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#apply-the-history-step">apply
   *     the history step</a>, for a traversal that a document initiates
   */
  boolean isAllowedBySandboxingToTraverse(Navigable from, int step) {
    SessionHistory history = from.traversable().history();
    SessionHistory.Entry active = history.active(from.entries());
    SessionHistory.Entry target = history.target(from.entries(), step);
    if (target == null) {
      return true;
    }
    if (target != active && !isAllowedBySandboxingToNavigate(from)) {
      return false;
    }
    boolean staysDocument = active != null && active.document == target.document;
    return !staysDocument
        || from.children().stream().allMatch(child -> isAllowedBySandboxingToTraverse(child, step));
  }

  /**
   * Navigates a target.
   *
   * @throws ScriptException a SecurityError if sandboxing does not allow it
   */
  void navigate(Navigable target, UrlRecord url, boolean replace) {
    if (!isAllowedBySandboxingToNavigate(target)) {
      throw ScriptException.dom(
          "SecurityError",
          "The current window does not have permission to navigate the target frame to '"
              + url.href()
              + "'.");
    }
    Window shown = target.activeWindow();
    if (shown != null && shown.isUnloading()) {
      return;
    }
    if (url.scheme().equals("javascript")) {
      navigateToJavascript(target, url, () -> {});
      return;
    }
    if (target.isDestroyed()) {
      return;
    }
    if (shown != null
        && shown.realm().agent() == window.realm().agent()
        && url.fragment() != null
        && shown.document().isSameDocument(url)) {
      shown.history().navigateToFragment(url, replace);
      return;
    }
    boolean stays =
        shown != null
            && shown.realm().agent() == window.realm().agent()
            && url.equals(shown.document().urlRecord());
    Navigation.of(target, url, asInitiator(), null, replace || stays).start();
  }

  /**
   * Runs a {@code javascript:} URL in the target, if this window may access it. A string result
   * becomes the next document.
   *
   * @param otherwise runs in the same task if the URL is not run or has no string result
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#navigate-to-a-javascript:-url">navigate
   *     to a javascript: URL</a>
   */
  void navigateToJavascript(Navigable target, UrlRecord url, Runnable otherwise) {
    Window shown = target.activeWindow();
    window
        .realm()
        .queueTask(
            TaskSource.HISTORY_TRAVERSAL,
            "javascript: URL",
            () -> {
              // 4.; within a browsing context group, windows of one origin share an agent
              if (shown == null
                  || shown.isDestroyed()
                  || target.isDestroyed()
                  || target.activeWindow() != shown
                  || shown.realm().agent() != window.realm().agent()
                  || shown.sandboxing().scripts()) {
                otherwise.run();
                return;
              }
              // 6.
              String markup = shown.navigation().evaluateJavascript(url);
              // 7.
              if (markup == null) {
                otherwise.run();
              } else if (!target.isDestroyed() && target.activeWindow() == shown) {
                Navigation.toResult(shown, asInitiator(), markup).startWithoutCheck();
              }
            });
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#evaluate-a-javascript:-url">evaluate
   * a javascript: URL</a>; returns a string result, null for any other
   */
  private @Nullable String evaluateJavascript(UrlRecord url) {
    // 1. to 3.
    String encoded = url.href().substring("javascript:".length());
    String text = Utf8.decode(PercentEncoding.percentDecode(encoded));
    // 5. to 9.
    List<String> result = new ArrayList<>();
    window
        .binding()
        .scripts()
        .run(
            ScriptSource.classic(text, window.document().sourceName()),
            value -> {
              if (value.isString()) {
                result.add(value.asString());
              }
            });
    return result.isEmpty() ? null : result.getFirst();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#dom-open">window.open()</a>
   */
  @Nullable PlatformObject open(Arguments args) {
    String given = args.string(0);
    String target = args.string(1);
    WindowFeatures features = WindowFeatures.parse(args.string(2));
    UrlRecord url = null;
    if (!given.isEmpty()) {
      url = window.encodingParse(given);
      if (url == null) {
        throw ScriptException.dom(
            "SyntaxError",
            "Failed to execute 'open' on 'Window': Unable to open a window with invalid URL '"
                + given
                + "'.");
      }
    }
    if (!window.isFullyActive() || window.isUnloading()) {
      return null;
    }
    Navigable chosen = choose(target);
    if (chosen != null) {
      if (!isAllowedBySandboxingToNavigate(chosen)) { // as Chromium; the standard throws
        return null;
      }
      if (url != null) {
        navigate(chosen, url, false);
      }
      return features.noopener() ? null : window.seen(chosen);
    }
    if (window.sandboxing().popups()) {
      return null;
    }
    if (features.noopener()) {
      Traversable.openFor(window, url == null ? InitialDocument.BLANK : url);
      return null;
    }
    Traversable made = Traversable.auxiliary(window);
    if (!target.equalsIgnoreCase("_blank")) {
      made.setTargetName(target);
    }
    InitialDocument.create(made, window);
    boolean isScript = url != null && url.scheme().equals("javascript");
    if (made.activeWindow() == null) {
      UrlRecord first = url == null || isScript ? InitialDocument.BLANK : url;
      Navigation.of(made, first, asInitiator(), null, true).start();
    } else if (url != null && isScript) {
      navigateToJavascript(made, url, () -> {});
    } else if (url != null && !url.href().equals("about:blank")) {
      Navigation.of(made, url, asInitiator(), null, true).start();
    }
    return window.seen(made);
  }

  /**
   * Returns the existing navigable with a name; null if a new one must be created.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#the-rules-for-choosing-a-navigable">the
   *     rules for choosing a navigable</a>
   */
  private @Nullable Navigable choose(String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "", "_self" -> {
        return name.isEmpty() ? null : window.navigable();
      }
      case "_parent" -> {
        return Window.parentOrSelf(window.navigable());
      }
      case "_top" -> {
        return window.navigable().traversable();
      }
      case "_blank" -> {
        return null;
      }
      default -> {
        for (Traversable top : window.group().traversables()) {
          Navigable found = find(top, name);
          if (found != null) {
            return found;
          }
        }
        return null;
      }
    }
  }

  /**
   * Returns the first navigable with a name in a tree; null for none.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#find-a-navigable-by-target-name">find
   *     a navigable by target name</a>, with the optional step, as Chromium
   */
  private @Nullable Navigable find(Navigable from, String name) {
    if (from.targetName().equals(name)
        && !from.isDestroyed()
        && isAllowedBySandboxingToNavigate(from)) {
      return from;
    }
    for (Navigable child : from.children()) {
      Navigable found = find(child, name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#dom-location-reload">reload()</a>
   */
  void reload() {
    if (window.isUnloading()) {
      return;
    }
    Navigable navigable = window.navigable();
    SessionHistory.Entry active = navigable.traversable().history().active(navigable.entries());
    if (active != null && navigable.activeWindow() == window && !navigable.isDestroyed()) {
      Navigation.to(navigable, active, -1, window.realm().settings()).start();
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#dom-window-close">window.close()</a>:
   * a no-op unless script has opened the window or it has at most one history entry
   */
  void close(Navigable target) {
    if (target instanceof Traversable top
        && isAllowedBySandboxingToNavigate(top)
        && (top.opener() != null || top.history().length() <= 1)
        && top.beginClosing()) {
      window.realm().queueTask(TaskSource.DOM_MANIPULATION, "close window", top::definitelyClose);
    }
  }
}
