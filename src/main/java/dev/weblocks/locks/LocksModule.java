package dev.weblocks.locks;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The interfaces of this package. */
public final class LocksModule implements PlatformModule {

  @Override
  public String idlResource() {
    return "web-locks.idl";
  }

  @Override
  public void define(Implementations implementations) {
    LockManager.define(implementations);
    Lock.define(implementations);
  }
}
