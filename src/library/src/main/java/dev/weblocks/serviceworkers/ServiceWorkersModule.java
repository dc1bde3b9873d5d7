package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module that defines the interfaces of service workers. */
public final class ServiceWorkersModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    ServiceWorker.define(implementations);
    ServiceWorkerRegistration.define(implementations);
    ServiceWorkerContainer.define(implementations);
    ServiceWorkerGlobalScope.define(implementations);
    Client.define(implementations);
    Clients.define(implementations);
    ExtendableEvent.define(implementations);
    FetchEvent.define(implementations);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    ServiceWorkers.of(realm).environmentCreated(realm);
  }
}
