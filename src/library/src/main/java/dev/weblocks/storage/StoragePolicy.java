package dev.weblocks.storage;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.UserAgent;

/**
 * The quotas of a user agent, and whether it grants persistence.
 *
 * @param webStorageQuota the maximum number of bytes of {@code localStorage} for one storage key,
 *     and of {@code sessionStorage} for one key of one top-level window. Each code unit of names
 *     and values counts as two bytes; not negative
 * @param shelfQuota the maximum number of bytes of all buckets of one storage key together, which
 *     {@code estimate()} returns as the quota; not negative
 * @param grantsPersistence whether the permission {@code persistent-storage} is granted, since
 *     there is no user to decide
 * @see <a href="https://storage.spec.whatwg.org/#registered-storage-endpoints">Storage Standard: 5
 *     mebibytes each for localStorage and sessionStorage</a>
 */
public record StoragePolicy(long webStorageQuota, long shelfQuota, boolean grantsPersistence)
    implements Configuration.Part {

  /** The default quotas, 5 mebibytes and 10 gibibytes, without persistence. */
  public static final StoragePolicy DEFAULT = new StoragePolicy(5L << 20, 10L << 30, false);

  /**
   * Checks the quotas.
   *
   * @throws IllegalArgumentException if a quota is negative
   */
  public StoragePolicy {
    if (webStorageQuota < 0 || shelfQuota < 0) {
      throw new IllegalArgumentException(
          "a quota is negative: "
              + Math.min(webStorageQuota, shelfQuota)
              + "; pass 0 to store nothing");
    }
  }

  static StoragePolicy of(UserAgent userAgent) {
    return userAgent.configuration().part(StoragePolicy.class, () -> DEFAULT);
  }
}
