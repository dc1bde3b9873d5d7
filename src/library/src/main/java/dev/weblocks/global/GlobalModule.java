package dev.weblocks.global;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module of the interfaces of this package. */
public final class GlobalModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    GlobalScope.define(implementations);
    Performance.define(implementations);
    ErrorEvent.define(implementations);
    PromiseRejectionEvent.define(implementations);
    AbstractNavigator.define(implementations);
  }
}
