package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;

/**
 * The {@code StorageBucket} interface: the view that script has of a bucket. Each {@code open()}
 * returns a new object.
 *
 * @see <a href="https://wicg.github.io/storage-buckets/#storagebucket">Storage Buckets</a>
 */
public final class StorageBucket extends PlatformObject {

  private final Bucket bucket;

  StorageBucket(Realm realm, Bucket bucket) {
    super(realm);
    this.bucket = bucket;
  }

  /** Returns the bucket, which may have been removed. */
  public Bucket bucket() {
    return bucket;
  }

  /**
   * Returns the bucket for an operation.
   *
   * @throws ScriptException an UnknownError if the bucket was removed, as in the web-platform-tests
   *     and Chromium, the only browser with buckets; the specification throws an InvalidStateError
   */
  private Bucket existing(String operation) {
    if (bucket.isRemoved()) {
      throw ScriptException.dom(
          "UnknownError",
          "Failed to execute '" + operation + "' on 'StorageBucket': The bucket was deleted.");
    }
    return bucket;
  }

  /** <a href="https://wicg.github.io/storage-buckets/#dom-storagebucket-persist">persist()</a> */
  private IdlPromise persist() {
    return StorageManager.settleInTask(
        this, "persist()", () -> existing("persist").requestPersistence());
  }

  /**
   * <a href="https://wicg.github.io/storage-buckets/#dom-storagebucket-persisted">persisted()</a>
   */
  private IdlPromise persisted() {
    return StorageManager.settleInTask(
        this, "persisted()", () -> existing("persisted").isPersistent());
  }

  /** <a href="https://wicg.github.io/storage-buckets/#dom-storagebucket-estimate">estimate()</a> */
  private IdlPromise estimate() {
    Bucket counted = existing("estimate"); // fails at once; the others reject in a task
    return StorageManager.resolveInTask(
        this, "estimate()", StorageManager.estimate(counted.quota(), counted.usage()));
  }

  private IdlPromise durability() {
    return StorageManager.settleInTask(
        this, "durability()", () -> existing("durability").durability().idlValue());
  }

  /**
   * <a href="https://wicg.github.io/storage-buckets/#dom-storagebucket-setexpires">setExpires()</a>
   */
  private IdlPromise setExpires(Arguments args) {
    double expires = args.number(0);
    return StorageManager.settleInTask(
        this,
        "setExpires()",
        () -> {
          existing("setExpires").setExpires(expires);
          return binding().values().undefined();
        });
  }

  /** <a href="https://wicg.github.io/storage-buckets/#dom-storagebucket-expires">expires()</a> */
  private IdlPromise expires() {
    return StorageManager.settleInTask(this, "expires()", () -> existing("expires").expires());
  }

  static void define(Implementations implementations) {
    implementations
        .implement("StorageBucket", StorageBucket.class)
        .getter("name", self -> self.bucket.name())
        .operation("persist", (self, args) -> self.persist())
        .operation("persisted", (self, args) -> self.persisted())
        .operation("estimate", (self, args) -> self.estimate())
        .operation("durability", (self, args) -> self.durability())
        .operation("setExpires", StorageBucket::setExpires)
        .operation("expires", (self, args) -> self.expires());
  }
}
