package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.serviceworkers.Registration.Slot;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ServiceWorkerRegistration} interface: the object of one realm for a {@link
 * Registration}.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#serviceworkerregistration-interface">Service
 *     Workers</a>
 */
final class ServiceWorkerRegistration extends EventTarget {

  private final Registration registration;
  private final Map<Slot, ServiceWorker> workers = new EnumMap<>(Slot.class);
  private final long version;

  ServiceWorkerRegistration(Realm realm, Registration.Snapshot shown) {
    super(realm);
    this.registration = shown.registration();
    this.version = shown.version();
    ServiceWorkerObjects objects = ServiceWorkerObjects.of(realm);
    for (Slot slot : Slot.values()) {
      set(slot, objects.workerOrNull(shown.in(slot)));
    }
  }

  /** Creates an object without workers and with version -1, so that every change applies. */
  ServiceWorkerRegistration(Realm realm, Registration registration) {
    super(realm);
    this.registration = registration;
    this.version = -1;
  }

  private void set(Slot slot, @Nullable ServiceWorker worker) {
    if (worker == null) {
      workers.remove(slot);
    } else {
      workers.put(slot, worker);
    }
  }

  /** Runs the task of Update Registration State. */
  void changed(long at, Slot slot, @Nullable ServiceWorker worker) {
    if (at > version) {
      set(slot, worker);
    }
  }

  /** Runs the task of step 9 of Install. */
  void updateFound() {
    fire(new Event(realm(), "updatefound", false, false));
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#service-worker-registration-update">update()</a>
   */
  private IdlPromise update() {
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 2.
    WorkerRecord newestWorker = serviceWorkers.look(registration::newestWorker);
    // 3.
    if (newestWorker == null) {
      throw invalidState("The registration has no worker to update.");
    }
    // 4.
    if (realm().supplements().find(ServiceWorkerGlobalScope.class)
            instanceof ServiceWorkerGlobalScope global
        && global.worker().state() == ServiceWorkerState.INSTALLING) {
      throw invalidState("A worker that is being installed cannot update its registration.");
    }
    // 5. to 9.
    IdlPromise promise = binding().promises().newPromise();
    serviceWorkers
        .jobs()
        .scheduleJob(
            Job.update(serviceWorkers, registration, realm().settings(), newestWorker, promise));
    return promise;
  }

  private static ScriptException invalidState(String why) {
    return ScriptException.dom(
        "InvalidStateError", "Failed to update a ServiceWorkerRegistration: " + why);
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#navigator-service-worker-unregister">unregister()</a>
   */
  private IdlPromise unregister() {
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    IdlPromise promise = binding().promises().newPromise();
    serviceWorkers
        .jobs()
        .scheduleJob(Job.unregister(serviceWorkers, registration, realm().settings(), promise));
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ServiceWorkerRegistration", ServiceWorkerRegistration.class)
        .getter("installing", self -> self.workers.get(Slot.INSTALLING))
        .getter("waiting", self -> self.workers.get(Slot.WAITING))
        .getter("active", self -> self.workers.get(Slot.ACTIVE))
        .getter("scope", self -> self.registration.scopeUrl().href())
        .getter("updateViaCache", self -> self.registration.updateViaCache().idlValue())
        .operation("update", (self, args) -> self.update())
        .operation("unregister", (self, args) -> self.unregister());
  }
}
