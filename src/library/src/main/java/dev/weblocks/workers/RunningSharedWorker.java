package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.messaging.PortHandle;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A shared worker with the pages that are connected to it. Thread-safe. */
final class RunningSharedWorker {

  /** A page that connected before the script had run. */
  private record Waiting(SharedWorker object, PortHandle end) {}

  private final Agent agent;
  private final WorkerOptions options;
  private final EnvironmentSettings outside;
  private final Consumer<RunningSharedWorker> atEnd;

  // guarded by this
  private final Set<Realm> owners = new HashSet<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private @Nullable SharedWorkerGlobalScope started;

  /**
   * @param maker the agent of the page that creates the worker
   * @param outside the environment of the page that creates the worker
   * @param atEnd called when no page can connect to this worker any more; possibly more than once
   */
  RunningSharedWorker(
      Agent maker,
      WorkerOptions options,
      EnvironmentSettings outside,
      Consumer<RunningSharedWorker> atEnd) {
    this.agent =
        maker.userAgent().createAgent("shared-worker", UserAgent.responsibleFor(maker), true);
    this.options = options;
    this.outside = outside;
    this.atEnd = atEnd;
  }

  /** Returns whether a page that requests this worker's name and URL may connect to it. */
  boolean suits(WorkerOptions requested, EnvironmentSettings by) {
    return options.equals(requested) && outside.secureContext() == by.secureContext();
  }

  /** Connects a page. Called on the event loop of the page. */
  synchronized void connect(SharedWorker object, PortHandle end) {
    owners.add(object.realm());
    end.addressTo(agent);
    if (started == null) {
      waiting.add(new Waiting(object, end));
    } else {
      started.queueConnect(end);
    }
  }

  synchronized boolean isOwnedBy(Realm owner) {
    return owners.contains(owner);
  }

  Agent agent() {
    return agent;
  }

  /**
   * Removes an owner.
   *
   * @return whether it was the last owner
   */
  synchronized boolean loses(Realm owner) {
    return owners.remove(owner) && owners.isEmpty();
  }

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#run-a-worker">run a worker</a> */
  void run(UrlRecord url) {
    agent.onEnd(this::closes);
    String id = agent.userAgent().ids().nextUuid();
    RunWorker.fetchScript(
        agent,
        outside,
        options.type(),
        options.request(url, FetchRequest.Destination.SHAREDWORKER, outside, id),
        script -> run(id, script),
        this::failToLoad);
  }

  /** Runs the script. Called on the event loop of the worker. */
  private void run(String id, FetchResponse script) {
    SharedWorkerGlobalScope global =
        RunWorker.createGlobal(
            agent,
            RunWorker.insideSettings(
                outside,
                UrlParser.parseAbsolute(script.url()),
                "SharedWorker",
                id,
                agent.userAgent().ids()),
            realm -> new SharedWorkerGlobalScope(realm, options.name(), this));
    RunWorker.runScript(
        global,
        script,
        options.type(),
        options.credentials(),
        new RunWorker.Listener() {
          @Override
          public void onRun(boolean threw) {
            hasRun(global);
          }

          @Override
          public void onFailed() {
            failToLoad(null);
          }
        });
  }

  private synchronized void hasRun(SharedWorkerGlobalScope global) {
    started = global;
    waiting.forEach(each -> global.queueConnect(each.end()));
    waiting.clear();
  }

  /**
   * @param message for the console; null for none
   */
  private void failToLoad(@Nullable String message) {
    closes();
    synchronized (this) {
      waiting.forEach(each -> each.object().queueError(message));
      waiting.clear();
    }
    terminate();
  }

  /** Removes this worker from the manager, so that the next page gets a new one. */
  void closes() {
    atEnd.accept(this);
  }

  void terminate() {
    agent.terminate();
  }
}
