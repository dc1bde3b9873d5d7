package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.dom.Event;
import org.jspecify.annotations.Nullable;

/**
 * The visibility state of the active document of one realm. Other documents, such as those without
 * a window, are hidden. Changed on the event loop, read on any thread.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/interaction.html#page-visibility">HTML</a>
 */
public final class PageVisibility {

  private volatile boolean visible;

  private PageVisibility() {}

  /** Returns the visibility of the window that is the global of a realm. Callable on any thread. */
  public static PageVisibility of(Realm realm) {
    return realm.supplements().get(PageVisibility.class, PageVisibility::new);
  }

  /** Returns the value of {@code visibilityState}. */
  public String state() {
    return visible ? "visible" : "hidden";
  }

  /**
   * Sets the state of a new document, as a part of <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#make-active">make
   * active</a>.
   */
  void makeActive(boolean systemVisible) {
    visible = systemVisible;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/interaction.html#update-the-visibility-state">update
   * the visibility state</a>
   *
   * @param document null if the document could not be loaded
   */
  void update(@Nullable Document document, boolean nowVisible) {
    // 1.
    if (visible == nowVisible || document == null) {
      return;
    }
    // 2.
    visible = nowVisible;
    // 7.
    document.fire(new Event(document.realm(), "visibilitychange", true, false));
  }
}
