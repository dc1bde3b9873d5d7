package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import org.graalvm.polyglot.Value;

/**
 * The {@code PopStateEvent} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-popstateevent-interface">HTML</a>
 */
final class PopStateEvent extends Event {

  private final Value state;

  PopStateEvent(Realm realm, Value state) {
    super(realm, "popstate", false, false);
    this.state = state;
  }

  private PopStateEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.state = init.any("state");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("PopStateEvent", PopStateEvent.class)
        .constructor((realm, args) -> new PopStateEvent(realm, args.string(0), args.dictionary(1)))
        .getter("state", event -> event.state);
  }
}
