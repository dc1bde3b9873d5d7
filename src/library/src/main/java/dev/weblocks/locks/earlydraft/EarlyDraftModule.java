package dev.weblocks.locks.earlydraft;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/**
 * The module of the interfaces of this package. It replaces {@code LocksModule}, whose interfaces
 * have the same names.
 */
public final class EarlyDraftModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    LockManager.define(implementations);
    Lock.define(implementations);
  }
}
