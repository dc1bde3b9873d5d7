package dev.weblocks.storage;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What partitions storage, and with it locks, broadcast channels and shared workers: the origin of
 * the environment, and the site of the page that the user sees. The Storage Standard has the origin
 * alone and expects the rest; browsers have both. Equal keys share all, unequal ones nothing.
 *
 * @param origin of the environment
 * @param topLevelSite of the top-level page
 * @param crossSiteAncestor whether a document between them, or the top-level one, is of another
 *     site: a page in a frame of another site is not trusted to be the one at the top
 * @see <a href="https://storage.spec.whatwg.org/#storage-key">storage key</a>
 * @see <a href="https://privacycg.github.io/storage-partitioning/">Client-Side Storage
 *     Partitioning</a>
 */
public record StorageKey(Origin.Tuple origin, Site topLevelSite, boolean crossSiteAncestor) {

  /**
   * The storage key of an environment; null, meaning failure, for an opaque origin.
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

  /** A text that is the same for equal keys and for no others. */
  public String serialize() {
    return origin.serialize()
        + "^"
        + topLevelSite.serialize()
        + (crossSiteAncestor ? "^cross" : "");
  }
}
