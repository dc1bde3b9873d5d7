package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.serviceworkers.ServiceWorkerClient.Info;
import dev.weblocks.storage.StorageKey;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The {@code Clients} interface.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#clients-interface">Service Workers</a>
 */
final class Clients extends PlatformObject {

  private final WorkerRecord worker;

  Clients(Realm realm, WorkerRecord worker) {
    super(realm);
    this.worker = worker;
  }

  private StorageKey storageKey() {
    return worker.registration().storageKey();
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#clients-get">get()</a> */
  private IdlPromise get(String id) {
    // 1.
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 2.
    serviceWorkers.enqueue(
        "get client",
        () -> {
          ServiceWorkerClient client = serviceWorkers.client(id);
          Info found =
              client == null || !client.storageKey().equals(storageKey()) ? null : client.info();
          serviceWorkers.settle(
              promise,
              "client",
              resolved -> {
                if (found == null) {
                  resolved.resolve();
                } else {
                  resolved.resolve(Client.of(realm(), found));
                }
              });
        });
    // 3.
    return promise;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#clients-matchall">matchAll()</a> */
  private IdlPromise matchAll(DictionaryView options) {
    boolean includeUncontrolled = options.bool("includeUncontrolled");
    String type = options.string("type");
    // 1.
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    // 2.
    serviceWorkers.enqueue(
        "match clients",
        () -> {
          // 2.1. to 2.4.; a document that is kept for going back is not enumerable
          List<Info> matched =
              serviceWorkers.clients(storageKey()).stream()
                  .filter(ServiceWorkerClient::isFullyActive)
                  .filter(client -> includeUncontrolled || client.activeServiceWorker() == worker)
                  .map(ServiceWorkerClient::info)
                  .filter(Objects::nonNull)
                  .filter(info -> type.equals("all") || type.equals(info.type().idlValue()))
                  .toList();
          // 2.5.: windows first; none was ever focused, so all are in order of creation
          List<Info> sorted =
              Stream.concat(
                      matched.stream().filter(Clients::isWindow),
                      matched.stream().filter(info -> !isWindow(info)))
                  .toList();
          serviceWorkers.settle(
              promise,
              "clients",
              resolved ->
                  resolved.resolve(
                      binding()
                          .values()
                          .frozenArray(
                              sorted.stream().map(info -> Client.of(realm(), info)).toList())));
        });
    // 3.
    return promise;
  }

  private static boolean isWindow(Info info) {
    return info.type() == ServiceWorkerClient.Type.WINDOW;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#dom-clients-claim">claim()</a> */
  private IdlPromise claim() {
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    serviceWorkers.enqueue(
        "claim clients",
        () -> {
          // 1.
          if (worker.registration().worker(Registration.Slot.ACTIVE) != worker) {
            serviceWorkers.reject(
                promise,
                "claim",
                ScriptException.dom(
                    "InvalidStateError",
                    "Failed to execute 'claim' on 'Clients': Only the active worker can claim clients."));
            return;
          }
          // 3.
          serviceWorkers.registrations().claim(worker);
          serviceWorkers.settle(promise, "claimed", IdlPromise::resolve);
        });
    return promise;
  }

  private static IdlPromise matchAll(Clients self, Arguments args) {
    return self.matchAll(args.dictionary(0));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Clients", Clients.class)
        .operation("get", (self, args) -> self.get(args.string(0)))
        .operation("matchAll", Clients::matchAll)
        .operation("claim", (self, args) -> self.claim());
  }
}
