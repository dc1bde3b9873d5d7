package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import org.jspecify.annotations.Nullable;

/**
 * The {@code FocusEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-focusevent">UI Events</a>
 */
final class FocusEvent extends UiEvent {

  private final @Nullable PlatformObject relatedTarget;

  FocusEvent(Realm realm) {
    super(realm);
    this.relatedTarget = null;
  }

  private FocusEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.relatedTarget = init.objectOrNull("relatedTarget", PlatformObject.class);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("FocusEvent", FocusEvent.class)
        .constructor((realm, args) -> new FocusEvent(realm, args.string(0), args.dictionary(1)))
        .getter("relatedTarget", event -> event.relatedTarget);
  }
}
