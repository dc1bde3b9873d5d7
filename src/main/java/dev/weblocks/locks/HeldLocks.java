package dev.weblocks.locks;

import dev.weblocks.agent.Realm;

/** Tells other packages whether an environment holds locks. */
public final class HeldLocks {

  /** An environment as a client of locks, of whatever kind: a supplement of its realm. */
  public interface Holder {

    /** Whether there is a lock that was granted and not released yet. On the event loop. */
    boolean holdsLocks();
  }

  private HeldLocks() {}

  /** Whether a realm holds a lock. On its event loop. */
  public static boolean any(Realm realm) {
    Holder holder = realm.supplements().find(Holder.class);
    return holder != null && holder.holdsLocks();
  }
}
