package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.serviceworkers.Registration.Slot;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects through which the scripts of one realm use registrations and service workers, one for
 * each. A supplement of the realm; used on its event loop.
 *
 * <p>A new object has the current state; after that, it changes only in tasks. A task for a change
 * that is older than the object has no effect.
 *
 * @see <a
 *     href="https://w3c.github.io/ServiceWorker/#environment-settings-object-service-worker-object-map">service
 *     worker object map</a>
 * @see <a
 *     href="https://w3c.github.io/ServiceWorker/#environment-settings-object-service-worker-registration-object-map">service
 *     worker registration object map</a>
 */
final class ServiceWorkerObjects {

  private final Realm realm;
  private final Map<WorkerRecord, ServiceWorker> workers = new IdentityHashMap<>();
  private final Map<Registration, ServiceWorkerRegistration> registrations =
      new IdentityHashMap<>();

  private ServiceWorkerObjects(Realm realm) {
    this.realm = realm;
  }

  static ServiceWorkerObjects of(Realm realm) {
    return realm
        .supplements()
        .get(ServiceWorkerObjects.class, () -> new ServiceWorkerObjects(realm));
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#get-the-service-worker-object">get the service
   * worker object</a>
   */
  ServiceWorker worker(WorkerRecord.Snapshot shown) {
    return workers.computeIfAbsent(shown.worker(), worker -> new ServiceWorker(realm, shown));
  }

  @Nullable ServiceWorker workerOrNull(WorkerRecord.@Nullable Snapshot shown) {
    return shown == null ? null : worker(shown);
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#get-the-service-worker-registration-object">get
   * the service worker registration object</a>
   */
  ServiceWorkerRegistration registration(Registration.Snapshot shown) {
    ServiceWorkerRegistration known = registrations.get(shown.registration());
    if (known == null) {
      known = new ServiceWorkerRegistration(realm, shown);
      registrations.put(shown.registration(), known);
    }
    return known;
  }

  void workerChanged(WorkerRecord.Snapshot shown) {
    worker(shown).changed(shown);
  }

  void registrationChanged(
      Registration registration, long version, Slot slot, WorkerRecord.@Nullable Snapshot shown) {
    ServiceWorkerRegistration known = registrations.get(registration);
    if (known == null) {
      known = new ServiceWorkerRegistration(realm, registration);
      registrations.put(registration, known);
    }
    known.changed(version, slot, workerOrNull(shown));
  }

  void updateFound(Registration registration) {
    ServiceWorkerRegistration known = registrations.get(registration);
    if (known != null) {
      known.updateFound();
    }
  }
}
