package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;

/**
 * The {@code KeyboardEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-keyboardevent">UI Events</a>
 */
final class KeyboardEvent extends UiEvent {

  private String key = "";
  private String code = "";
  private double location;
  private Modifiers modifiers = Modifiers.NONE;
  private boolean repeat;
  private boolean composing;
  private double charCode;
  private double keyCode;

  KeyboardEvent(Realm realm) {
    super(realm);
  }

  private KeyboardEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.key = init.string("key");
    this.code = init.string("code");
    this.location = init.number("location");
    this.modifiers = Modifiers.of(init);
    this.repeat = init.bool("repeat");
    this.composing = init.bool("isComposing");
    this.charCode = init.number("charCode");
    this.keyCode = init.number("keyCode");
  }

  /**
   * <a
   * href="https://www.w3.org/TR/uievents/#dom-keyboardevent-initkeyboardevent">initKeyboardEvent()</a>
   */
  private void initKeyboardEvent(Arguments args) {
    if (!initializeWithView(args)) {
      return;
    }
    key = args.string(4);
    location = args.number(5);
    modifiers = Modifiers.of(args.bool(6), args.bool(7), args.bool(8), args.bool(9));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("KeyboardEvent", KeyboardEvent.class)
        .constructor((realm, args) -> new KeyboardEvent(realm, args.string(0), args.dictionary(1)))
        .getter("key", event -> event.key)
        .getter("code", event -> event.code)
        .getter("location", event -> event.location)
        .getter("ctrlKey", event -> event.modifiers.has("Control"))
        .getter("shiftKey", event -> event.modifiers.has("Shift"))
        .getter("altKey", event -> event.modifiers.has("Alt"))
        .getter("metaKey", event -> event.modifiers.has("Meta"))
        .getter("repeat", event -> event.repeat)
        .getter("isComposing", event -> event.composing)
        .getter("charCode", event -> event.charCode)
        .getter("keyCode", event -> event.keyCode)
        .operation("getModifierState", (event, args) -> event.modifiers.has(args.string(0)))
        .action("initKeyboardEvent", KeyboardEvent::initKeyboardEvent);
  }
}
