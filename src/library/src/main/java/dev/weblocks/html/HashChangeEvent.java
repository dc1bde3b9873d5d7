package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;

/**
 * The {@code HashChangeEvent} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-hashchangeevent-interface">HTML</a>
 */
final class HashChangeEvent extends Event {

  private final String oldUrl;
  private final String newUrl;

  HashChangeEvent(Realm realm, String oldUrl, String newUrl) {
    super(realm, "hashchange", false, false);
    this.oldUrl = oldUrl;
    this.newUrl = newUrl;
  }

  /** Creates an event that script must initialize. */
  HashChangeEvent(Realm realm) {
    super(realm, "", false, false);
    this.oldUrl = "";
    this.newUrl = "";
  }

  private HashChangeEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.oldUrl = init.string("oldURL");
    this.newUrl = init.string("newURL");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HashChangeEvent", HashChangeEvent.class)
        .constructor(
            (realm, args) -> new HashChangeEvent(realm, args.string(0), args.dictionary(1)))
        .getter("oldURL", event -> event.oldUrl)
        .getter("newURL", event -> event.newUrl);
  }
}
