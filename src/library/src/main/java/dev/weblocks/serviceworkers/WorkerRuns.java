package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.locks.HeldLocks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The manager of the runs of service workers: it starts and stops their agents, and dispatches
 * their events. Used in steps of the service worker queue, unless stated otherwise.
 */
final class WorkerRuns {

  private final ServiceWorkers serviceWorkers;
  private final UserAgent userAgent;
  private final Set<WorkerRun> runs = new LinkedHashSet<>();

  /** The running workers by environment id; accessed on any thread. */
  private final Map<String, WorkerRecord> environments = new ConcurrentHashMap<>();

  WorkerRuns(ServiceWorkers serviceWorkers, UserAgent userAgent) {
    this.serviceWorkers = serviceWorkers;
    this.userAgent = userAgent;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#run-service-worker">Run Service Worker</a>
   *
   * @param then called, in this step or a later one, with the run, or with null for a failure
   */
  void runServiceWorker(WorkerRecord worker, Consumer<@Nullable WorkerRun> then) {
    WorkerRun run = worker.run();
    // 2.
    if (run != null) {
      switch (run.status()) {
        case RUNNING -> then.accept(run);
        case STARTING -> run.onceStarted(then);
        // one agent at a time
        case STOPPED -> run.onceEnded(() -> runServiceWorker(worker, then));
      }
      return;
    }
    // 3.
    if (worker.state() == ServiceWorkerState.REDUNDANT) {
      then.accept(null);
      return;
    }
    WorkerRun next = new WorkerRun(worker);
    worker.setRun(next);
    runs.add(next);
    next.onceStarted(then);
    serviceWorkers.send(() -> beginAgent(next));
  }

  private void beginAgent(WorkerRun run) {
    Agent agent;
    try {
      Origin responsible = run.worker().registration().responsible();
      agent = userAgent.createAgent("service-worker", responsible, true);
    } catch (IllegalStateException closed) {
      serviceWorkers.enqueue("no service worker in a closed user agent", () -> ended(run));
      return;
    }
    run.setAgent(agent);
    agent.onEnd(() -> serviceWorkers.enqueue("service worker ended", () -> ended(run)));
    agent.queueTask(
        TaskSource.DOM_MANIPULATION,
        "run service worker",
        () -> {
          try {
            ServiceWorkerGlobalScope.run(run, agent);
          } catch (RuntimeException | Error defect) {
            startedOnLoop(run, false, false);
            throw defect;
          }
        });
  }

  /** Records the environment of a run. Called on the worker's event loop. */
  void addEnvironment(WorkerRun run, Realm realm) {
    String id = realm.settings().id();
    environments.put(id, run.worker());
    realm.onDiscard(() -> environments.remove(id));
  }

  /**
   * Returns the service worker that runs in an environment; null for none. Callable on any thread.
   */
  @Nullable WorkerRecord workerOf(String environmentId) {
    return environments.get(environmentId);
  }

  /**
   * Enqueues the step that records whether a run has started. Called on the event loop of the
   * worker.
   */
  void startedOnLoop(WorkerRun run, boolean succeeded, boolean handlesFetch) {
    serviceWorkers.enqueue(
        succeeded ? "service worker runs" : "service worker does not start",
        () -> {
          if (run.status() != WorkerRun.Status.STARTING) {
            return; // stopped meanwhile
          }
          if (!succeeded) {
            terminate(run);
            return;
          }
          run.setStatus(WorkerRun.Status.RUNNING);
          run.worker().setHandlesFetch(handlesFetch);
          run.takeWaiting().forEach(waiting -> waiting.accept(run));
        });
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#terminate-service-worker">Terminate Service
   * Worker</a>. The worker's events are discarded once its script can no longer run.
   */
  void terminateServiceWorker(WorkerRecord worker) {
    WorkerRun run = worker.run();
    if (run != null) {
      terminate(run);
    }
  }

  private void terminate(WorkerRun run) {
    if (run.status() == WorkerRun.Status.STOPPED) {
      return;
    }
    run.setStatus(WorkerRun.Status.STOPPED);
    run.takeWaiting().forEach(waiting -> waiting.accept(null));
    serviceWorkers.send(() -> {
      Agent agent = run.agent();
      if (agent != null) {
        agent.terminate();
      }
    });
  }

  /** Discards a run whose agent has ended, and its events. */
  private void ended(WorkerRun run) {
    run.setStatus(WorkerRun.Status.STOPPED);
    runs.remove(run);
    WorkerRecord worker = run.worker();
    if (worker.run() == run) {
      worker.setRun(null);
    }
    run.takeWaiting().forEach(waiting -> waiting.accept(null));
    run.takeDispatches().forEach(dispatch -> dispatch.whenDiscarded.accept(dispatch));
    run.takeOnceEnded().forEach(Runnable::run);
    serviceWorkers.registrations().eventsOver(worker);
  }

  /** Runs a worker and queues an event for it; discards the event if the worker does not start. */
  void runAndDispatch(WorkerRecord worker, TaskSource source, WorkerRun.Dispatch dispatch) {
    runServiceWorker(
        worker,
        run -> {
          if (run == null) {
            dispatch.whenDiscarded.accept(dispatch);
          } else {
            dispatch(run, source, dispatch);
          }
        });
  }

  /** Queues an event for a worker that runs. */
  void dispatch(WorkerRun run, TaskSource source, WorkerRun.Dispatch dispatch) {
    run.add(dispatch);
    serviceWorkers.send(() -> {
      Agent agent = run.agent();
      if (agent != null) {
        agent.queueTask(source, dispatch.label, () -> dispatchOnLoop(run, dispatch));
      }
    });
  }

  private void dispatchOnLoop(WorkerRun run, WorkerRun.Dispatch dispatch) {
    dispatch.begun = true;
    try {
      ServiceWorkerGlobalScope global = run.global();
      dispatch.event.apply(global).dispatchTo(global, rejected -> over(run, dispatch, rejected));
    } catch (RuntimeException | Error stoppedOrDefect) {
      serviceWorkers.enqueue(
          dispatch.label + " has failed",
          () -> {
            if (run.remove(dispatch)) {
              dispatch.whenDiscarded.accept(dispatch);
              serviceWorkers.registrations().eventsOver(run.worker());
            }
          });
      throw stoppedOrDefect;
    }
  }

  private void over(WorkerRun run, WorkerRun.Dispatch dispatch, boolean rejected) {
    serviceWorkers.enqueue(
        dispatch.label + " is over",
        () -> {
          if (run.remove(dispatch)) {
            dispatch.whenOver.accept(rejected);
            serviceWorkers.registrations().eventsOver(run.worker());
          }
        });
  }

  void stopIdle() {
    serviceWorkers.enqueue("stop idle service workers", () -> runs.forEach(this::stopIfIdle));
  }

  private void stopIfIdle(WorkerRun run) {
    if (run.status() != WorkerRun.Status.RUNNING || !run.hasNoPendingEvents()) {
      return;
    }
    serviceWorkers.send(() -> {
      Agent agent = run.agent();
      if (agent == null) {
        return;
      }
      agent.queueTask(
          TaskSource.DOM_MANIPULATION,
          "is idle",
          () -> {
            if (!HeldLocks.any(run.global().realm())) {
              serviceWorkers.enqueue(
                  "stop idle service worker",
                  () -> {
                    if (run.hasNoPendingEvents()) {
                      terminate(run);
                    }
                  });
            }
          });
    });
  }

  void stopAll() {
    serviceWorkers.enqueue(
        "stop service workers", () -> List.copyOf(runs).forEach(this::terminate));
  }
}
