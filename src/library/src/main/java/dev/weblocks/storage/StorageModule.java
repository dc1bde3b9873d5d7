package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.dom.Event;

/** The module that defines the storage interfaces. */
public final class StorageModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Storage.define(implementations);
    Event.implement(implementations, "StorageEvent");
    StorageManager.define(implementations);
    StorageBucketManager.define(implementations);
    StorageBucket.define(implementations);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    if (realm.settings().globalNames().contains("Window")) {
      Storage.install(realm);
    }
  }
}
