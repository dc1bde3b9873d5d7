package dev.weblocks.storage;

import dev.weblocks.agent.Realm;

/** The installer of {@code localStorage} and {@code sessionStorage} in non-window realms. */
public final class Storages {

  private Storages() {}

  /**
   * Installs the local storage of the realm's storage key, and session storage of its own. Must be
   * called once, on the event loop of the realm, after its interfaces are installed.
   */
  public static void install(Realm realm) {
    Storage.install(realm);
  }
}
