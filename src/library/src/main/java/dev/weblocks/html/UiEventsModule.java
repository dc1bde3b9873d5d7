package dev.weblocks.html;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.dom.Event;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The module of the interfaces of UI Events. */
public final class UiEventsModule implements PlatformModule {

  /**
   * The members of EventModifierInit by key of <a
   * href="https://www.w3.org/TR/uievents/#dom-mouseevent-getmodifierstate">getModifierState()</a>.
   */
  private static final Map<String, String> MODIFIERS =
      Map.ofEntries(
          Map.entry("Control", "ctrlKey"),
          Map.entry("Shift", "shiftKey"),
          Map.entry("Alt", "altKey"),
          Map.entry("Meta", "metaKey"),
          Map.entry("AltGraph", "modifierAltGraph"),
          Map.entry("CapsLock", "modifierCapsLock"),
          Map.entry("Fn", "modifierFn"),
          Map.entry("FnLock", "modifierFnLock"),
          Map.entry("Hyper", "modifierHyper"),
          Map.entry("NumLock", "modifierNumLock"),
          Map.entry("ScrollLock", "modifierScrollLock"),
          Map.entry("Super", "modifierSuper"),
          Map.entry("Symbol", "modifierSymbol"),
          Map.entry("SymbolLock", "modifierSymbolLock"));

  @Override
  public void define(Implementations implementations) {
    Event.implement(implementations, "UIEvent");
    Event.implement(implementations, "FocusEvent");
    Event.implement(implementations, "MouseEvent")
        .getter("x", event -> event.attribute("clientX"))
        .getter("y", event -> event.attribute("clientY"))
        .operation("getModifierState", UiEventsModule::getModifierState);
    Event.implement(implementations, "WheelEvent");
    Event.implement(implementations, "KeyboardEvent")
        .operation("getModifierState", UiEventsModule::getModifierState);
    Event.implement(implementations, "CompositionEvent");
  }

  private static @Nullable Object getModifierState(Event event, Arguments args) {
    String member = MODIFIERS.get(args.string(0));
    return member == null ? false : event.attribute(member);
  }
}
