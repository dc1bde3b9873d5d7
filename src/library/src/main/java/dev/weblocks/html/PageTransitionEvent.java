package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;

/**
 * The {@code PageTransitionEvent} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-pagetransitionevent-interface">HTML</a>
 */
final class PageTransitionEvent extends Event {

  private final boolean persisted;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#fire-a-page-transition-event">fire
   * a page transition event</a>
   */
  PageTransitionEvent(Realm realm, String type, boolean persisted) {
    super(realm, type, true, true);
    this.persisted = persisted;
  }

  private PageTransitionEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.persisted = init.bool("persisted");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("PageTransitionEvent", PageTransitionEvent.class)
        .constructor(
            (realm, args) -> new PageTransitionEvent(realm, args.string(0), args.dictionary(1)))
        .getter("persisted", event -> event.persisted);
  }
}
