package dev.weblocks.storage;

import dev.weblocks.agent.Realm;

/** Gives {@code localStorage} and {@code sessionStorage} to realms that are no windows. */
public final class Storages {

  private Storages() {}

  /**
   * Gives a realm what a window has: local storage by its storage key, session storage of its own.
   * On its event loop, once, after its interfaces are there.
   */
  public static void install(Realm realm) {
    Storage.install(realm);
  }
}
