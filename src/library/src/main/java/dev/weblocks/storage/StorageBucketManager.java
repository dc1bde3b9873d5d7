package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import java.util.function.Supplier;

/**
 * The {@code StorageBucketManager} interface: {@code navigator.storageBuckets}. Where the
 * specification and WPT differ, this class follows WPT and Chromium, the only browser with buckets.
 * All methods reject with a SecurityError for an opaque origin; {@code open()} and {@code delete()}
 * reject with a TypeError for an invalid name. {@code keys()} returns sorted names.
 *
 * @see <a href="https://wicg.github.io/storage-buckets/#storagebucketmanager">Storage Buckets</a>
 */
final class StorageBucketManager extends PlatformObject {

  /** {@code Number.MAX_SAFE_INTEGER}. */
  private static final double MOST = 0x1FFFFFFFFFFFFFp0;

  private StorageBucketManager(Realm realm) {
    super(realm);
  }

  private static StorageBucketManager of(Realm realm) {
    return realm
        .supplements()
        .get(StorageBucketManager.class, () -> new StorageBucketManager(realm));
  }

  /** Runs the checks with which every method begins; returns the shelf of the buckets. */
  private StorageShelf shelf(String failed) {
    if (!GlobalScope.of(realm()).isFullyActive()) {
      throw ScriptException.typeError(failed + "The document is not fully active.");
    }
    StorageShelf shelf = StorageShed.obtainLocalStorageShelf(realm());
    if (shelf == null) {
      throw ScriptException.dom(
          "SecurityError", failed + "Storage buckets are not available to an opaque origin.");
    }
    return shelf;
  }

  /**
   * Returns the name of a bucket, if it is valid.
   *
   * @throws ScriptException a TypeError if it is not valid
   * @see <a href="https://wicg.github.io/storage-buckets/#validate-a-bucket-name">bucket name</a>
   */
  private static String validated(String name, String failed) {
    if (!Bucket.isValidName(name)) {
      throw ScriptException.typeError(
          ("%sThe bucket name '%s' is not valid; use 1 to 64 lower-case letters,"
                  + " digits, '_' and '-', and begin with a letter or digit.")
              .formatted(failed, name));
    }
    return name;
  }

  /** <a href="https://wicg.github.io/storage-buckets/#dom-storagebucketmanager-open">open()</a> */
  private IdlPromise open(Arguments args) {
    String failed = "Failed to execute 'open' on 'StorageBucketManager': ";
    StorageShelf shelf = shelf(failed);
    String name = validated(args.string(0), failed);
    DictionaryView options = args.dictionary(1);
    Double expires = options.isPresent("expires") ? options.number("expires") : null;
    Double quota = options.isPresent("quota") ? options.number("quota") : null;
    Bucket.Durability durability = Bucket.Durability.fromIdl(options.string("durability"));
    boolean persisted = options.bool("persisted") && shelf.policy().grantsPersistence();
    Supplier<Bucket> steps =
        () -> {
          if (expires != null && expires < shelf.now()) {
            throw ScriptException.typeError(failed + "The bucket's expiration has passed.");
          }
          // the conversion has made a large number of a negative one
          if (quota != null && (quota < 1 || quota > MOST)) {
            throw ScriptException.typeError(
                failed + "The bucket's quota must lie between 1 and Number.MAX_SAFE_INTEGER.");
          }
          return shelf.openBucket(
              name, quota == null ? null : quota.longValue(), expires, durability, persisted);
        };
    SharedBuckets shared = shelf.shared();
    if (shared == null) {
      return StorageManager.settleInTask(
          this, "open()", () -> new StorageBucket(realm(), steps.get()));
    }
    IdlPromise promise = binding().promises().newPromise();
    openShared(shared, failed, steps, promise);
    return promise;
  }

  /**
   * Opens a bucket that user agents share. It may have been deleted elsewhere although this user
   * agent still has it; then it is opened again.
   */
  private void openShared(
      SharedBuckets shared, String failed, Supplier<Bucket> steps, IdlPromise promise) {
    Bucket bucket;
    try {
      StackReserve.requireForStep(); // before the first change
      bucket = steps.get();
    } catch (ScriptException failure) {
      realm().queueTask(TaskSource.STORAGE, "open()", () -> promise.reject(failure));
      return;
    }
    shared.check(
        bucket,
        answer ->
            realm()
                .queueTask(
                    TaskSource.STORAGE,
                    "open()",
                    () -> {
                      if (answer.isOpen()) {
                        promise.resolve(new StorageBucket(realm(), bucket));
                      } else if (answer.refusal() != null) {
                        promise.reject(refused(failed, answer.refusal()));
                      } else {
                        openShared(shared, failed, steps, promise);
                      }
                    }));
  }

  private static ScriptException refused(String failed, String why) {
    return ScriptException.dom("QuotaExceededError", failed + why);
  }

  /** <a href="https://wicg.github.io/storage-buckets/#dom-storagebucketmanager-keys">keys()</a> */
  private IdlPromise keys() {
    return StorageManager.resolveInTask(
        this,
        "keys()",
        shelf("Failed to execute 'keys' on 'StorageBucketManager': ").bucketNames());
  }

  /**
   * <a href="https://wicg.github.io/storage-buckets/#dom-storagebucketmanager-delete">delete()</a>
   */
  private IdlPromise delete(Arguments args) {
    String failed = "Failed to execute 'delete' on 'StorageBucketManager': ";
    StorageShelf shelf = shelf(failed);
    String name = validated(args.string(0), failed);
    SharedBuckets shared = shelf.shared();
    if (shared == null) {
      shelf.deleteBucket(name);
      return StorageManager.resolveInTask(this, "delete()", binding().values().undefined());
    }
    StackReserve.requireForStep(); // before the first change
    shelf.deleteBucket(name);
    IdlPromise promise = binding().promises().newPromise();
    shared.delete(
        name,
        shelf.sharedKey(name),
        answer ->
            realm()
                .queueTask(
                    TaskSource.STORAGE,
                    "delete()",
                    () -> {
                      if (answer.refusal() == null) {
                        promise.resolve(binding().values().undefined());
                      } else {
                        promise.reject(refused(failed, answer.refusal()));
                      }
                    }));
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("StorageBucketManager", StorageBucketManager.class)
        .operation("open", StorageBucketManager::open)
        .operation("keys", (manager, args) -> manager.keys())
        .operation("delete", StorageBucketManager::delete);
    implementations
        .mixin("NavigatorStorageBuckets", PlatformObject.class)
        .getter("storageBuckets", navigator -> StorageBucketManager.of(navigator.realm()));
  }
}
