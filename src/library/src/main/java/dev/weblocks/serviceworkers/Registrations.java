package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.serviceworkers.Registration.Slot;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlRecord;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of a user agent, the algorithms that install, activate and clear their workers,
 * and the realms that observe them. The monitor of {@link ServiceWorkers} guards all state. Methods
 * are called in steps of the service worker queue unless they say otherwise.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#algorithms">Service Workers: Algorithms</a>
 */
final class Registrations {

  private final ServiceWorkers serviceWorkers;

  /** The registrations, by storage key and serialized scope URL, in order of creation. */
  private final Map<StorageKey, Map<String, Registration>> scopeToRegistration =
      new LinkedHashMap<>();

  /** The realms to notify of changes: they have read a registration or worker of the key. */
  private final Map<StorageKey, Set<Realm>> observers = new LinkedHashMap<>();

  private long version;

  Registrations(ServiceWorkers serviceWorkers) {
    this.serviceWorkers = serviceWorkers;
  }

  /**
   * Adds a realm as an observer of all changes to the registrations of its storage key. Called
   * under the monitor.
   */
  void observe(Realm realm) {
    StorageKey key = StorageKey.obtain(realm.settings());
    if (key == null || realm.isDiscarded()) {
      return;
    }
    observers.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(realm);
  }

  /** Removes an observer. Called under the monitor. */
  void forgetObserver(Realm realm, StorageKey key) {
    Set<Realm> observing = observers.get(key);
    if (observing != null && observing.remove(realm) && observing.isEmpty()) {
      observers.remove(key);
    }
  }

  /**
   * Returns the state of a registration for a realm, and adds the realm as an observer. Any thread.
   */
  Registration.Snapshot snapshotFor(Realm realm, Registration registration) {
    return serviceWorkers.look(() -> {
      observe(realm);
      return registration.snapshot(version);
    });
  }

  /** Returns the state of a worker for a realm, and adds the realm as an observer. Any thread. */
  WorkerRecord.Snapshot snapshotFor(Realm realm, WorkerRecord worker) {
    return serviceWorkers.look(() -> {
      observe(realm);
      return worker.snapshot(version);
    });
  }

  /** Returns the number of changes to registrations, workers and controllers so far. Any thread. */
  long version() {
    return serviceWorkers.look(() -> version);
  }

  /** Counts a change, and returns the new number of changes. */
  long nextVersion() {
    return ++version;
  }

  private void tellObservers(StorageKey key, String label, Consumer<ServiceWorkerObjects> news) {
    for (Realm realm : observers.getOrDefault(key, Set.of())) {
      serviceWorkers.queueTask(realm, label, () -> news.accept(ServiceWorkerObjects.of(realm)));
    }
  }

  /** Returns whether there is a registration of a storage key. Any thread. */
  boolean has(StorageKey key) {
    return serviceWorkers.look(() -> scopeToRegistration.containsKey(key));
  }

  /** Returns the registrations of a storage key, oldest first. */
  List<Registration> of(StorageKey key) {
    serviceWorkers.assertInStep();
    return List.copyOf(scopeToRegistration.getOrDefault(key, Map.of()).values());
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#get-registration">Get Registration</a>. */
  @Nullable Registration getRegistration(StorageKey key, UrlRecord scope) {
    serviceWorkers.assertInStep();
    return scopeToRegistration.getOrDefault(key, Map.of()).get(scope.href());
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#set-registration">Set Registration</a>. */
  Registration setRegistration(Registration registration) {
    serviceWorkers.assertInStep();
    scopeToRegistration
        .computeIfAbsent(registration.storageKey(), k -> new LinkedHashMap<>())
        .put(registration.scopeUrl().href(), registration);
    return registration;
  }

  /** Removes a registration from the scope to registration map. */
  void removeRegistration(Registration registration) {
    serviceWorkers.assertInStep();
    Map<String, Registration> ofKey = scopeToRegistration.get(registration.storageKey());
    if (ofKey != null
        && ofKey.remove(registration.scopeUrl().href(), registration)
        && ofKey.isEmpty()) {
      scopeToRegistration.remove(registration.storageKey());
    }
  }

  /**
   * Returns whether a registration is <a
   * href="https://w3c.github.io/ServiceWorker/#service-worker-registration-unregistered">
   * unregistered</a>.
   */
  boolean isUnregistered(Registration registration) {
    return getRegistration(registration.storageKey(), registration.scopeUrl()) != registration;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#scope-match-algorithm">Match Service Worker
   * Registration</a>; null for none. Also called under the monitor alone.
   */
  @Nullable Registration matchServiceWorkerRegistration(StorageKey key, UrlRecord clientUrl) {
    // 2.
    String url = clientUrl.href();
    // 3. to 6.: the longest match; a scope of another origin cannot match, since a slash ends the
    // origin
    Registration longest = null;
    for (Map.Entry<String, Registration> each :
        scopeToRegistration.getOrDefault(key, Map.of()).entrySet()) {
      if (url.startsWith(each.getKey())
          && (longest == null || each.getKey().length() > longest.scopeUrl().href().length())) {
        longest = each.getValue();
      }
    }
    return longest;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#update-registration-state">Update Registration
   * State</a>.
   */
  void updateRegistrationState(
      Registration registration, Slot target, @Nullable WorkerRecord source) {
    // 2. to 4.
    registration.setWorker(target, source);
    long at = nextVersion();
    WorkerRecord.Snapshot shown = source == null ? null : source.snapshot(at);
    // in tasks
    tellObservers(
        registration.storageKey(),
        "registration " + target.name().toLowerCase(Locale.ROOT),
        objects -> objects.registrationChanged(registration, at, target, shown));
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#update-state">Update Worker State</a>. */
  void updateWorkerState(WorkerRecord worker, ServiceWorkerState state) {
    // 2.
    List<Runnable> waiting = worker.setState(state);
    WorkerRecord.Snapshot shown = worker.snapshot(nextVersion());
    // 3. and 4.
    tellObservers(
        worker.registration().storageKey(),
        "service worker " + state.idlValue(),
        objects -> objects.workerChanged(shown));
    waiting.forEach(Runnable::run);
  }

  /**
   * Queues tasks that fire {@code updatefound} at all objects of a registration. Called in a step
   * of the service worker queue.
   */
  void tellOfUpdate(Registration registration) {
    tellObservers(
        registration.storageKey(), "updatefound", objects -> objects.updateFound(registration));
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#installation-algorithm">Install</a> */
  void install(Job job, WorkerRecord worker, Registration registration) {
    // 2.
    WorkerRecord newestWorker = registration.newestWorker();
    // 3.
    registration.setUpdateViaCache(job.updateViaCache());
    // 4. and 5.
    updateRegistrationState(registration, Slot.INSTALLING, worker);
    updateWorkerState(worker, ServiceWorkerState.INSTALLING);
    // 7.
    job.resolve(registration);
    // 8. and 9.
    tellOfUpdate(registration);
    // 11.
    serviceWorkers
        .runs()
        .runAndDispatch(
            worker,
            TaskSource.DOM_MANIPULATION,
            new WorkerRun.Dispatch(
                "install",
                global -> new ExtendableEvent(global.realm(), "InstallEvent", "install", false),
                rejected -> installed(job, worker, registration, newestWorker, !rejected),
                discarded -> installed(job, worker, registration, newestWorker, false)));
  }

  private void endAsRedundant(WorkerRecord worker) {
    serviceWorkers.runs().terminateServiceWorker(worker);
    updateWorkerState(worker, ServiceWorkerState.REDUNDANT);
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
      updateWorkerState(worker, ServiceWorkerState.REDUNDANT);
      updateRegistrationState(registration, Slot.INSTALLING, null);
      serviceWorkers.runs().terminateServiceWorker(worker); // no script can reach it any more
      if (newestWorker == null) {
        removeRegistration(registration);
      }
      job.finish();
      return;
    }
    // 13.
    worker.dropUnusedScripts();
    // 14.
    WorkerRecord waiting = registration.worker(Slot.WAITING);
    if (waiting != null) {
      endAsRedundant(waiting);
    }
    // 15. to 17.
    updateRegistrationState(registration, Slot.WAITING, worker);
    updateRegistrationState(registration, Slot.INSTALLING, null);
    updateWorkerState(worker, ServiceWorkerState.INSTALLED);
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
      endAsRedundant(previous);
    }
    // 3. to 5.
    updateRegistrationState(registration, Slot.ACTIVE, worker);
    updateRegistrationState(registration, Slot.WAITING, null);
    updateWorkerState(worker, ServiceWorkerState.ACTIVATING);
    // 6. and 7.
    for (ServiceWorkerClient client : serviceWorkers.clients(registration.storageKey())) {
      Realm realm = client.realm();
      if (realm != null
          && matchServiceWorkerRegistration(registration.storageKey(), client.creationUrl())
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
                global -> new ExtendableEvent(global.realm(), "ExtendableEvent", "activate", false),
                rejected -> activated(worker),
                discarded -> activated(worker)));
  }

  /** Runs step 11 of Activate, even if the activate event failed. */
  private void activated(WorkerRecord worker) {
    if (worker.state() == ServiceWorkerState.ACTIVATING) { // else it has become redundant
      updateWorkerState(worker, ServiceWorkerState.ACTIVATED);
      tryActivate(worker.registration());
    }
  }

  /** Queues a task that resolves the ready promise of a realm if it is pending. */
  void queueResolveReady(Realm realm, Registration registration) {
    Registration.Snapshot shown = snapshotFor(realm, registration);
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
    if (isUnregistered(registration)) {
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
        endAsRedundant(redundantWorker);
        updateRegistrationState(registration, slot, null);
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
      if (matchServiceWorkerRegistration(registration.storageKey(), client.creationUrl())
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
