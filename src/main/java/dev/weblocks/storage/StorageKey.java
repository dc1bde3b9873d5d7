package dev.weblocks.storage;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What partitions storage, and locks with it.
 *
 * @param origin of the environment
 * @param topLevelOrigin of the page that the user sees
 * @see <a href="https://storage.spec.whatwg.org/#storage-key">storage key</a>
 */
public record StorageKey(Origin.Tuple origin, Origin topLevelOrigin) {

  /**
   * The storage key of an environment; null, meaning failure, for an opaque origin.
   *
   * @see <a href="https://storage.spec.whatwg.org/#obtain-a-storage-key">obtain a storage key</a>
   */
  public static @Nullable StorageKey obtain(EnvironmentSettings environment) {
    return environment.origin() instanceof Origin.Tuple tuple
        ? new StorageKey(tuple, environment.topLevelOrigin())
        : null;
  }

  /**
   * The name of a storage bottle of the default bucket: the same for the same key, another for
   * another.
   *
   * @param identifier of the storage endpoint, such as {@code web-locks}
   * @see <a href="https://storage.spec.whatwg.org/#storage-bottle">storage bottle</a>
   */
  public String defaultBottle(String identifier) {
    return origin.serialize() + "^" + topLevelOrigin.serialize() + "/default/" + identifier;
  }
}
