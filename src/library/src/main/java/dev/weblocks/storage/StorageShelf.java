package dev.weblocks.storage;

import dev.weblocks.agent.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one storage key: a default bucket, and others by name. An expired bucket is
 * removed at the next access. Thread-safe: each method is atomic, like a step of a parallel queue.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storage-shelf">storage shelf</a>
 */
final class StorageShelf {

  private final String key;
  private final StoragePolicy policy;
  private final Clock clock;
  private final Bucket defaultBucket;

  // guarded by this; sorted by code units
  private final Map<String, Bucket> named = new TreeMap<>();

  /**
   * The number of removed buckets by name. The id of a new bucket contains it, so that ids never
   * repeat, and do not depend on buckets with other names. Guarded by this.
   */
  private final Map<String, Integer> removals = new HashMap<>();

  StorageShelf(String key, StoragePolicy policy, Clock clock) {
    this.key = key;
    this.policy = policy;
    this.clock = clock;
    this.defaultBucket =
        new Bucket(
            this, "default", key + "/default", policy.shelfQuota(), Bucket.Durability.RELAXED);
  }

  StoragePolicy policy() {
    return policy;
  }

  /** Returns the time in milliseconds since the Unix epoch. */
  double now() {
    return clock.epochMillisAtZero() + clock.nanoTime() / 1e6;
  }

  /** Returns the default bucket, for operations that name no bucket; it is never removed. */
  Bucket defaultBucket() {
    return defaultBucket;
  }

  /**
   * Returns the bucket of a name; creates it if there is none. An existing bucket keeps its quota
   * and durability; null for {@code expires} and false for {@code persisted} change nothing.
   *
   * @param quota of a new bucket; null for the quota of the shelf
   * @param expires milliseconds since the Unix epoch; in a new bucket, null for never
   * @see <a href="https://wicg.github.io/storage-buckets/#open-a-bucket">open a bucket</a>
   */
  synchronized Bucket openBucket(
      String name,
      @Nullable Long quota,
      @Nullable Double expires,
      Bucket.Durability durability,
      boolean persisted) {
    removeExpired();
    Bucket bucket = named.get(name);
    if (bucket == null) {
      long most = policy.shelfQuota();
      bucket =
          new Bucket(
              this,
              name,
              // a new generation after each removal, so that nothing of a removed bucket comes back
              key + "/" + name + "#" + (removals.getOrDefault(name, 0) + 1),
              quota == null ? most : Math.min(quota, most),
              durability);
      named.put(name, bucket);
    }
    if (expires != null) {
      bucket.setExpires(expires);
    }
    if (persisted) {
      bucket.makePersistent();
    }
    return bucket;
  }

  /** Returns the names of all buckets except the default one, sorted. */
  synchronized List<String> bucketNames() {
    removeExpired();
    return new ArrayList<>(named.keySet());
  }

  /** Removes the bucket of a name, if there is one. */
  synchronized void deleteBucket(String name) {
    Bucket bucket = named.remove(name);
    if (bucket != null) {
      remove(bucket);
    }
  }

  private void remove(Bucket bucket) {
    bucket.remove();
    removals.merge(bucket.name(), 1, Integer::sum);
  }

  private void removeExpired() {
    for (Iterator<Bucket> each = named.values().iterator(); each.hasNext(); ) {
      Bucket bucket = each.next();
      if (bucket.isRemoved()) {
        each.remove();
        remove(bucket);
      }
    }
  }

  /** <a href="https://storage.spec.whatwg.org/#storage-usage">storage usage</a> in bytes */
  synchronized long usage() {
    removeExpired();
    long sum = defaultBucket.usage();
    for (Bucket bucket : named.values()) {
      sum += bucket.usage();
    }
    return sum;
  }
}
