package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Agent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of a service worker in an agent, from the start to the end of the agent. Guarded by the
 * monitor of its {@link ServiceWorkers}, unless stated otherwise.
 */
final class WorkerRun {

  enum Status {
    /** The script has not run to its end yet. */
    STARTING,
    RUNNING,
    /** The script has failed, or the agent is ending or has ended. */
    STOPPED
  }

  /**
   * An event for the worker, from the time it is queued until nothing extends its lifetime.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-set-of-extended-events">set of extended
   *     events</a>
   */
  static final class Dispatch {
    final String label;

    /** The factory of the event, called on the event loop of the worker. */
    final Function<ServiceWorkerGlobalScope, ExtendableEvent> event;

    /** Called at the end of the lifetime, with true if a promise that extended it was rejected. */
    final Consumer<Boolean> whenOver;

    /** Called instead of {@link #whenOver} if start or dispatch fails, or the agent ends. */
    final Consumer<Dispatch> whenDiscarded;

    /** Whether the dispatch to script has begun. Set on the event loop, read when discarded. */
    volatile boolean begun;

    Dispatch(
        String label,
        Function<ServiceWorkerGlobalScope, ExtendableEvent> event,
        Consumer<Boolean> whenOver,
        Consumer<Dispatch> whenDiscarded) {
      this.label = label;
      this.event = event;
      this.whenOver = whenOver;
      this.whenDiscarded = whenDiscarded;
    }
  }

  private final WorkerRecord worker;
  private Status status = Status.STARTING;
  private final List<Consumer<@Nullable WorkerRun>> whenStarted = new ArrayList<>();
  private final List<Runnable> onceEnded = new ArrayList<>();
  private final Set<Dispatch> dispatches = new LinkedHashSet<>();

  /** The agent; used only in effects of steps, see {@link ServiceWorkers#send}. */
  private @Nullable Agent agent;

  /** The global; used only on the worker's event loop, and set before any event arrives. */
  private @Nullable ServiceWorkerGlobalScope global;

  WorkerRun(WorkerRecord worker) {
    this.worker = worker;
  }

  WorkerRecord worker() {
    return worker;
  }

  Status status() {
    return status;
  }

  void setStatus(Status next) {
    status = next;
  }

  boolean hasNoPendingEvents() {
    return dispatches.isEmpty();
  }

  void add(Dispatch dispatch) {
    dispatches.add(dispatch);
  }

  /** Removes an event; returns false if the event was not pending. */
  boolean remove(Dispatch dispatch) {
    return dispatches.remove(dispatch);
  }

  List<Dispatch> takeDispatches() {
    List<Dispatch> all = List.copyOf(dispatches);
    dispatches.clear();
    return all;
  }

  /** Registers a callback. It receives this run once the script has run, or null on failure. */
  void onceStarted(Consumer<@Nullable WorkerRun> waiting) {
    whenStarted.add(waiting);
  }

  List<Consumer<@Nullable WorkerRun>> takeWaiting() {
    List<Consumer<@Nullable WorkerRun>> all = List.copyOf(whenStarted);
    whenStarted.clear();
    return all;
  }

  void onceEnded(Runnable step) {
    onceEnded.add(step);
  }

  List<Runnable> takeOnceEnded() {
    List<Runnable> all = List.copyOf(onceEnded);
    onceEnded.clear();
    return all;
  }

  /** Returns the agent; null before creation. Only in effects of {@link ServiceWorkers#send}. */
  @Nullable Agent agent() {
    return agent;
  }

  void setAgent(Agent made) {
    agent = made;
  }

  /** Returns the global. Called on the event loop of the worker. */
  ServiceWorkerGlobalScope global() {
    ServiceWorkerGlobalScope there = global;
    if (there == null) {
      throw new IllegalStateException("the worker has no global before it starts");
    }
    return there;
  }

  void setGlobal(ServiceWorkerGlobalScope made) {
    global = made;
  }
}
