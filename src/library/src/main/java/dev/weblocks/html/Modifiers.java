package dev.weblocks.html;

import dev.weblocks.binding.DictionaryView;
import java.util.Set;
import java.util.TreeSet;

/**
 * The modifier keys that are down when an event is made.
 *
 * @param keys the names of the keys, as for {@code getModifierState()}
 * @see <a href="https://www.w3.org/TR/uievents/#keys-modifiers">UI Events</a>
 */
record Modifiers(Set<String> keys) {

  static final Modifiers NONE = new Modifiers(Set.of());

  private static final Set<String> WITHOUT_ATTRIBUTE =
      Set.of(
          """
          AltGraph CapsLock Fn FnLock Hyper NumLock ScrollLock Super Symbol SymbolLock
          """
              .split("\\s+"));

  static Modifiers of(DictionaryView init) {
    Set<String> keys =
        down(
            init.bool("ctrlKey"), init.bool("altKey"), init.bool("shiftKey"), init.bool("metaKey"));
    for (String each : WITHOUT_ATTRIBUTE) {
      if (init.bool("modifier" + each)) {
        keys.add(each);
      }
    }
    return new Modifiers(Set.copyOf(keys));
  }

  /** Returns the modifiers for the keys with an event attribute, such as {@code ctrlKey}. */
  static Modifiers of(boolean control, boolean alt, boolean shift, boolean meta) {
    return new Modifiers(Set.copyOf(down(control, alt, shift, meta)));
  }

  private static Set<String> down(boolean control, boolean alt, boolean shift, boolean meta) {
    Set<String> keys = new TreeSet<>();
    if (control) {
      keys.add("Control");
    }
    if (alt) {
      keys.add("Alt");
    }
    if (shift) {
      keys.add("Shift");
    }
    if (meta) {
      keys.add("Meta");
    }
    return keys;
  }

  boolean has(String key) {
    return keys.contains(key);
  }
}
