package dev.weblocks.serviceworkers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Callbacks;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.fetch.FetchInterceptor;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service workers of a user agent, their registrations and their clients; a supplement of the
 * user agent. Thread-safe.
 *
 * <p>All state is guarded by this object's monitor. Only steps of one parallel queue change
 * registrations and workers. A step does not call other components: it {@linkplain #send sends}
 * effects, which run after the step has released the monitor. A notification of a change has a
 * version; a realm that has already read a newer state ignores the notification.
 */
public final class ServiceWorkers {

  private final UserAgent userAgent;
  private final ServiceWorkerQueue queue;
  private final Registrations registrations = new Registrations(this);
  private final Jobs jobs = new Jobs(this, registrations);
  private final FetchHandling fetchHandling = new FetchHandling(this);
  private final WorkerRuns runs;

  // guarded by this

  /** The clients, by environment id, in order of creation. */
  private final Map<String, ServiceWorkerClient> clients = new LinkedHashMap<>();

  private final List<Runnable> outbox = new ArrayList<>();
  private boolean inStep;

  private ServiceWorkers(UserAgent userAgent) {
    this.userAgent = userAgent;
    this.queue = new ServiceWorkerQueue(userAgent);
    this.runs = new WorkerRuns(this, userAgent);
  }

  /**
   * Attaches the service worker queue to the driver of a user agent. Called once, before any other
   * actor is attached: the order of actors is part of each schedule.
   */
  public static void attachTo(UserAgent userAgent) {
    userAgent.supplements().put(ServiceWorkers.class, new ServiceWorkers(userAgent));
  }

  /** Returns the service workers of a user agent. */
  public static ServiceWorkers of(UserAgent userAgent) {
    return userAgent.supplements().require(ServiceWorkers.class);
  }

  static ServiceWorkers of(Realm realm) {
    return of(realm.agent().userAgent());
  }

  /** Returns the interceptor for the fetches of this user agent. */
  public FetchInterceptor interceptor() {
    return fetchHandling;
  }

  Jobs jobs() {
    return jobs;
  }

  Registrations registrations() {
    return registrations;
  }

  WorkerRuns runs() {
    return runs;
  }

  /**
   * Stops each service worker that has no pending event and holds no lock. The next event starts it
   * again. Callable on any thread; returns at once.
   */
  public void stopIdle() {
    runs.stopIdle();
  }

  /**
   * Stops all service workers, even while their script runs; events in flight fail. The next event
   * starts them again. Callable on any thread; returns at once.
   */
  public void stopAll() {
    runs.stopAll();
  }

  // Steps

  /** Enqueues a step of the service worker queue. Callable on any thread. */
  void enqueue(String label, Runnable step) {
    queue.enqueue(
        label,
        () -> {
          List<Runnable> effects;
          synchronized (this) {
            inStep = true;
            try {
              step.run();
            } finally {
              inStep = false;
              effects = List.copyOf(outbox);
              outbox.clear();
            }
          }
          runAll(effects);
        });
  }

  /** Runs all effects of a step, even if one throws: other code may wait for any of them. */
  private static void runAll(List<Runnable> effects) {
    Throwable failure = null;
    for (Runnable effect : effects) {
      try {
        effect.run();
      } catch (RuntimeException | Error thrown) {
        if (failure == null) {
          failure = thrown;
        } else {
          failure.addSuppressed(thrown);
        }
      }
    }
    Callbacks.rethrow(failure);
  }

  /**
   * Adds an effect, such as a call to another component, to the current step of the service worker
   * queue. The effect runs after this step and before the next, without the monitor.
   */
  void send(Runnable effect) {
    assertInStep();
    outbox.add(effect);
  }

  void assertInStep() {
    if (!inStep) {
      throw new IllegalStateException("not in a step of the service worker queue; enqueue one");
    }
  }

  /** Queues a task after the current step. Called in a step of the service worker queue. */
  void queueTask(Realm realm, String label, Runnable steps) {
    send(() -> realm.queueTask(TaskSource.DOM_MANIPULATION, label, steps));
  }

  /** Settles a promise in a task of its realm. Called in a step of the service worker queue. */
  void settle(IdlPromise promise, String label, Consumer<IdlPromise> how) {
    queueTask(promise.realm(), label, () -> how.accept(promise));
  }

  /** Rejects a promise in a task of its realm. Called in a step of the service worker queue. */
  void reject(IdlPromise promise, String label, ScriptException reason) {
    settle(promise, label, rejected -> rejected.reject(reason));
  }

  /**
   * Starts a fetch after the current step. Calls {@code then} in a later step, with null for a
   * network error. Called in a step of the service worker queue.
   */
  void fetch(FetchRequest request, Consumer<@Nullable FetchResponse> then) {
    send(() ->
        Fetcher.start(userAgent, request)
            .response()
            .whenComplete((response, failure) ->
                enqueue(
                    (failure == null ? "response " : "network error ") + request.url(),
                    () -> then.accept(failure == null ? response : null))));
  }

  // Reads by realms

  /** Returns the worker that controls a realm; null for none. Adds the realm as an observer. */
  synchronized WorkerRecord.@Nullable Snapshot controllerOf(Realm realm) {
    registrations.observe(realm);
    ServiceWorkerClient client = clients.get(realm.settings().id());
    WorkerRecord worker = client == null ? null : client.activeServiceWorker();
    return worker == null ? null : registrations.snapshotFor(realm, worker);
  }

  // Environments

  /**
   * Adds a new environment as a client, if it is a window, dedicated or shared worker in a secure
   * context. Keeps the controller of the reserved client. Called on the event loop of the
   * environment.
   */
  void environmentCreated(Realm realm) {
    StorageKey key = StorageKey.obtain(realm.settings());
    if (key == null || !realm.settings().secureContext()) {
      return;
    }
    addClient(realm, key);
    realm.onDiscard(() -> environmentDiscarded(realm, key));
  }

  /**
   * Gives the client of an environment the current creation URL, and the controller of the reserved
   * client with its id. Called on the event loop of the environment.
   */
  void environmentReused(Realm realm) {
    StorageKey key = StorageKey.obtain(realm.settings());
    if (key == null || !realm.settings().secureContext()) {
      return;
    }
    addClient(realm, key);
    ServiceWorkerContainer container = ServiceWorkerContainer.find(realm);
    if (container != null) {
      container.readController();
    }
  }

  private void addClient(Realm realm, StorageKey key) {
    ServiceWorkerClient.Type type = clientType(realm.settings().globalNames());
    if (type == null) {
      return;
    }
    String id = realm.settings().id();
    UrlRecord creationUrl = UrlParser.parseAbsolute(realm.settings().creationUrl());
    synchronized (this) {
      ServiceWorkerClient before = clients.get(id);
      WorkerRecord controller =
          before == null || !before.storageKey().equals(key) ? null : before.activeServiceWorker();
      clients.put(id, ServiceWorkerClient.of(realm, key, creationUrl, type, controller));
    }
  }

  private static ServiceWorkerClient.@Nullable Type clientType(Set<String> globalNames) {
    return globalNames.contains("Window")
        ? ServiceWorkerClient.Type.WINDOW
        : globalNames.contains("DedicatedWorker")
            ? ServiceWorkerClient.Type.WORKER
            : globalNames.contains("SharedWorker") ? ServiceWorkerClient.Type.SHARED_WORKER : null;
  }

  private void environmentDiscarded(Realm realm, StorageKey key) {
    synchronized (this) {
      registrations.forgetObserver(realm, key);
    }
    clientGone(realm.settings().id());
  }

  /** Removes a client whose environment is discarded. Callable on any thread. */
  void clientGone(String id) {
    boolean isControlled;
    synchronized (this) {
      ServiceWorkerClient client = clients.get(id);
      if (client == null) {
        return;
      }
      isControlled = client.activeServiceWorker() != null;
      if (!isControlled) {
        clients.remove(id);
      }
    }
    if (isControlled) {
      enqueue(
          "client gone",
          () -> {
            ServiceWorkerClient client = clients.remove(id);
            if (client != null) {
              registrations.handleServiceWorkerClientUnload(client);
            }
          });
    }
  }

  /**
   * Returns all clients of a storage key, also reserved ones. Called in a service worker queue
   * step.
   */
  List<ServiceWorkerClient> clients(StorageKey key) {
    assertInStep();
    return clients.values().stream().filter(client -> client.storageKey().equals(key)).toList();
  }

  /** Returns the client with an id; null for none. Called in a step of the service worker queue. */
  @Nullable ServiceWorkerClient client(String id) {
    assertInStep();
    return clients.get(id);
  }

  /** Reads the state under the monitor. {@code at} must be short and call no other component. */
  synchronized <T> T look(Supplier<T> at) {
    return at.get();
  }

  @Nullable ServiceWorkerClient clientUnderMonitor(String id) {
    return clients.get(id);
  }

  /**
   * Adds a reserved client; replaces a client with the same id. Called in a service worker queue
   * step.
   */
  void reserve(String id, StorageKey key, UrlRecord url, WorkerRecord controller) {
    assertInStep();
    ServiceWorkerClient before = clients.get(id);
    clients.put(id, ServiceWorkerClient.reserved(id, key, url, controller, before));
    if (before != null && before.realm() == null) {
      registrations.handleServiceWorkerClientUnload(before);
    }
  }

  /** Gives a reserved client another id; a no-op if there is none. Callable on any thread. */
  synchronized void renameReserved(String from, String to) {
    ServiceWorkerClient client = clients.get(from);
    if (from.equals(to) || client == null || client.realm() != null) {
      return;
    }
    removeReserved(client);
    clients.put(
        to,
        ServiceWorkerClient.reserved(
            to,
            client.storageKey(),
            client.creationUrl(),
            client.activeServiceWorker(),
            clients.get(to)));
  }

  private void removeReserved(ServiceWorkerClient client) {
    ServiceWorkerClient hidden = client.hidden();
    if (hidden == null) {
      clients.remove(client.id());
    } else {
      clients.put(client.id(), hidden);
    }
  }

  /** Returns whether an id is that of a reserved client. Called under the monitor. */
  boolean hasReserved(String id) {
    ServiceWorkerClient client = clients.get(id);
    return client != null && client.realm() == null;
  }

  /** Adds a reserved client with the controller of its creator, if there is one. Thread-safe. */
  synchronized void inheritController(String id, UrlRecord url, EnvironmentSettings creator) {
    ServiceWorkerClient from = clients.get(creator.id());
    WorkerRecord controller = from == null ? null : from.activeServiceWorker();
    if (from != null && controller != null) {
      clients.put(id, ServiceWorkerClient.reserved(id, from.storageKey(), url, controller, null));
    }
  }

  /** Removes a reserved client, unless its environment has been created. Callable on any thread. */
  void reservedDiscarded(String id) {
    if (look(() -> hasReserved(id))) {
      enqueue("reserved client gone", () -> forgetReserved(id));
    }
  }

  /**
   * Removes a reserved client, so that its environment gets no controller. Called in a step of the
   * service worker queue.
   */
  void forgetReserved(String id) {
    assertInStep();
    ServiceWorkerClient client = clients.get(id);
    if (client != null && client.realm() == null) {
      removeReserved(client);
      registrations.handleServiceWorkerClientUnload(client);
    }
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#notify-controller-change">Notify Controller
   * Change</a>. Called in a step of the service worker queue.
   */
  void setController(ServiceWorkerClient client, WorkerRecord worker) {
    client.setActiveServiceWorker(worker);
    Realm realm = client.realm();
    if (realm != null) {
      registrations.observe(realm);
      WorkerRecord.Snapshot shown = worker.snapshot(registrations.nextVersion());
      queueTask(
          realm,
          "controllerchange",
          () -> {
            ServiceWorkerContainer container = ServiceWorkerContainer.find(realm);
            if (container != null) { // else script has not read it yet
              container.controllerChanged(shown);
            }
          });
    }
  }

  /** Fetches a script for a service worker, from the network only. Callable on any thread. */
  CompletionStage<FetchResponse> fetchFromNetwork(FetchRequest request) {
    return Fetcher.start(userAgent, request.toBuilder().serviceWorkers(false).build()).response();
  }
}
