package dev.weblocks.dom;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module of the interfaces of this package. */
public final class DomModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Event.define(implementations);
    Event.implement(implementations, "CustomEvent");
    implementations.derive(EventMembers::derive);
    implementations.derive(EventHandlers::derive);
    EventTarget.define(implementations);
    AbortController.define(implementations);
    AbortSignal.define(implementations);
  }
}
