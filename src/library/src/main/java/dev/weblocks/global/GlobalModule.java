package dev.weblocks.global;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.dom.Event;

/** The module of the interfaces of this package. */
public final class GlobalModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    GlobalScope.define(implementations);
    Performance.define(implementations);
    Event.implement(implementations, "ErrorEvent");
    Event.implement(implementations, "PromiseRejectionEvent");
    AbstractNavigator.define(implementations);
  }
}
