package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.serviceworkers.Registration.Slot;
import org.jspecify.annotations.Nullable;

/**
 * The algorithms that install, activate and clear workers. All methods are called in steps of the
 * service worker queue.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#algorithms">Service Workers: Algorithms</a>
 */
final class Lifecycle {

  private final ServiceWorkers serviceWorkers;

  Lifecycle(ServiceWorkers serviceWorkers) {
    this.serviceWorkers = serviceWorkers;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#installation-algorithm">Install</a> */
  void install(Job job, WorkerRecord worker, Registration registration) {
    // 2.
    WorkerRecord newestWorker = registration.newestWorker();
    // 3.
    registration.setUpdateViaCache(job.updateViaCache());
    // 4. and 5.
    serviceWorkers.updateRegistrationState(registration, Slot.INSTALLING, worker);
    serviceWorkers.updateWorkerState(worker, ServiceWorkerState.INSTALLING);
    // 7.
    job.resolve(registration);
    // 8. and 9.
    serviceWorkers.tellOfUpdate(registration);
    // 11.
    serviceWorkers
        .runs()
        .runAndDispatch(
            worker,
            TaskSource.DOM_MANIPULATION,
            new WorkerRun.Dispatch(
                "install",
                global -> new InstallEvent(global.realm(), "install"),
                rejected -> installed(job, worker, registration, newestWorker, !rejected),
                discarded -> installed(job, worker, registration, newestWorker, false)));
  }

  /** Runs steps 12 to 20 of Install. */
  private void installed(
      Job job,
      WorkerRecord worker,
      Registration registration,
      @Nullable WorkerRecord newestWorker,
      boolean succeeded) {
    // 12.
    if (!succeeded) {
      serviceWorkers.updateWorkerState(worker, ServiceWorkerState.REDUNDANT);
      serviceWorkers.updateRegistrationState(registration, Slot.INSTALLING, null);
      serviceWorkers.runs().terminateServiceWorker(worker); // no script can reach it any more
      if (newestWorker == null) {
        serviceWorkers.removeRegistration(registration);
      }
      job.finish();
      return;
    }
    // 13.
    worker.dropUnusedScripts();
    // 14.
    WorkerRecord waiting = registration.worker(Slot.WAITING);
    if (waiting != null) {
      serviceWorkers.runs().terminateServiceWorker(waiting);
      serviceWorkers.updateWorkerState(waiting, ServiceWorkerState.REDUNDANT);
    }
    // 15. to 17.
    serviceWorkers.updateRegistrationState(registration, Slot.WAITING, worker);
    serviceWorkers.updateRegistrationState(registration, Slot.INSTALLING, null);
    serviceWorkers.updateWorkerState(worker, ServiceWorkerState.INSTALLED);
    // 18.
    job.finish();
    // 19. is left out: tasks show each state to script in order, even when later ones are set
    // already
    // 20.
    tryActivate(registration);
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#try-activate-algorithm">Try Activate</a> */
  void tryActivate(Registration registration) {
    WorkerRecord waiting = registration.worker(Slot.WAITING);
    WorkerRecord active = registration.worker(Slot.ACTIVE);
    // 1.
    if (waiting == null) {
      return;
    }
    // 2.
    if (active != null && active.state() == ServiceWorkerState.ACTIVATING) {
      return;
    }
    // 3.
    if (active == null
        || (active.hasNoPendingEvents() && (!isUsed(registration) || waiting.skipWaiting()))) {
      activate(registration, waiting, active);
    }
  }

  private boolean isUsed(Registration registration) {
    return serviceWorkers.clients(registration.storageKey()).stream()
        .anyMatch(client -> client.uses(registration));
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#activation-algorithm">Activate</a> */
  private void activate(
      Registration registration, WorkerRecord worker, @Nullable WorkerRecord previous) {
    // 2.
    if (previous != null) {
      serviceWorkers.runs().terminateServiceWorker(previous);
      serviceWorkers.updateWorkerState(previous, ServiceWorkerState.REDUNDANT);
    }
    // 3. to 5.
    serviceWorkers.updateRegistrationState(registration, Slot.ACTIVE, worker);
    serviceWorkers.updateRegistrationState(registration, Slot.WAITING, null);
    serviceWorkers.updateWorkerState(worker, ServiceWorkerState.ACTIVATING);
    // 6. and 7.
    for (ServiceWorkerClient client : serviceWorkers.clients(registration.storageKey())) {
      Realm realm = client.realm();
      if (realm != null
          && serviceWorkers.matchServiceWorkerRegistration(
                  registration.storageKey(), client.creationUrl())
              == registration) {
        queueResolveReady(realm, registration);
      }
    }
    // 8.
    for (ServiceWorkerClient client : serviceWorkers.clients(registration.storageKey())) {
      if (client.uses(registration)) {
        serviceWorkers.setController(client, worker);
      }
    }
    // 10.
    serviceWorkers
        .runs()
        .runAndDispatch(
            worker,
            TaskSource.HANDLE_FUNCTIONAL_EVENT,
            new WorkerRun.Dispatch(
                "activate",
                global -> new ExtendableEvent(global.realm(), "activate"),
                rejected -> activated(worker),
                discarded -> activated(worker)));
  }

  /** Runs step 11 of Activate, even if the activate event failed. */
  private void activated(WorkerRecord worker) {
    if (worker.state() == ServiceWorkerState.ACTIVATING) { // else it has become redundant
      serviceWorkers.updateWorkerState(worker, ServiceWorkerState.ACTIVATED);
      tryActivate(worker.registration());
    }
  }

  /** Queues a task that resolves the ready promise of a realm if it is pending. */
  void queueResolveReady(Realm realm, Registration registration) {
    Registration.Snapshot shown = serviceWorkers.snapshotFor(realm, registration);
    serviceWorkers.queueTask(
        realm,
        "ready",
        () -> {
          ServiceWorkerContainer container = ServiceWorkerContainer.find(realm);
          if (container != null) {
            container.resolveReady(shown);
          }
        });
  }

  /** Tries to clear or activate a worker's registration, if the worker has no pending events. */
  void eventsOver(WorkerRecord worker) {
    if (worker.hasNoPendingEvents()) {
      clearOrActivate(worker.registration());
    }
  }

  private void clearOrActivate(Registration registration) {
    if (serviceWorkers.isUnregistered(registration)) {
      tryClearRegistration(registration);
    }
    tryActivate(registration);
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#on-client-unload-algorithm">Handle Service Worker
   * Client Unload</a>, for a client that has been removed or replaced.
   */
  void handleServiceWorkerClientUnload(ServiceWorkerClient client) {
    // 2. and 3.
    WorkerRecord worker = client.activeServiceWorker();
    if (worker != null) {
      leftBehind(worker.registration()); // 4. to 6.
    }
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#try-clear-registration-algorithm">Try Clear
   * Registration</a>
   */
  void tryClearRegistration(Registration registration) {
    if (isUsed(registration)) {
      return;
    }
    for (Slot slot : Slot.values()) {
      WorkerRecord worker = registration.worker(slot);
      if (worker != null && !worker.hasNoPendingEvents()) {
        return;
      }
    }
    clearRegistration(registration);
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#clear-registration-algorithm">Clear
   * Registration</a>
   */
  private void clearRegistration(Registration registration) {
    for (Slot slot : Slot.values()) {
      WorkerRecord redundantWorker = registration.worker(slot);
      if (redundantWorker != null) {
        serviceWorkers.runs().terminateServiceWorker(redundantWorker);
        serviceWorkers.updateWorkerState(redundantWorker, ServiceWorkerState.REDUNDANT);
        serviceWorkers.updateRegistrationState(registration, slot, null);
      }
    }
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#dom-clients-claim">claim()</a>, step 3. */
  void claim(WorkerRecord worker) {
    Registration registration = worker.registration();
    for (ServiceWorkerClient client : serviceWorkers.clients(registration.storageKey())) {
      // 3.1.
      if (client.realm() == null) {
        continue;
      }
      // 3.3. and 3.4.
      if (serviceWorkers.matchServiceWorkerRegistration(
              registration.storageKey(), client.creationUrl())
          != registration) {
        continue;
      }
      // 3.5.
      if (client.activeServiceWorker() != worker) {
        WorkerRecord before = client.activeServiceWorker();
        serviceWorkers.setController(client, worker);
        if (before != null && before.registration() != registration) {
          leftBehind(before.registration());
        }
      }
    }
  }

  /** Tries to clear or activate a registration, unless a client uses it. */
  private void leftBehind(Registration registration) {
    if (!isUsed(registration)) {
      clearOrActivate(registration);
    }
  }
}
