package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.messaging.MessagePort;
import dev.weblocks.messaging.PortHandle;
import dev.weblocks.model.Limit;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Worker} interface: the owner's object for a worker, which ends with its owner.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#dedicated-workers-and-the-worker-interface">HTML</a>
 */
final class Worker extends EventTarget {

  private static final String POST_MESSAGE = "Failed to execute 'postMessage' on 'Worker'";

  private final Agent agent;
  private final MessagePort outsidePort;

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#dom-worker">new Worker()</a> */
  Worker(Realm realm, Arguments args) {
    super(realm);
    WorkerOptions options = WorkerOptions.of(args.dictionary(1));
    UrlRecord url = RunWorker.scriptUrl(realm, args.string(0), "Worker");
    requireRoom(realm.agent());
    this.agent =
        realm
            .agent()
            .userAgent()
            .createAgent("worker", UserAgent.responsibleFor(realm.agent()), true);
    agent.endWith(realm);
    this.outsidePort = MessagePort.createImplicit(this);
    PortHandle inside = outsidePort.entangleWithNew();
    inside.addressTo(agent);
    outsidePort.start();
    runWorker(url, options, inside);
  }

  private static void requireRoom(Agent owner) {
    int limit = owner.userAgent().configuration().limits().workersPerAgent();
    if (owner.followerCount() >= limit) {
      throw owner.refusal(
          Limit.WORKERS_PER_AGENT,
          "Failed to construct 'Worker': There are " + limit + " workers, which is the limit.");
    }
  }

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#run-a-worker">run a worker</a> */
  private void runWorker(UrlRecord url, WorkerOptions options, PortHandle inside) {
    EnvironmentSettings outside = realm().settings();
    String id = agent.userAgent().ids().nextUuid();
    RunWorker.fetchScript(
        agent,
        outside,
        options.type(),
        options.request(url, FetchRequest.Destination.WORKER, outside, id),
        script -> run(options, id, inside, script),
        this::failToLoad);
  }

  /**
   * Terminates the agent and queues a task for an error event. Called on the worker's event loop.
   *
   * @param message for the console; null for none
   */
  private void failToLoad(@Nullable String message) {
    agent.terminate();
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "no worker",
            () -> {
              RunWorker.report(realm(), message);
              fire(new Event(realm(), "error", false, false));
            });
  }

  /** Runs the script. Called on the event loop of the worker. */
  private void run(WorkerOptions options, String id, PortHandle inside, FetchResponse script) {
    IdSource ids = agent.userAgent().ids();
    DedicatedWorkerGlobalScope global =
        RunWorker.createGlobal(
            agent,
            RunWorker.insideSettings(
                realm().settings(),
                UrlParser.parseAbsolute(script.url()),
                "DedicatedWorker",
                id,
                ids),
            realm -> new DedicatedWorkerGlobalScope(realm, this, options.name(), inside));
    RunWorker.runScript(
        global,
        script,
        options.type(),
        options.credentials(),
        new RunWorker.Listener() {
          @Override
          public void onRun(boolean threw) {
            global.startPort();
          }

          @Override
          public void onFailed() {
            // the error of a classic script was reported, which has fired an event at this object
            if (options.type() == WorkerType.MODULE) {
              failToLoad(null);
            }
          }
        });
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/workers.html#terminate-a-worker">terminate a
   * worker</a>
   */
  private void terminate() {
    // 1. and 2.
    agent.terminate();
    // 3.
    outsidePort.abandon();
  }

  /**
   * Queues a task to fire an error event for an unhandled exception. Called on the worker's event
   * loop.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception">HTML</a>
   */
  void queueError(ErrorInformation error) {
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "error in worker",
            () -> {
              if (fire(error.event(realm(), binding().values().nullValue()))) {
                GlobalScope.of(realm()).reportFromWorker(error);
              }
            });
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Worker", Worker.class)
        .constructor(Worker::new)
        .action("terminate", (worker, args) -> worker.terminate())
        .action(
            "postMessage", (worker, args) -> worker.outsidePort.postMessage(args, POST_MESSAGE));
  }
}
