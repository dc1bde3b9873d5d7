package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Origin;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlRecord;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The concept of a service worker registration. Script sees it as {@link
 * ServiceWorkerRegistration}. Guarded by its {@link ServiceWorkers}.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-service-worker-registration">service
 *     worker registration</a>
 */
final class Registration {

  enum Slot {
    INSTALLING,
    WAITING,
    ACTIVE
  }

  /** The state of a registration at one time; the version is greater for a newer state. */
  record Snapshot(
      Registration registration,
      long version,
      WorkerRecord.@Nullable Snapshot installing,
      WorkerRecord.@Nullable Snapshot waiting,
      WorkerRecord.@Nullable Snapshot active) {

    WorkerRecord.@Nullable Snapshot in(Slot slot) {
      return switch (slot) {
        case INSTALLING -> installing;
        case WAITING -> waiting;
        case ACTIVE -> active;
      };
    }
  }

  private final StorageKey storageKey;
  private final Origin topLevelOrigin;
  private final @Nullable Origin responsible;
  private final UrlRecord scopeUrl;
  private final Map<Slot, WorkerRecord> workers = new EnumMap<>(Slot.class);

  /** The update via cache mode; volatile, since threads of several agents read it. */
  private volatile UpdateViaCache updateViaCache;

  /**
   * Creates a registration without workers, for a client with the given top-level origin.
   *
   * @param responsible the origin that the agent of the client counts for, and so those of the
   *     workers; null for none
   */
  Registration(
      StorageKey storageKey,
      Origin topLevelOrigin,
      @Nullable Origin responsible,
      UrlRecord scopeUrl,
      UpdateViaCache updateViaCache) {
    this.storageKey = storageKey;
    this.topLevelOrigin = topLevelOrigin;
    this.responsible = responsible;
    this.scopeUrl = scopeUrl;
    this.updateViaCache = updateViaCache;
  }

  StorageKey storageKey() {
    return storageKey;
  }

  /** Returns the top-level origin for the environments of the workers. */
  Origin topLevelOrigin() {
    return topLevelOrigin;
  }

  @Nullable Origin responsible() {
    return responsible;
  }

  UrlRecord scopeUrl() {
    return scopeUrl;
  }

  /** Returns the update via cache mode. Callable on any thread. */
  UpdateViaCache updateViaCache() {
    return updateViaCache;
  }

  void setUpdateViaCache(UpdateViaCache value) {
    updateViaCache = value;
  }

  @Nullable WorkerRecord worker(Slot slot) {
    return workers.get(slot);
  }

  void setWorker(Slot slot, @Nullable WorkerRecord worker) {
    if (worker == null) {
      workers.remove(slot);
    } else {
      workers.put(slot, worker);
    }
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#get-newest-worker">Get Newest Worker</a>; null
   * for none.
   */
  @Nullable WorkerRecord newestWorker() {
    for (Slot slot : Slot.values()) {
      WorkerRecord worker = workers.get(slot);
      if (worker != null) {
        return worker;
      }
    }
    return null;
  }

  Snapshot snapshot(long version) {
    return new Snapshot(
        this,
        version,
        snapshot(Slot.INSTALLING, version),
        snapshot(Slot.WAITING, version),
        snapshot(Slot.ACTIVE, version));
  }

  private WorkerRecord.@Nullable Snapshot snapshot(Slot slot, long version) {
    WorkerRecord worker = workers.get(slot);
    return worker == null ? null : worker.snapshot(version);
  }
}
