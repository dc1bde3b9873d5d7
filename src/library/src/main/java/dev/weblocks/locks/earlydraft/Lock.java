package dev.weblocks.locks.earlydraft;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.lockmanager.earlydraft.Scope;
import dev.weblocks.model.LockMode;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Lock} interface: the script object for a held lock. The object itself does not hold
 * the lock.
 */
// Early draft, "Lock class"
final class Lock extends PlatformObject {

  private final Scope scope;
  private final LockMode mode;
  private @Nullable Value frozenScope;

  Lock(Realm realm, Scope scope, LockMode mode) {
    super(realm);
    this.scope = scope;
    this.mode = mode;
  }

  /** Returns the same frozen array each time, as an attribute must. */
  // Early draft, "Lock.prototype.scope"
  private Value scope() {
    Value made = frozenScope;
    if (made == null) {
      made = binding().values().frozenArray(scope.sorted());
      frozenScope = made;
    }
    return made;
  }

  // Early draft, "Lock.prototype.mode"
  private String mode() {
    return mode.idlValue();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Lock", Lock.class)
        .getter("scope", Lock::scope)
        .getter("mode", Lock::mode);
  }
}
