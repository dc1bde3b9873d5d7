package dev.weblocks.html;

import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.messaging.StructuredClone;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Objects;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code History} interface. A top-level window shares its session history with its frames.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-history-interface">HTML</a>
 */
final class History extends PlatformObject {

  private final Window window;
  private @Nullable Value state;

  History(Window window) {
    super(window.realm());
    this.window = window;
  }

  private Traversable traversable() {
    if (!window.isFullyActive()) {
      throw ScriptException.dom(
          "SecurityError",
          "May not use a History object associated with a Document that is not fully active");
    }
    return window.navigable().traversable();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#restore-the-history-object-state">restore
   * the history object state</a>
   */
  void restoreState(@Nullable SerializedValue serialized) {
    state =
        serialized == null ? null : StructuredClone.of(realm()).structuredDeserialize(serialized);
  }

  private Value state() {
    Value now = state;
    return now == null ? binding().values().nullValue() : now;
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#delta-traverse">delta
   * traverse</a>
   */
  private void go(int delta) {
    Traversable traversable = traversable();
    if (delta == 0) {
      window.navigation().reload();
      return;
    }
    // always after the current task
    realm()
        .queueTask(
            TaskSource.HISTORY_TRAVERSAL,
            "history " + delta,
            () -> traversable.traverseHistory(delta, window));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#shared-history-push/replace-state-steps">shared
   * history push/replace state steps</a>
   */
  private void pushOrReplace(Arguments args, boolean replace) {
    String attempt =
        "Failed to execute '" + (replace ? "replaceState" : "pushState") + "' on 'History'";
    // 2.
    Traversable traversable = traversable();
    // 4.
    SerializedValue serialized =
        StructuredClone.of(realm()).structuredSerializeForStorage(args.any(0), attempt);
    // 5. and 6.
    Document document = window.document();
    UrlRecord url = document.urlRecord();
    String given = args.stringOrNull(2);
    if (given != null && !given.isEmpty()) {
      UrlRecord parsed = document.encodingParse(given);
      if (parsed == null || !canHaveUrlRewritten(document.urlRecord(), parsed)) {
        throw ScriptException.dom(
            "SecurityError",
            ("%s: A history state object with URL '%s' cannot be created in a document"
                    + " with origin '%s' and URL '%s'.")
                .formatted(
                    attempt,
                    parsed == null ? given : parsed.href(),
                    realm().settings().origin().serialize(),
                    document.url()));
      }
      url = parsed;
    }
    // 9.
    update(url, serialized);
    traversable.sameDocument(window, url, serialized, replace);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#can-have-its-url-rewritten">can
   * have its URL rewritten</a>
   */
  private static boolean canHaveUrlRewritten(UrlRecord now, UrlRecord next) {
    // 2.
    if (!now.scheme().equals(next.scheme())
        || !Objects.equals(now.host(), next.host())
        || now.port() != next.port()) {
      return false;
    }
    // 3. to 5.
    return now.scheme().equals("http") || now.scheme().equals("https") || now.equals(next);
  }

  private void update(UrlRecord url, @Nullable SerializedValue serialized) {
    window.document().setUrl(url);
    restoreState(serialized);
  }

  /**
   * Navigates to a fragment of the document.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#navigate-fragid">navigate
   *     to a fragment</a>
   */
  void navigateToFragment(UrlRecord url, boolean replace) {
    String before = window.document().url();
    boolean same = before.equals(url.href());
    update(url, null);
    window.navigable().traversable().sameDocument(window, url, null, replace || same);
    if (!same) {
      queueHashChange(before);
    }
  }

  /** Restores another history entry of the same document. Called in a task. */
  void restore(UrlRecord url, @Nullable SerializedValue serialized) {
    String before = window.document().url();
    update(url, serialized);
    window.fire(
        new Event(realm(), "PopStateEvent", "popstate", false, false).with("state", state()));
    UrlRecord old = UrlParser.parseAbsolute(before);
    if (!Objects.equals(old.fragment(), url.fragment())) {
      queueHashChange(before);
    }
  }

  private void queueHashChange(String before) {
    String after = window.document().url();
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "hashchange",
            () ->
                window.fire(
                    new Event(realm(), "HashChangeEvent", "hashchange", false, false)
                        .with("oldURL", before)
                        .with("newURL", after)));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("History", History.class)
        .getter("length", history -> history.traversable().history().length())
        .getter(
            "state",
            history -> {
              history.traversable();
              return history.state();
            })
        .action("go", (history, args) -> history.go(args.integer(0)))
        .action("back", (history, args) -> history.go(-1))
        .action("forward", (history, args) -> history.go(1))
        .action("pushState", (history, args) -> history.pushOrReplace(args, false))
        .action("replaceState", (history, args) -> history.pushOrReplace(args, true));
  }
}
