package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;

/**
 * The {@code CompositionEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-compositionevent">UI Events</a>
 */
final class CompositionEvent extends UiEvent {

  private String data = "";

  CompositionEvent(Realm realm) {
    super(realm);
  }

  private CompositionEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.data = init.string("data");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CompositionEvent", CompositionEvent.class)
        .constructor(
            (realm, args) -> new CompositionEvent(realm, args.string(0), args.dictionary(1)))
        .getter("data", event -> event.data)
        .action(
            "initCompositionEvent",
            (event, args) -> {
              if (event.initializeWithView(args)) {
                event.data = args.string(4);
              }
            });
  }
}
