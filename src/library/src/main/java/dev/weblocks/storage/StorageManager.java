package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.DictionaryValue;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code StorageManager} interface: {@code navigator.storage}.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storagemanager">Storage Standard</a>
 */
final class StorageManager extends PlatformObject {

  private StorageManager(Realm realm) {
    super(realm);
  }

  private static StorageManager of(Realm realm) {
    return realm.supplements().get(StorageManager.class, () -> new StorageManager(realm));
  }

  /**
   * Runs steps now, and settles a promise with their outcome in a storage task.
   *
   * @param steps may throw a {@link ScriptException}, which rejects the promise
   * @see <a href="https://storage.spec.whatwg.org/#queue-a-storage-task">queue a storage task</a>
   */
  static IdlPromise settleInTask(
      PlatformObject object, String label, Supplier<? extends @Nullable Object> steps) {
    Object value;
    try {
      value = steps.get();
    } catch (ScriptException failure) {
      IdlPromise promise = object.binding().promises().newPromise();
      object.realm().queueTask(TaskSource.STORAGE, label, () -> promise.reject(failure));
      return promise;
    }
    return resolveInTask(object, label, value);
  }

  static IdlPromise resolveInTask(PlatformObject object, String label, @Nullable Object value) {
    IdlPromise promise = object.binding().promises().newPromise();
    object.realm().queueTask(TaskSource.STORAGE, label, () -> promise.resolve(value));
    return promise;
  }

  /** Returns the result of {@code estimate()} for a shelf or a bucket. */
  static DictionaryValue estimate(long quota, long usage) {
    return DictionaryValue.of("StorageEstimate", quota, usage);
  }

  /** Returns the shelf for an operation; throws a TypeError for an opaque origin. */
  private StorageShelf shelf(String operation) {
    StorageShelf shelf = StorageShed.obtainLocalStorageShelf(realm());
    if (shelf == null) {
      throw ScriptException.typeError(
          "Failed to execute '"
              + operation
              + "' on 'StorageManager': An opaque origin has no storage.");
    }
    return shelf;
  }

  /** <a href="https://storage.spec.whatwg.org/#dom-storagemanager-persisted">persisted()</a> */
  private IdlPromise persisted() {
    return resolveInTask(this, "persisted()", shelf("persisted").defaultBucket().isPersistent());
  }

  /** <a href="https://storage.spec.whatwg.org/#dom-storagemanager-persist">persist()</a> */
  private IdlPromise persist() {
    return resolveInTask(this, "persist()", shelf("persist").defaultBucket().requestPersistence());
  }

  /** <a href="https://storage.spec.whatwg.org/#dom-storagemanager-estimate">estimate()</a> */
  private IdlPromise estimate() {
    StorageShelf shelf = shelf("estimate");
    return resolveInTask(this, "estimate()", estimate(shelf.policy().shelfQuota(), shelf.usage()));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("StorageManager", StorageManager.class)
        .operation("persisted", (manager, args) -> manager.persisted())
        .operation("persist", (manager, args) -> manager.persist())
        .operation("estimate", (manager, args) -> manager.estimate());
    implementations
        .mixin("NavigatorStorage", PlatformObject.class)
        .getter("storage", navigator -> StorageManager.of(navigator.realm()));
  }
}
