package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module of the interfaces of UI Events. */
public final class UiEventsModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    UiEvent.define(implementations);
    FocusEvent.define(implementations);
    MouseEvent.define(implementations);
    WheelEvent.define(implementations);
    KeyboardEvent.define(implementations);
    CompositionEvent.define(implementations);
  }
}
