package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import org.jspecify.annotations.Nullable;

/**
 * The {@code MouseEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-mouseevent">UI Events</a>
 */
class MouseEvent extends UiEvent {

  private double screenX;
  private double screenY;
  private double clientX;
  private double clientY;
  private Modifiers modifiers = Modifiers.NONE;
  private int button;
  private int buttons;
  private @Nullable PlatformObject relatedTarget;

  MouseEvent(Realm realm) {
    super(realm);
  }

  /** Creates an event for the user agent to fire, without coordinates or modifier keys. */
  MouseEvent(Realm realm, String type, @Nullable Window view) {
    super(realm, type, view);
  }

  MouseEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.screenX = init.number("screenX");
    this.screenY = init.number("screenY");
    this.clientX = init.number("clientX");
    this.clientY = init.number("clientY");
    this.modifiers = Modifiers.of(init);
    this.button = init.integer("button");
    this.buttons = init.integer("buttons");
    this.relatedTarget = init.objectOrNull("relatedTarget", PlatformObject.class);
  }

  /**
   * <a href="https://www.w3.org/TR/uievents/#dom-mouseevent-initmouseevent">initMouseEvent()</a>
   */
  private void initMouseEvent(Arguments args) {
    if (!initializeWithView(args)) {
      return;
    }
    setDetail(args.integer(4));
    screenX = args.integer(5);
    screenY = args.integer(6);
    clientX = args.integer(7);
    clientY = args.integer(8);
    modifiers = Modifiers.of(args.bool(9), args.bool(10), args.bool(11), args.bool(12));
    button = args.integer(13);
    relatedTarget = args.objectOrNull(14, PlatformObject.class);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MouseEvent", MouseEvent.class)
        .constructor((realm, args) -> new MouseEvent(realm, args.string(0), args.dictionary(1)))
        .getter("screenX", event -> event.screenX)
        .getter("screenY", event -> event.screenY)
        .getter("clientX", event -> event.clientX)
        .getter("clientY", event -> event.clientY)
        .getter("x", event -> event.clientX)
        .getter("y", event -> event.clientY)
        .getter("ctrlKey", event -> event.modifiers.has("Control"))
        .getter("shiftKey", event -> event.modifiers.has("Shift"))
        .getter("altKey", event -> event.modifiers.has("Alt"))
        .getter("metaKey", event -> event.modifiers.has("Meta"))
        .getter("button", event -> event.button)
        .getter("buttons", event -> event.buttons)
        .getter("relatedTarget", event -> event.relatedTarget)
        .operation("getModifierState", (event, args) -> event.modifiers.has(args.string(0)))
        .action("initMouseEvent", MouseEvent::initMouseEvent);
  }
}
