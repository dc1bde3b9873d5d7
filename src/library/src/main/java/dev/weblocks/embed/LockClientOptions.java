package dev.weblocks.embed;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LockClient}: its lock manager, name and executor.
 *
 * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}. Script has
 *     locks only in secure contexts: https, or this machine
 * @param topLevelOrigin of the top-level page; if its site is not that of {@code origin}, the
 *     client uses the separate locks of frames of {@code origin} in pages of that site
 * @param bucket the name of a storage bucket, which is opened as by {@code
 *     navigator.storageBuckets.open(name)}; null for the default one, that of {@code
 *     navigator.locks}
 * @param name of the client in {@link LockEntry#agent()} and events; empty for a generated name
 * @param executor runs dependents of its stages; see {@link LockClient}. It must not run a task on
 *     the submitting thread; a rejected task runs on the driver. Null for the driver
 */
public record LockClientOptions(
    String origin,
    String topLevelOrigin,
    @Nullable String bucket,
    String name,
    @Nullable Executor executor) {

  /** Returns options for the locks of {@code navigator.locks} in top-level windows of an origin. */
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
