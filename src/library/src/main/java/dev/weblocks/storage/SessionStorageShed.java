package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The session storage of one top-level window and the frames in it, in memory, by storage key.
 * Thread-safe, since documents of several agents share it.
 *
 * @see <a href="https://storage.spec.whatwg.org/#traversable-navigable-storage-shed">storage
 *     shed</a>
 */
public final class SessionStorageShed {

  private final UserAgent userAgent;

  // guarded by this
  private final Map<StorageKey, StorageBottle> byKey = new LinkedHashMap<>();

  /** Creates an empty shed. */
  public SessionStorageShed(UserAgent userAgent) {
    this.userAgent = userAgent;
  }

  /**
   * Assigns this shed to a realm that will become a window; must be called before its interfaces
   * are installed. A realm without an assigned shed gets its own.
   *
   * @throws IllegalStateException if the realm already has a shed
   */
  public void give(Realm realm) {
    realm.supplements().put(SessionStorageShed.class, this);
  }

  static SessionStorageShed of(Realm realm) {
    return realm
        .supplements()
        .get(SessionStorageShed.class, () -> new SessionStorageShed(realm.agent().userAgent()));
  }

  /**
   * <a href="https://storage.spec.whatwg.org/#legacy-clone-a-traversable-storage-shed">legacy-clone
   * a traversable storage shed</a>: copies the current content, for a window that is opened; later
   * changes are not shared.
   */
  public SessionStorageShed legacyClone() {
    SessionStorageShed clone = new SessionStorageShed(userAgent);
    synchronized (this) {
      byKey.forEach((key, bottle) -> clone.byKey.put(key, bottle.copy()));
    }
    return clone;
  }

  synchronized StorageBottle bottle(StorageKey key) {
    return byKey.computeIfAbsent(
        key, made -> new StorageBottle(StoragePolicy.of(userAgent).webStorageQuota()));
  }
}
