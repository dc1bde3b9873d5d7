package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.messaging.SerializedValue;

/**
 * The {@code Client} interface. Objects are not cached: every lookup creates a new one.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#client-interface">Service Workers</a>
 */
class Client extends PlatformObject {

  private final ServiceWorkerClient.Info info;

  private Client(Realm realm, ServiceWorkerClient.Info info) {
    super(realm);
    this.info = info;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#create-client">Create Client</a>, and <a
   * href="https://w3c.github.io/ServiceWorker/#create-windowclient">Create Window Client</a>
   */
  static Client of(Realm realm, ServiceWorkerClient.Info info) {
    return info.type() == ServiceWorkerClient.Type.WINDOW
        ? new OfWindow(realm, info)
        : new Client(realm, info);
  }

  /**
   * The {@code WindowClient} interface. No window has the focus.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#windowclient">Service Workers</a>
   */
  static final class OfWindow extends Client {
    private OfWindow(Realm realm, ServiceWorkerClient.Info info) {
      super(realm, info);
    }
  }

  final ServiceWorkerClient.Info info() {
    return info;
  }

  /** Returns the frame type. All windows are top-level and have no opener. */
  private String frameType() {
    return info.type() == ServiceWorkerClient.Type.WINDOW ? "top-level" : "none";
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#dom-client-postmessage-message-options">postMessage()</a>
   */
  private void postMessage(Arguments args) {
    // 3.
    SerializedValue message = ServiceWorker.serialize(args, "Client");
    WorkerRecord worker = ServiceWorkerGlobalScope.ofRealm(realm()).worker();
    String origin = realm().settings().origin().serialize();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 4.
    serviceWorkers.enqueue(
        "message to client",
        () -> {
          // 4.1. to 4.3.
          ServiceWorkerClient target = serviceWorkers.client(info.id());
          Realm to = target == null ? null : target.realm();
          if (to == null) {
            serviceWorkers.send(message::discard);
            return;
          }
          // 4.4. and 4.5.
          WorkerRecord.Snapshot source = serviceWorkers.registrations().snapshotFor(to, worker);
          serviceWorkers.send(() ->
              to.queueTask(
                  TaskSource.POSTED_MESSAGE,
                  "message from service worker",
                  () -> ServiceWorkerContainer.of(to).receive(message, origin, source)));
        });
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Client", Client.class)
        .getter("url", client -> client.info.url())
        .getter("frameType", Client::frameType)
        .getter("id", client -> client.info.id())
        .getter("type", client -> client.info.type().idlValue())
        .action("postMessage", Client::postMessage);
    implementations
        .implement("WindowClient", OfWindow.class)
        .getter("visibilityState", client -> client.info().visibilityState())
        .getter("focused", client -> false);
  }
}
