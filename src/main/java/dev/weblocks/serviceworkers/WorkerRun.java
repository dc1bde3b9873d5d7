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
 * A time in which an agent runs a service worker, from the start to the end of the agent. Guarded
 * by its {@link ServiceWorkers}, except where it says so.
 */
final class WorkerRun {

  /** How far it has come. */
  enum Status {
    /** The script has not been run to its end. */
    STARTING,
    RUNNING,
    /** The script has failed, or the agent has been told to end. */
    STOPPED
  }

  /**
   * An event on its way to the worker, until nothing extends its lifetime any more.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-set-of-extended-events">set of extended
   *     events</a>
   */
  static final class Dispatch {
    final String label;

    /** Makes the event. On the event loop of the worker. */
    final Function<ServiceWorkerGlobalScope, ExtendableEvent> event;

    /** Told whether one of the promises that extended its lifetime was rejected. */
    final Consumer<Boolean> whenOver;

    /** Called instead of that if the agent has ended before. */
    final Consumer<Dispatch> whenDiscarded;

    /** Whether script has had a look at it. Of the worker's event loop, and read after its end. */
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

  /** Of the queue's turns. */
  private @Nullable Agent agent;

  /** Of the worker's event loop, set before any event comes. */
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

  /** Returns whether it was there. */
  boolean remove(Dispatch dispatch) {
    return dispatches.remove(dispatch);
  }

  /** All that are under way; there are none afterwards. */
  List<Dispatch> takeDispatches() {
    List<Dispatch> all = List.copyOf(dispatches);
    dispatches.clear();
    return all;
  }

  /** Tells once the script has run, or null once it is clear that it will not. */
  void onceStarted(Consumer<@Nullable WorkerRun> waiting) {
    whenStarted.add(waiting);
  }

  /** All that wait; nobody does afterwards. */
  List<Consumer<@Nullable WorkerRun>> takeWaiting() {
    List<Consumer<@Nullable WorkerRun>> all = List.copyOf(whenStarted);
    whenStarted.clear();
    return all;
  }

  /** Runs a step once the agent has ended. */
  void onceEnded(Runnable step) {
    onceEnded.add(step);
  }

  /** All that wait for that; nobody does afterwards. */
  List<Runnable> takeOnceEnded() {
    List<Runnable> all = List.copyOf(onceEnded);
    onceEnded.clear();
    return all;
  }

  /** In a turn of the queue, not in a step; null before the start. */
  @Nullable Agent agent() {
    return agent;
  }

  void setAgent(Agent made) {
    agent = made;
  }

  /** On the event loop of the worker. */
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
