package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.fetch.NetworkErrorException;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.workers.RunWorker;
import dev.weblocks.workers.WorkerGlobalScope;
import java.util.Objects;
import java.util.Set;

/**
 * The {@code ServiceWorkerGlobalScope} interface. A supplement of its realm, too.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#serviceworkerglobalscope-interface">Service
 *     Workers</a>
 */
final class ServiceWorkerGlobalScope extends WorkerGlobalScope {

  private final WorkerRecord worker;
  private final Clients clients;
  private final ServiceWorkerRegistration registration;
  private final ServiceWorker serviceWorker;

  private ServiceWorkerGlobalScope(Realm realm, WorkerRecord worker) {
    super(realm);
    this.worker = worker;
    this.clients = new Clients(realm, worker);
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm);
    ServiceWorkerObjects objects = ServiceWorkerObjects.of(realm);
    this.registration =
        objects.registration(serviceWorkers.snapshotFor(realm, worker.registration()));
    this.serviceWorker = objects.worker(serviceWorkers.snapshotFor(realm, worker));
    realm.supplements().put(ServiceWorkerGlobalScope.class, this);
  }

  /** The global of the realm of a service worker. */
  static ServiceWorkerGlobalScope ofRealm(Realm realm) {
    return realm.supplements().require(ServiceWorkerGlobalScope.class);
  }

  /** The service worker that this is a global of. Any thread. */
  WorkerRecord worker() {
    return worker;
  }

  /**
   * Makes the global of a run and runs its script. On the event loop of its agent.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#run-service-worker">Run Service Worker</a>,
   *     step 8
   */
  static void run(WorkerRun run, Agent agent) {
    WorkerRecord worker = run.worker();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(agent.userAgent());
    // 8.2. to 8.4.
    ServiceWorkerGlobalScope global =
        RunWorker.createGlobal(
            agent,
            new EnvironmentSettings(
                agent.userAgent().ids().nextUuid(),
                worker.scriptUrl().href(),
                Objects.requireNonNull(worker.scriptUrl().tupleOrigin()),
                worker.registration().topLevelOrigin(),
                true,
                Set.of("Worker", "ServiceWorker")),
            realm -> new ServiceWorkerGlobalScope(realm, worker));
    run.setGlobal(global);
    // 8.9. and 8.10.
    RunWorker.runScript(
        global,
        Objects.requireNonNull(worker.scriptResource(worker.scriptUrl().href())),
        succeeded -> serviceWorkers.startedOnLoop(run, succeeded, global.hasListener("fetch")));
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#dom-serviceworkerglobalscope-skipwaiting">
   * skipWaiting()</a>
   */
  private IdlPromise skipWaiting() {
    // 1.
    IdlPromise promise = binding().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 2.
    serviceWorkers.enqueue(
        "skip waiting",
        () -> {
          worker.setSkipWaiting();
          serviceWorkers.lifecycle().tryActivate(worker.registration());
          serviceWorkers.settle(promise, "skip waiting", IdlPromise::resolve);
        });
    // 3.
    return promise;
  }

  /**
   * Scripts come from the network only until the worker is installed, and are kept.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#importscripts">importScripts()</a>
   */
  @Override
  protected FetchResponse fetchImportedScript(UrlRecord url) throws NetworkErrorException {
    String key = url.withFragment(null).href();
    // 2. and 3.
    FetchResponse kept = worker.scriptResource(key);
    if (kept != null) {
      worker.useScript(key);
      return kept;
    }
    // 4.
    ServiceWorkerState state = worker.state();
    if (state != ServiceWorkerState.PARSED && state != ServiceWorkerState.INSTALLING) {
      throw new NetworkErrorException(
          url + " was not imported before the service worker was installed");
    }
    // 5. and 6.
    FetchResponse response = super.fetchImportedScript(url);
    // 7. to 10.
    if (response.ok() && JavaScriptMimeType.isTypeOf(response)) {
      worker.addScriptResource(key, response);
    }
    return response;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ServiceWorkerGlobalScope", ServiceWorkerGlobalScope.class)
        .getter("clients", self -> self.clients)
        .getter("registration", self -> self.registration)
        .getter("serviceWorker", self -> self.serviceWorker)
        .operation("skipWaiting", (self, args) -> self.skipWaiting())
        .with(self -> EventHandlers.define(self, "oninstall"))
        .with(self -> EventHandlers.define(self, "onactivate"))
        .with(self -> EventHandlers.define(self, "onfetch"))
        .with(self -> EventHandlers.define(self, "onmessage"))
        .with(self -> EventHandlers.define(self, "onmessageerror"));
  }
}
