package dev.weblocks.storage;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import org.jspecify.annotations.Nullable;

/**
 * The key that partitions storage, and with it locks, broadcast channels and shared workers: the
 * origin of the environment, and the site of the top-level page. The Storage Standard has only the
 * origin and plans the rest; browsers have both. Environments with equal keys share everything,
 * others nothing.
 *
 * @param origin of the environment
 * @param topLevelSite of the top-level page
 * @param crossSiteAncestor whether any ancestor document, up to the top-level page, has another
 *     site; the environment then shares nothing with a top-level page of its own origin
 * @see <a href="https://storage.spec.whatwg.org/#storage-key">storage key</a>
 * @see <a href="https://privacycg.github.io/storage-partitioning/">Client-Side Storage
 *     Partitioning</a>
 */
public record StorageKey(Origin.Tuple origin, Site topLevelSite, boolean crossSiteAncestor) {

  /**
   * Returns the storage key of an environment; null, meaning failure, for an opaque origin.
   *
   * @see <a href="https://storage.spec.whatwg.org/#obtain-a-storage-key">obtain a storage key</a>
   */
  public static @Nullable StorageKey obtain(EnvironmentSettings environment) {
    // 1. and 2.
    return environment.origin() instanceof Origin.Tuple tuple
        ? new StorageKey(
            tuple, Site.obtain(environment.topLevelOrigin()), environment.crossSiteAncestor())
        : null;
  }

  /** Returns a text that is equal for equal keys only. */
  public String serialize() {
    return origin.serialize()
        + "^"
        + topLevelSite.serialize()
        + (crossSiteAncestor ? "^cross" : "");
  }
}
