package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.messaging.PortHandle;
import dev.weblocks.storage.Site;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The shared workers of a user agent. Thread-safe: calls by pages take effect in order of arrival.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#shared-worker-manager">HTML</a>
 */
public final class SharedWorkerManager {

  /**
   * The properties that have to be equal for pages to share a worker.
   *
   * @param origin the origin of the page; with the next two components, the page's storage key
   * @param url the constructor URL
   * @see <a
   *     href="https://storage.spec.whatwg.org/#obtain-a-storage-key-for-non-storage-purposes">obtain
   *     a storage key for non-storage purposes</a>
   */
  private record Key(
      Origin origin, Site topLevelSite, boolean crossSiteAncestor, UrlRecord url, String name) {
    static Key of(EnvironmentSettings outside, UrlRecord url, WorkerOptions options) {
      return new Key(
          outside.origin(),
          Site.obtain(outside.topLevelOrigin()),
          outside.crossSiteAncestor(),
          url,
          options.name());
    }
  }

  /**
   * The ownership of shared workers by a realm. When the realm is discarded, those workers that
   * have no other owner are terminated.
   */
  private record Ownership(Realm owner, SharedWorkerManager manager) {
    Ownership {
      owner.onDiscard(() -> manager.ownerEnded(owner));
    }
  }

  /** The workers that are not closing. Guarded by this. */
  private final Map<Key, RunningSharedWorker> workers = new LinkedHashMap<>();

  private SharedWorkerManager() {}

  public static SharedWorkerManager of(UserAgent userAgent) {
    return userAgent.supplements().get(SharedWorkerManager.class, SharedWorkerManager::new);
  }

  /**
   * Runs step 11 of the constructor. Called on the event loop of the page.
   *
   * @param end the worker's end of the message channel
   * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#dom-sharedworker">HTML</a>
   */
  void connect(SharedWorker object, UrlRecord url, WorkerOptions options, PortHandle end) {
    Realm owner = object.realm();
    EnvironmentSettings outside = object.realm().settings();
    Key key = Key.of(outside, url, options);
    RunningSharedWorker made = null;
    synchronized (this) {
      RunningSharedWorker worker = workers.get(key); // 11.2
      if (worker == null) {
        made = new RunningSharedWorker(owner.agent(), options, outside, this::forget); // 11.6
        workers.put(key, made);
        worker = made;
      }
      if (!worker.suits(options, outside)) { // 11.4, 11.5.3
        end.close();
        object.queueError(null);
        return;
      }
      worker.connect(object, end); // 11.5.4 to 11.5.8
    }
    owner.supplements().get(Ownership.class, () -> new Ownership(owner, this));
    if (made != null) {
      made.run(url);
    }
  }

  /**
   * Returns the agents of the shared workers that a realm is connected to. Callable on any thread.
   */
  public synchronized Set<Agent> ownedBy(Realm owner) {
    Set<Agent> agents = new LinkedHashSet<>();
    for (RunningSharedWorker worker : workers.values()) {
      if (worker.isOwnedBy(owner)) {
        agents.add(worker.agent());
      }
    }
    return agents;
  }

  /** Removes a worker, so that the next page gets a new one. Callable on any thread. */
  private synchronized void forget(RunningSharedWorker worker) {
    workers.values().remove(worker);
  }

  /**
   * Removes an owner and terminates the workers that have no other owner, since these are no longer
   * <a
   * href="https://html.spec.whatwg.org/multipage/workers.html#permissible-worker">permissible</a>.
   */
  private void ownerEnded(Realm owner) {
    List<RunningSharedWorker> orphans = new ArrayList<>();
    synchronized (this) {
      for (RunningSharedWorker worker : workers.values()) {
        if (worker.loses(owner)) {
          orphans.add(worker);
        }
      }
      workers.values().removeAll(orphans);
    }
    orphans.forEach(RunningSharedWorker::terminate);
  }
}
