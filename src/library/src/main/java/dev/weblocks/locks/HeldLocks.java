package dev.weblocks.locks;

import dev.weblocks.agent.Realm;

/** The check whether an environment holds locks, for other packages. */
public final class HeldLocks {

  /** A client of locks, of the Working Draft or of the early draft: a supplement of its realm. */
  public interface Holder {

    /**
     * Returns whether a lock was passed to script and is not yet released. Called on the event
     * loop.
     */
    boolean holdsLocks();
  }

  private HeldLocks() {}

  /**
   * Returns whether script of a realm has a lock that is not yet released. Called on its event
   * loop.
   */
  public static boolean any(Realm realm) {
    Holder holder = realm.supplements().find(Holder.class);
    return holder != null && holder.holdsLocks();
  }
}
