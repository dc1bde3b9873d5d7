package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.dom.Event;
import org.jspecify.annotations.Nullable;

/**
 * The {@code UIEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-uievent">UI Events</a>
 */
class UiEvent extends Event {

  /** The window of this realm, or a proxy for another window; null for none. */
  private @Nullable PlatformObject view;

  private int detail;
  private final double which;

  /** Creates an event that script must initialize. */
  UiEvent(Realm realm) {
    super(realm, "", false, false);
    this.which = 0;
  }

  /** Creates an event for the user agent to fire: bubbling, cancelable and composed. */
  UiEvent(Realm realm, String type, @Nullable Window view) {
    super(realm, type, true, true, true);
    this.view = view;
    this.which = 0;
  }

  UiEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.view = init.objectOrNull("view", PlatformObject.class);
    this.detail = init.integer("detail");
    this.which = init.number("which");
  }

  /**
   * Initializes the event from the arguments of a method such as {@code initUIEvent()}.
   *
   * @return false if the event is being dispatched; then the calling method must do nothing
   */
  final boolean initializeWithView(Arguments args) {
    if (!initialize(args)) {
      return false;
    }
    view = args.objectOrNull(3, PlatformObject.class);
    return true;
  }

  final void setDetail(int value) {
    detail = value;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("UIEvent", UiEvent.class)
        .constructor((realm, args) -> new UiEvent(realm, args.string(0), args.dictionary(1)))
        .getter("view", event -> event.view)
        .getter("detail", event -> event.detail)
        .getter("which", event -> event.which)
        .action(
            "initUIEvent",
            (event, args) -> {
              if (event.initializeWithView(args)) {
                event.detail = args.integer(4);
              }
            });
  }
}
