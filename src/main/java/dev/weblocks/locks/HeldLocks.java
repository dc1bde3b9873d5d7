package dev.weblocks.locks;

import dev.weblocks.agent.Realm;

/** Tells other packages whether an environment holds locks. */
public final class HeldLocks {

  private HeldLocks() {}

  /** Whether a realm holds a lock. On its event loop. */
  public static boolean any(Realm realm) {
    LockClient client = realm.supplements().find(LockClient.class);
    return client != null && client.holdsLocks();
  }
}
