package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import org.jspecify.annotations.Nullable;

/**
 * The {@code BeforeUnloadEvent} interface. Browsers show a prompt for a canceled event only after
 * user activation, which there is none of here; so each navigation continues.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-beforeunloadevent-interface">HTML</a>
 */
final class BeforeUnloadEvent extends Event {

  private String returnValue = "";

  BeforeUnloadEvent(Realm realm, String type, boolean cancelable) {
    super(realm, "BeforeUnloadEvent", type, false, cancelable);
  }

  /**
   * Stores what an event handler has returned, unless script has set a value.
   *
   * @param result null if the handler returned null or undefined, or threw
   * @return whether the handler cancels the event
   */
  boolean takeResult(@Nullable String result) {
    if (result != null && returnValue.isEmpty()) {
      returnValue = result;
    }
    return result != null;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("BeforeUnloadEvent", BeforeUnloadEvent.class)
        .getter("returnValue", event -> event.returnValue)
        .setter("returnValue", (event, args) -> event.returnValue = args.string(0));
  }
}
