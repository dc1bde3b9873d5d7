package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The local storage of a user agent, in memory; one instance for each user agent. Thread-safe.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storage-shed">storage shed</a>
 */
final class StorageShed {

  private final UserAgent userAgent;
  private final Map<StorageKey, StorageShelf> shelves = new ConcurrentHashMap<>();

  private StorageShed(UserAgent userAgent) {
    this.userAgent = userAgent;
  }

  static StorageShed of(UserAgent userAgent) {
    return userAgent.supplements().get(StorageShed.class, () -> new StorageShed(userAgent));
  }

  /** Returns the shelf of a key, created at the first call. */
  StorageShelf shelf(StorageKey key) {
    return shelves.computeIfAbsent(
        key,
        made ->
            new StorageShelf(
                made.serialize(),
                StoragePolicy.of(userAgent),
                userAgent.driver().clock(),
                this::sharedBuckets));
  }

  private @Nullable SharedBuckets sharedBuckets() {
    SharedBuckets.Source source = userAgent.configuration().find(SharedBuckets.Source.class);
    return source == null ? null : source.sharedBuckets(userAgent);
  }

  /**
   * Obtains the local storage shelf of an environment; null means failure.
   *
   * @see <a href="https://storage.spec.whatwg.org/#obtain-a-local-storage-shelf">obtain a local
   *     storage shelf</a>
   */
  static @Nullable StorageShelf obtainLocalStorageShelf(Realm realm) {
    StorageKey key = StorageKey.obtain(realm.settings());
    return key == null ? null : of(realm.agent().userAgent()).shelf(key);
  }
}
