package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.global.GlobalScope;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Storage} interface: {@code localStorage} and {@code sessionStorage} of a window.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html#the-storage-interface">
 *     HTML</a>
 */
public final class Storage extends PlatformObject implements StorageBottle.Watcher {

  /** Both {@code Storage} objects of a window; created with it, so that they get all changes. */
  private record OfWindow(Storage local, Storage session) {}

  private final StorageBottle bottle;

  private Storage(Realm realm, StorageBottle bottle) {
    super(realm);
    this.bottle = bottle;
    bottle.watch(this);
    realm.onDiscard(() -> bottle.unwatch(this));
  }

  /**
   * Installs the local storage of the realm's storage key, and a session storage, unless the origin
   * is opaque. Must be called once, on the event loop of the realm, after its interfaces are
   * installed; called for windows when they are created.
   */
  public static void install(Realm realm) {
    Bucket bucket = Bucket.defaultOf(realm);
    StorageKey key = StorageKey.obtain(realm.settings());
    if (bucket != null && key != null) {
      realm
          .supplements()
          .put(
              OfWindow.class,
              new OfWindow(
                  new Storage(realm, bucket.localStorage()),
                  new Storage(realm, SessionStorageShed.of(realm).bottle(key))));
    }
  }

  /** Returns the storage of a window; throws a SecurityError for an opaque origin. */
  private static OfWindow of(PlatformObject window, String attribute) {
    OfWindow found = window.realm().supplements().find(OfWindow.class);
    if (found == null) {
      throw ScriptException.dom(
          "SecurityError",
          "Failed to read the '"
              + attribute
              + "' property from 'Window': An opaque origin has no storage.");
    }
    return found;
  }

  private String url() {
    return realm().settings().creationUrl();
  }

  /** Queues a task that fires the storage event. Callable on any thread. */
  @Override
  public void changed(StorageBottle.Change change) {
    // 4.
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "storage",
            () ->
                GlobalScope.of(realm())
                    .fire(
                        new Event(realm(), "StorageEvent", "storage", false, false)
                            .with("key", change.key())
                            .with("oldValue", change.oldValue())
                            .with("newValue", change.newValue())
                            .with("url", change.url())
                            .with("storageArea", this)));
  }

  private @Nullable String key(Arguments args) {
    return bottle.name((long) args.number(0));
  }

  private void setItem(Arguments args) {
    String key = args.string(0);
    if (!bottle.set(key, args.string(1), this, url())) {
      throw ScriptException.dom(
          "QuotaExceededError",
          "Failed to execute 'setItem' on 'Storage': Setting the value of '"
              + key
              + "' exceeded the quota.");
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Storage", Storage.class)
        .getter("length", storage -> storage.bottle.size())
        .operation("key", Storage::key)
        .operation("getItem", (storage, args) -> storage.bottle.get(args.string(0)))
        .action("setItem", Storage::setItem)
        .action(
            "removeItem",
            (storage, args) -> storage.bottle.remove(args.string(0), storage, storage.url()))
        .action("clear", (storage, args) -> storage.bottle.clear(storage, storage.url()))
        .supportedNames(storage -> storage.bottle.names())
        .supportsName((storage, name) -> storage.bottle.contains(name));
    implementations
        .mixin("WindowLocalStorage", GlobalScope.class)
        .getter("localStorage", window -> of(window, "localStorage").local);
    implementations
        .mixin("WindowSessionStorage", GlobalScope.class)
        .getter("sessionStorage", window -> of(window, "sessionStorage").session);
  }
}
