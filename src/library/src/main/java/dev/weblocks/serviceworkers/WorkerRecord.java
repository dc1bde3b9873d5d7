package dev.weblocks.serviceworkers;

import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.workers.WorkerType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A service worker; script sees a {@link ServiceWorker}. Each start in an agent is a {@link
 * WorkerRun}. Guarded by the monitor of its {@link ServiceWorkers}, except the script resources.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-service-worker">service worker</a>
 */
final class WorkerRecord {

  /** The state of a service worker at one time; the version is greater for a newer state. */
  record Snapshot(WorkerRecord worker, ServiceWorkerState state, long version) {}

  private final Registration registration;
  private final UrlRecord scriptUrl;
  private final WorkerType type;

  /** The state; volatile, since it is also read without the monitor. */
  private volatile ServiceWorkerState state = ServiceWorkerState.PARSED;

  private boolean skipWaiting;

  /** Whether the script had a {@code fetch} listener after its first run; null before that. */
  private @Nullable Boolean handlesFetch;

  private @Nullable WorkerRun run;
  private final List<Runnable> onActivated = new ArrayList<>();

  // used on any thread
  private final Map<String, FetchResponse> scriptResources =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Set<String> usedScripts = Collections.synchronizedSet(new HashSet<>());

  /**
   * The initial <a href="https://w3c.github.io/ServiceWorker/#dfn-script-resource-map">script
   * resource map</a> contains the script itself.
   */
  WorkerRecord(
      Registration registration,
      UrlRecord scriptUrl,
      WorkerType type,
      Map<String, FetchResponse> scriptResources) {
    this.registration = registration;
    this.scriptUrl = scriptUrl;
    this.type = type;
    this.scriptResources.putAll(scriptResources);
    this.usedScripts.add(scriptUrl.href());
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#dfn-containing-service-worker-registration">
   * containing service worker registration</a>
   */
  Registration registration() {
    return registration;
  }

  UrlRecord scriptUrl() {
    return scriptUrl;
  }

  WorkerType type() {
    return type;
  }

  /** Returns the state. Callable on any thread. */
  ServiceWorkerState state() {
    return state;
  }

  /** Sets the state; returns steps of {@link #onceActivated} if it is activated or redundant. */
  List<Runnable> setState(ServiceWorkerState next) {
    state = next;
    if (next != ServiceWorkerState.ACTIVATED && next != ServiceWorkerState.REDUNDANT) {
      return List.of();
    }
    List<Runnable> waiting = List.copyOf(onActivated);
    onActivated.clear();
    return waiting;
  }

  /** Stores a step that {@link #setState} returns when the worker is activated or redundant. */
  void onceActivated(Runnable step) {
    onActivated.add(step);
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#dfn-skip-waiting-flag">skip waiting flag</a> */
  boolean skipWaiting() {
    return skipWaiting;
  }

  void setSkipWaiting() {
    skipWaiting = true;
  }

  /**
   * Returns whether the script had a {@code fetch} listener after its first run; true before the
   * first run has ended. No other type of the <a
   * href="https://w3c.github.io/ServiceWorker/#dfn-set-of-event-types-to-handle">set of event types
   * to handle</a> is recorded: all other events are always dispatched.
   */
  boolean handlesFetch() {
    return handlesFetch == null || handlesFetch;
  }

  void setHandlesFetch(boolean value) {
    if (handlesFetch == null) {
      handlesFetch = value;
    }
  }

  /** Returns the current run; null when the worker does not run. */
  @Nullable WorkerRun run() {
    return run;
  }

  void setRun(@Nullable WorkerRun value) {
    run = value;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#service-worker-has-no-pending-events">Service
   * Worker Has No Pending Events</a>. Events that are queued but not dispatched yet are pending.
   */
  boolean hasNoPendingEvents() {
    return run == null || run.hasNoPendingEvents();
  }

  /**
   * Returns the response for a script of this worker; null for other scripts. Callable on any
   * thread.
   */
  @Nullable FetchResponse scriptResource(String url) {
    return scriptResources.get(url);
  }

  /** Returns a copy of this worker's scripts by URL, in insertion order. Callable on any thread. */
  Map<String, FetchResponse> scriptResources() {
    synchronized (scriptResources) {
      return new LinkedHashMap<>(scriptResources);
    }
  }

  /** Stores an imported script and marks it as used. Callable on any thread. */
  void addScriptResource(String url, FetchResponse response) {
    scriptResources.put(url, response);
    usedScripts.add(url);
  }

  /** Marks a stored script as used, so that it is not dropped. Callable on any thread. */
  void useScript(String url) {
    usedScripts.add(url);
  }

  /** Drops the stored scripts that this worker has not used. */
  void dropUnusedScripts() {
    synchronized (scriptResources) {
      scriptResources.keySet().retainAll(usedScripts);
    }
  }

  Snapshot snapshot(long version) {
    return new Snapshot(this, state, version);
  }
}
