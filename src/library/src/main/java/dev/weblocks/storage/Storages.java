package dev.weblocks.storage;

import dev.weblocks.agent.Realm;

/**
 * The installer of {@code localStorage} and {@code sessionStorage} in realms that are not windows.
 */
public final class Storages {

  private Storages() {}

  /**
   * Installs storage in a realm as in a window: the local storage of its storage key, and session
   * storage of its own. Must be called once, on the event loop of the realm, after the interfaces
   * of the realm are installed.
   */
  public static void install(Realm realm) {
    Storage.install(realm);
  }
}
