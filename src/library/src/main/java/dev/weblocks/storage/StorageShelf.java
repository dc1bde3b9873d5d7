package dev.weblocks.storage;

import dev.weblocks.agent.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one storage key: a default bucket, and others by name. An expired bucket is
 * removed at the next access. Thread-safe: each method is atomic, like a step of a parallel queue;
 * only a bucket that user agents share is opened outside of the monitor.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storage-shelf">storage shelf</a>
 */
final class StorageShelf {

  private final String key;
  private final StoragePolicy policy;
  private final Clock clock;

  /** Returns the side of the named buckets that user agents share; null if they do not. */
  private final Supplier<? extends @Nullable SharedBuckets> sharing;

  private final Bucket defaultBucket;

  // guarded by this; sorted by code units
  private final Map<String, Bucket> named = new TreeMap<>();

  /**
   * The number of removed buckets by name. The id of a new bucket contains it, so that ids never
   * repeat, and do not depend on buckets with other names. Guarded by this.
   */
  private final Map<String, Integer> removals = new HashMap<>();

  /** The expired buckets that are not yet deleted for other user agents. Guarded by this. */
  private final List<Bucket> expired = new ArrayList<>();

  StorageShelf(
      String key,
      StoragePolicy policy,
      Clock clock,
      Supplier<? extends @Nullable SharedBuckets> sharing) {
    this.key = key;
    this.policy = policy;
    this.clock = clock;
    this.sharing = sharing;
    this.defaultBucket =
        new Bucket(
            this, "default", key + "/default", 0, policy.shelfQuota(), Bucket.Durability.RELAXED);
  }

  StoragePolicy policy() {
    return policy;
  }

  /** Returns the time in milliseconds since the Unix epoch. */
  double now() {
    return clock.epochMillisAtZero() + clock.nanoTime() / 1e6;
  }

  /** Returns the side of the buckets that user agents share; null if they share none. */
  @Nullable SharedBuckets shared() {
    return sharing.get();
  }

  /** Returns the key that the buckets of a name have in all user agents. */
  String sharedKey(String name) {
    return key + "/" + name;
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
  Bucket openBucket(
      String name,
      @Nullable Long quota,
      @Nullable Double expires,
      Bucket.Durability durability,
      boolean persisted) {
    SharedBuckets shared = shared();
    long most = policy.shelfQuota();
    long limit = quota == null ? most : Math.min(quota, most);
    if (shared != null) {
      return withOptions(obtainShared(shared, name, limit, durability), expires, persisted);
    }
    synchronized (this) {
      return withOptions(obtain(name, limit, durability), expires, persisted);
    }
  }

  private static Bucket withOptions(Bucket bucket, @Nullable Double expires, boolean persisted) {
    if (expires != null) {
      bucket.setExpires(expires);
    }
    if (persisted) {
      bucket.makePersistent();
    }
    return bucket;
  }

  private Bucket obtain(String name, long quota, Bucket.Durability durability) {
    Bucket bucket = find(name);
    if (bucket == null) {
      // a new generation after each removal, so that nothing of a removed bucket comes back
      String id = key + "/" + name + "#" + (removals.getOrDefault(name, 0) + 1);
      bucket = new Bucket(this, name, id, 0, quota, durability);
      named.put(name, bucket);
    }
    return bucket;
  }

  /**
   * Returns a bucket that is or will be open for all user agents. No request precedes the command
   * that opens it: it is sent before other threads can find the bucket. It is sent outside of the
   * monitor, since steps of the lock service may run meanwhile.
   */
  private Bucket obtainShared(
      SharedBuckets shared, String name, long quota, Bucket.Durability durability) {
    Bucket found = find(name);
    if (found != null) {
      return found;
    }
    takeExpired().forEach(bucket -> shared.expire(bucket, sharedKey(bucket.name())));
    long opening = shared.nextOpening();
    String id = key + "/" + name + "#" + opening;
    Bucket made = new Bucket(this, name, id, opening, quota, durability);
    shared.open(made, sharedKey(name));
    return putIfAbsent(made);
  }

  private synchronized @Nullable Bucket find(String name) {
    removeExpired();
    return named.get(name);
  }

  private synchronized Bucket putIfAbsent(Bucket made) {
    removeExpired();
    Bucket other = named.putIfAbsent(made.name(), made);
    return other == null ? made : other;
  }

  private synchronized List<Bucket> takeExpired() {
    List<Bucket> taken = List.copyOf(expired);
    expired.clear();
    return taken;
  }

  /** Returns the names of all buckets except the default one, sorted. */
  synchronized List<String> bucketNames() {
    removeExpired();
    return new ArrayList<>(named.keySet());
  }

  /** Removes the bucket of a name in this user agent, if there is one. */
  synchronized void deleteBucket(String name) {
    Bucket bucket = named.remove(name);
    if (bucket != null) {
      remove(bucket);
    }
  }

  private void remove(Bucket bucket) {
    bucket.remove();
    if (bucket.opening() == 0) {
      removals.merge(bucket.name(), 1, Integer::sum);
    }
  }

  private void removeExpired() {
    for (Iterator<Bucket> each = named.values().iterator(); each.hasNext(); ) {
      Bucket bucket = each.next();
      if (bucket.isRemoved()) {
        each.remove();
        remove(bucket);
        if (bucket.opening() != 0) {
          expired.add(bucket);
        }
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
