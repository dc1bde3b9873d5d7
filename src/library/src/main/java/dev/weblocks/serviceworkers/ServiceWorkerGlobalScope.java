package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.global.Reports;
import dev.weblocks.workers.RunWorker;
import dev.weblocks.workers.WorkerGlobalScope;
import java.util.Objects;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ServiceWorkerGlobalScope} interface. Also a supplement of its realm.
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
        objects.registration(
            serviceWorkers.registrations().snapshotFor(realm, worker.registration()));
    this.serviceWorker = objects.worker(serviceWorkers.registrations().snapshotFor(realm, worker));
    realm.supplements().put(ServiceWorkerGlobalScope.class, this);
  }

  static ServiceWorkerGlobalScope ofRealm(Realm realm) {
    return realm.supplements().require(ServiceWorkerGlobalScope.class);
  }

  /** Returns the service worker of this global. Callable on any thread. */
  WorkerRecord worker() {
    return worker;
  }

  /**
   * Creates the global of a run and runs the worker's script. Called on the agent's event loop.
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
                worker.registration().storageKey().crossSiteAncestor(),
                Set.of("Worker", "ServiceWorker")),
            realm -> new ServiceWorkerGlobalScope(realm, worker));
    run.setGlobal(global);
    serviceWorkers.runs().addEnvironment(run, global.realm());
    // 8.9. and 8.10.
    FetchResponse script = Objects.requireNonNull(worker.scriptResource(worker.scriptUrl().href()));
    switch (worker.type()) {
      case CLASSIC ->
          RunWorker.runScript(global, script, succeeded -> global.started(run, succeeded));
      case MODULE -> {
        global.forbidImportScripts();
        ModuleScripts.of(global.realm())
            .run(
                worker.scriptUrl().href(),
                script.text(),
                FetchRequest.Credentials.SAME_ORIGIN,
                global.new ModuleRun(run));
      }
    }
  }

  private void started(WorkerRun run, boolean succeeded) {
    ServiceWorkers.of(realm()).runs().startedOnLoop(run, succeeded, hasListener("fetch"));
  }

  /** The listener for a run of a module as the worker's script. Top-level await is an error. */
  private final class ModuleRun implements ModuleScripts.Listener {
    private final WorkerRun run;
    private boolean threw;

    ModuleRun(WorkerRun run) {
      this.run = run;
    }

    @Override
    public void onThrown() {
      threw = true;
    }

    @Override
    public void onStarted(boolean awaits) {
      if (awaits) {
        say("top-level await is not allowed in service workers");
      }
      started(run, !threw && !awaits);
    }

    @Override
    public void onFailed(@Nullable Value error, String reason) {
      say(error == null ? reason : binding().errors().text(error));
      started(run, false);
    }

    private void say(String why) {
      Reports.of(realm())
          .consoleMessage(
              realm(), "error", "service worker " + worker.scriptUrl() + " did not start: " + why);
    }
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#dom-serviceworkerglobalscope-skipwaiting">
   * skipWaiting()</a>
   */
  private IdlPromise skipWaiting() {
    // 1.
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 2.
    serviceWorkers.enqueue(
        "skip waiting",
        () -> {
          worker.setSkipWaiting();
          serviceWorkers.registrations().tryActivate(worker.registration());
          serviceWorkers.settle(promise, "skip waiting", IdlPromise::resolve);
        });
    // 3.
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ServiceWorkerGlobalScope", ServiceWorkerGlobalScope.class)
        .getter("clients", self -> self.clients)
        .getter("registration", self -> self.registration)
        .getter("serviceWorker", self -> self.serviceWorker)
        .operation("skipWaiting", (self, args) -> self.skipWaiting());
  }
}
