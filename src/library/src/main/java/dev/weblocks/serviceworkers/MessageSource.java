package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.PlatformObject;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a message to a service worker, independent of any realm. Usable on any thread.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dom-extendablemessageevent-source">source</a>
 */
sealed interface MessageSource {

  /** A window, or a worker that is not a service worker. */
  record OfClient(ServiceWorkerClient.Info client) implements MessageSource {}

  record OfWorker(WorkerRecord worker) implements MessageSource {}

  /**
   * Returns the source for messages from a realm; null if the realm is neither a client nor a
   * service worker.
   */
  static @Nullable MessageSource of(Realm realm) {
    ServiceWorkerGlobalScope global = realm.supplements().find(ServiceWorkerGlobalScope.class);
    if (global != null) {
      return new OfWorker(global.worker());
    }
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm);
    ServiceWorkerClient.Info info =
        serviceWorkers.look(() -> {
          ServiceWorkerClient client = serviceWorkers.clientUnderMonitor(realm.settings().id());
          return client == null ? null : client.info();
        });
    return info == null ? null : new OfClient(info);
  }

  /** Returns the object that represents a source in the realm that receives the message. */
  static @Nullable PlatformObject object(Realm realm, @Nullable MessageSource source) {
    return switch (source) {
      case null -> null;
      case OfClient(ServiceWorkerClient.Info client) -> Client.of(realm, client);
      case OfWorker(WorkerRecord worker) ->
          ServiceWorkerObjects.of(realm)
              .worker(ServiceWorkers.of(realm).registrations().snapshotFor(realm, worker));
    };
  }
}
