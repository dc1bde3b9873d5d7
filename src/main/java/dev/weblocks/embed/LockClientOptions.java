package dev.weblocks.embed;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Whose locks a {@link LockClient} takes part in, and how.
 *
 * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}. Script has
 *     locks in secure contexts alone: https, or this machine
 * @param topLevelOrigin of the page that the user sees; another site than that of {@code origin}
 *     means the frames of {@code origin} in pages of that site, whose locks are theirs
 * @param bucket the name of a storage bucket, which is opened as by {@code
 *     navigator.storageBuckets.open(name)}; null for the default one, that of {@code
 *     navigator.locks}
 * @param name how {@link LockEntry#agent()} and events call the client; empty for a name that is
 *     made for it
 * @param executor runs what depends on its stages; see {@link LockClient}. It must not run tasks on
 *     the thread that gives it one, and what it rejects runs on the driver. Null for the driver
 */
public record LockClientOptions(
    String origin,
    String topLevelOrigin,
    @Nullable String bucket,
    String name,
    @Nullable Executor executor) {

  /** The locks that {@code navigator.locks} has in top-level windows of an origin. */
  public static LockClientOptions of(String origin) {
    return new LockClientOptions(origin, origin, null, "", null);
  }

  public LockClientOptions withTopLevelOrigin(String value) {
    return new LockClientOptions(origin, value, bucket, name, executor);
  }

  public LockClientOptions withBucket(String value) {
    return new LockClientOptions(origin, topLevelOrigin, value, name, executor);
  }

  public LockClientOptions withName(String value) {
    return new LockClientOptions(origin, topLevelOrigin, bucket, value, executor);
  }

  public LockClientOptions withExecutor(Executor value) {
    return new LockClientOptions(origin, topLevelOrigin, bucket, name, value);
  }
}
