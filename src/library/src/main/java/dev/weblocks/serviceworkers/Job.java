package dev.weblocks.serviceworkers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.workers.WorkerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A register, update or unregister call of script. The jobs of one scope run one after the other.
 * Created on the event loop of the caller; after that, used only in steps of the service worker
 * queue.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-job">job</a>
 */
final class Job {

  /** <a href="https://w3c.github.io/ServiceWorker/#dfn-job-type">job type</a> */
  enum Type {
    REGISTER,
    UPDATE,
    UNREGISTER
  }

  /**
   * The properties of a job that are the same in equivalent jobs.
   *
   * @param scriptUrl null for an unregister job, as are {@code workerType} and {@code
   *     updateViaCache}
   * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-job-equivalent">equivalent</a>
   */
  private record Subject(
      Type type,
      String scopeUrl,
      @Nullable String scriptUrl,
      @Nullable WorkerType workerType,
      @Nullable UpdateViaCache updateViaCache) {}

  private final ServiceWorkers serviceWorkers;
  private final Type type;
  private final StorageKey storageKey;
  private final EnvironmentSettings client;
  private final UrlRecord scopeUrl;
  private final UrlRecord scriptUrl;
  private final WorkerType workerType;
  private final UpdateViaCache updateViaCache;
  private final Subject subject;
  private final String description;
  private final @Nullable Origin responsible;

  // used in steps only
  private final List<IdlPromise> promises = new ArrayList<>(1);
  private boolean settled;
  private @Nullable Runnable onFinish;

  /** <a href="https://w3c.github.io/ServiceWorker/#create-job">Create Job</a> */
  Job(
      ServiceWorkers serviceWorkers,
      Type type,
      StorageKey storageKey,
      EnvironmentSettings client,
      UrlRecord scopeUrl,
      UrlRecord scriptUrl,
      WorkerType workerType,
      UpdateViaCache updateViaCache,
      IdlPromise promise) {
    this.serviceWorkers = serviceWorkers;
    this.type = type;
    this.storageKey = storageKey;
    this.client = client;
    this.scopeUrl = scopeUrl;
    this.scriptUrl = scriptUrl;
    this.workerType = workerType;
    this.updateViaCache = updateViaCache;
    this.subject =
        type == Type.UNREGISTER
            ? new Subject(type, scopeUrl.href(), null, null, null)
            : new Subject(type, scopeUrl.href(), scriptUrl.href(), workerType, updateViaCache);
    this.description =
        switch (type) {
          case REGISTER -> failed("register", " with script ('" + scriptUrl + "')");
          case UPDATE -> failed("update", " with script ('" + scriptUrl + "')");
          case UNREGISTER -> failed("unregister", "");
        };
    this.responsible = UserAgent.responsibleFor(promise.realm().agent());
    promises.add(promise);
  }

  private String failed(String verb, String with) {
    return "Failed to " + verb + " a ServiceWorker for scope ('" + scopeUrl + "')" + with + ": ";
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#create-job">Create Job</a> */
  static Job update(
      ServiceWorkers serviceWorkers,
      Registration registration,
      EnvironmentSettings client,
      WorkerRecord newestWorker,
      IdlPromise promise) {
    return new Job(
        serviceWorkers,
        Type.UPDATE,
        registration.storageKey(),
        client,
        registration.scopeUrl(),
        newestWorker.scriptUrl(),
        newestWorker.type(),
        registration.updateViaCache(),
        promise);
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#create-job">Create Job</a> */
  static Job unregister(
      ServiceWorkers serviceWorkers,
      Registration registration,
      EnvironmentSettings client,
      IdlPromise promise) {
    return new Job(
        serviceWorkers,
        Type.UNREGISTER,
        registration.storageKey(),
        client,
        registration.scopeUrl(),
        registration.scopeUrl(), // not used
        WorkerType.CLASSIC,
        registration.updateViaCache(),
        promise);
  }

  Type type() {
    return type;
  }

  StorageKey storageKey() {
    return storageKey;
  }

  EnvironmentSettings client() {
    return client;
  }

  /** Returns the origin that the agent of the client counts for; null for none. */
  @Nullable Origin responsible() {
    return responsible;
  }

  Origin referrerOrigin() {
    return client.origin();
  }

  UrlRecord scopeUrl() {
    return scopeUrl;
  }

  UrlRecord scriptUrl() {
    return scriptUrl;
  }

  WorkerType workerType() {
    return workerType;
  }

  UpdateViaCache updateViaCache() {
    return updateViaCache;
  }

  String label() {
    return type.name().toLowerCase(Locale.ROOT) + " " + scopeUrl;
  }

  /**
   * Adds the promises of another job to this job's if the jobs are equivalent and this job is not
   * settled. Returns whether the promises were added.
   */
  boolean takeOver(Job other) {
    if (settled || !subject.equals(other.subject)) {
      return false;
    }
    promises.addAll(other.promises);
    return true;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#resolve-job-promise">Resolve Job Promise</a> */
  void resolve(Registration value) {
    for (IdlPromise promise : promises) {
      Registration.Snapshot shown =
          serviceWorkers.registrations().snapshotFor(promise.realm(), value);
      settle(
          promise,
          resolved ->
              resolved.resolve(ServiceWorkerObjects.of(promise.realm()).registration(shown)));
    }
    settled = true;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#resolve-job-promise">Resolve Job Promise</a> */
  void resolve(boolean value) {
    promises.forEach(promise -> settle(promise, resolved -> resolved.resolve(value)));
    settled = true;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#reject-job-promise">Reject Job Promise</a>; no-op
   * if the job is settled.
   *
   * @param why the reason, which follows the description of the job in the error message
   */
  void rejectWithTypeError(String why) {
    reject(ScriptException.typeError(description + why));
  }

  /** Rejects like {@link #rejectWithTypeError}, but with a {@code SecurityError}. */
  void rejectWithSecurityError(String why) {
    reject(ScriptException.dom("SecurityError", description + why));
  }

  private void reject(ScriptException reason) {
    promises.forEach(promise -> settle(promise, rejected -> rejected.reject(reason)));
    settled = true;
  }

  private void settle(IdlPromise promise, Consumer<IdlPromise> how) {
    if (!settled) {
      serviceWorkers.settle(promise, "settle " + label(), how);
    }
  }

  void onFinish(Runnable next) {
    onFinish = next;
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#finish-job">Finish Job</a> */
  void finish() {
    Runnable next = onFinish;
    if (next == null) {
      throw new IllegalStateException("the job '" + label() + "' is finished, or has not begun");
    }
    onFinish = null;
    next.run();
  }
}
