package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.html.PageVisibility;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/**
 * A service worker client: the environment of a window or worker, or an environment reserved for a
 * navigation or for a worker whose script is being fetched. Guarded by its {@link ServiceWorkers}.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-service-worker-client">service worker
 *     client</a>
 */
final class ServiceWorkerClient {

  /** <a href="https://w3c.github.io/ServiceWorker/#enumdef-clienttype">ClientType</a> */
  enum Type {
    WINDOW("window"),
    WORKER("worker"),
    SHARED_WORKER("sharedworker");

    private final String idlValue;

    Type(String idlValue) {
      this.idlValue = idlValue;
    }

    String idlValue() {
      return idlValue;
    }
  }

  /**
   * The properties of a {@link Client} object.
   *
   * @param id the environment id
   * @param visibilityState that of the document; of a worker without meaning
   */
  record Info(String id, String url, Type type, String visibilityState) {}

  private final String id;
  private final StorageKey storageKey;
  private final UrlRecord creationUrl;
  private final @Nullable Type type;
  private final @Nullable Realm realm;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#concept-environment-active-service-worker">active
   * service worker</a>
   */
  private @Nullable WorkerRecord activeServiceWorker;

  /**
   * The client that a reserved client hides, as long as a navigation may give its window another
   * document; else null.
   */
  private final @Nullable ServiceWorkerClient hidden;

  private ServiceWorkerClient(
      String id,
      StorageKey storageKey,
      UrlRecord creationUrl,
      @Nullable Type type,
      @Nullable Realm realm,
      @Nullable WorkerRecord activeServiceWorker,
      @Nullable ServiceWorkerClient hidden) {
    this.id = id;
    this.hidden = hidden;
    this.storageKey = storageKey;
    this.creationUrl = creationUrl;
    this.type = type;
    this.realm = realm;
    this.activeServiceWorker = activeServiceWorker;
  }

  /**
   * Creates a reserved client: an environment without a global yet.
   *
   * @param before the client that had the id; null for none
   */
  static ServiceWorkerClient reserved(
      String id,
      StorageKey storageKey,
      UrlRecord creationUrl,
      @Nullable WorkerRecord activeServiceWorker,
      @Nullable ServiceWorkerClient before) {
    return new ServiceWorkerClient(
        id,
        storageKey,
        creationUrl,
        null,
        null,
        activeServiceWorker,
        before == null || before.realm != null ? before : before.hidden);
  }

  static ServiceWorkerClient of(
      Realm realm,
      StorageKey storageKey,
      UrlRecord creationUrl,
      Type type,
      @Nullable WorkerRecord activeServiceWorker) {
    return new ServiceWorkerClient(
        realm.settings().id(), storageKey, creationUrl, type, realm, activeServiceWorker, null);
  }

  String id() {
    return id;
  }

  StorageKey storageKey() {
    return storageKey;
  }

  UrlRecord creationUrl() {
    return creationUrl;
  }

  /** Returns the realm; null for a reserved client, whose execution ready flag is not set. */
  @Nullable Realm realm() {
    return realm;
  }

  @Nullable ServiceWorkerClient hidden() {
    return hidden;
  }

  /** Returns the worker that controls this client; null for none. */
  @Nullable WorkerRecord activeServiceWorker() {
    return activeServiceWorker;
  }

  void setActiveServiceWorker(@Nullable WorkerRecord worker) {
    activeServiceWorker = worker;
  }

  /**
   * Returns whether this client <a href="https://w3c.github.io/ServiceWorker/#dfn-use">uses</a> a
   * registration.
   */
  boolean uses(Registration registration) {
    return activeServiceWorker != null && activeServiceWorker.registration() == registration;
  }

  /** Returns whether windows show this document and those that contain it; true for workers. */
  boolean isFullyActive() {
    if (realm == null) {
      return true;
    }
    GlobalScope global = realm.supplements().find(GlobalScope.class);
    return global != null && global.isFullyActive(); // null: the realm is still being made
  }

  /** Returns the properties that script sees; null for a reserved client. */
  @Nullable Info info() {
    return type == null || realm == null
        ? null
        : new Info(id, creationUrl.href(), type, PageVisibility.of(realm).state());
  }
}
