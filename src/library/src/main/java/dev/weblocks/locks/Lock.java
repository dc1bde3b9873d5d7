package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.model.LockMode;

/**
 * The {@code Lock} interface: the script object for a held lock. The object itself does not hold
 * the lock.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#api-lock">3.3. Lock class</a>
 */
sealed class Lock extends PlatformObject permits ReleasableLock {

  private final String name;
  private final LockMode mode;

  Lock(Realm realm, String name, LockMode mode) {
    super(realm);
    this.name = name;
    this.mode = mode;
  }

  /**
   * Defines the getters.
   *
   * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-lock-name">name</a>
   * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-lock-mode">mode</a>
   */
  static void define(Implementations implementations) {
    implementations
        .implement("Lock", Lock.class)
        .getter("name", lock -> lock.name)
        .getter("mode", lock -> lock.mode.idlValue());
  }
}
