package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import org.jspecify.annotations.Nullable;

/**
 * A storage bucket, which script sees as a {@link StorageBucket}. Thread-safe.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storage-bucket">storage bucket</a>
 * @see <a href="https://wicg.github.io/storage-buckets/">Storage Buckets</a>
 */
public final class Bucket {

  /** The guarantee for writes on a power failure; without effect, as everything is in memory. */
  enum Durability {
    STRICT("strict"),
    RELAXED("relaxed");

    private final String idlValue;

    Durability(String idlValue) {
      this.idlValue = idlValue;
    }

    String idlValue() {
      return idlValue;
    }

    static Durability fromIdl(String value) {
      return value.equals(STRICT.idlValue) ? STRICT : RELAXED;
    }
  }

  private static final int LONGEST_NAME = 64;

  private final StorageShelf shelf;
  private final String name;
  private final String id;
  private final long opening;
  private final long quota;
  private final Durability durability;

  /** <a href="https://storage.spec.whatwg.org/#bucket-mode">mode</a>: persistent or best-effort */
  private volatile boolean persistent;

  /** The expiry in milliseconds since the Unix epoch; infinite for never. */
  private volatile double expires = Double.POSITIVE_INFINITY;

  private volatile boolean removed;

  /** The reason why user agents do not share the bucket; null if they do. */
  private volatile @Nullable String refusal;

  private @Nullable StorageBottle localStorage;

  Bucket(
      StorageShelf shelf, String name, String id, long opening, long quota, Durability durability) {
    this.shelf = shelf;
    this.name = name;
    this.id = id;
    this.opening = opening;
    this.quota = quota;
    this.durability = durability;
  }

  /** Returns a realm's default bucket, which is never removed; null for an opaque origin. */
  public static @Nullable Bucket defaultOf(Realm realm) {
    StorageShelf shelf = StorageShed.obtainLocalStorageShelf(realm);
    return shelf == null ? null : shelf.defaultBucket();
  }

  /** Returns the default bucket of a storage key in a user agent. Callable on any thread. */
  public static Bucket defaultOf(UserAgent userAgent, StorageKey key) {
    return StorageShed.of(userAgent).shelf(key).defaultBucket();
  }

  /**
   * Returns the bucket with a {@linkplain #isValidName valid} name, created if necessary with the
   * default options of {@code navigator.storageBuckets.open()}. Callable on any thread.
   */
  public static Bucket open(UserAgent userAgent, StorageKey key, String name) {
    return StorageShed.of(userAgent)
        .shelf(key)
        .openBucket(name, null, null, Durability.RELAXED, false);
  }

  /**
   * Returns whether a name is valid for a bucket.
   *
   * @see <a href="https://wicg.github.io/storage-buckets/#validate-a-bucket-name">validate a bucket
   *     name</a>
   */
  public static boolean isValidName(String name) {
    return !name.isEmpty()
        && name.length() <= LONGEST_NAME
        && name.charAt(0) != '_'
        && name.charAt(0) != '-'
        && name.chars()
            .allMatch(
                c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-');
  }

  /**
   * Returns the name of a storage bottle, which no other bottle of the user agent ever has.
   *
   * @param identifier of the storage endpoint, such as {@code web-locks}
   * @see <a href="https://storage.spec.whatwg.org/#storage-bottle">storage bottle</a>
   */
  public String bottleName(String identifier) {
    return id + "/" + identifier;
  }

  /**
   * Returns whether the bucket was deleted or has expired, which is final. Callable on any thread.
   */
  public boolean isRemoved() {
    if (!removed && expires < shelf.now()) {
      removed = true;
    }
    return removed;
  }

  /** Removes the bucket, which is final. Callable on any thread. */
  public void remove() {
    removed = true;
  }

  /** Removes the bucket, because the user agent cannot share it. Callable on any thread. */
  public void refuse(String message) {
    refusal = message;
    removed = true;
  }

  /** Returns the reason why the bucket was refused; null if it was not. Callable on any thread. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** Returns the reason why a removed bucket cannot be used, for Java code. */
  public String whyRemoved() {
    String why = refusal;
    return why == null ? "the storage bucket '" + name + "' was deleted" : why;
  }

  /** Returns the number by which {@link SharedBuckets} has opened the bucket; 0 if it has not. */
  public long opening() {
    return opening;
  }

  /** Returns the name; {@code default} for the default bucket. */
  public String name() {
    return name;
  }

  /** Returns the quota in bytes; at most the quota of the shelf. */
  long quota() {
    return quota;
  }

  Durability durability() {
    return durability;
  }

  boolean isPersistent() {
    return persistent;
  }

  void makePersistent() {
    persistent = true;
  }

  /** Makes the bucket persistent if that is permitted; returns whether it is persistent now. */
  boolean requestPersistence() {
    if (shelf.policy().grantsPersistence()) {
      persistent = true;
    }
    return persistent;
  }

  /** Returns the expiry in milliseconds since the Unix epoch; null for never. */
  @Nullable Double expires() {
    double at = expires;
    return at == Double.POSITIVE_INFINITY ? null : at;
  }

  void setExpires(double at) {
    expires = at;
  }

  /** Returns the bottle of {@code localStorage}, created at the first call. */
  synchronized StorageBottle localStorage() {
    StorageBottle made = localStorage;
    if (made == null) {
      made = new StorageBottle(Math.min(shelf.policy().webStorageQuota(), quota));
      localStorage = made;
    }
    return made;
  }

  synchronized long usage() {
    return localStorage == null ? 0 : localStorage.usage();
  }
}
