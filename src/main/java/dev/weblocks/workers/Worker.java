package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.global.ErrorEvent;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.messaging.MessageEvent;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.messaging.StructuredClone;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Worker} interface: the owner's end of a dedicated worker. The worker ends with its
 * owner.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#dedicated-workers-and-the-worker-interface">HTML</a>
 */
final class Worker extends EventTarget {

  private final Agent agent;

  /** Of the owner's event loop: no message that is on its way arrives any more. */
  private boolean terminated;

  // The worker's event loop only: its global once the script has run, since the port is not enabled
  // until then; and the messages that wait for it. Each task takes the oldest, so that one which
  // came early keeps its place before one whose task came before the end of the script.
  private @Nullable DedicatedWorkerGlobalScope started;
  private final Deque<SerializedValue> messages = new ArrayDeque<>();

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#dom-worker">new Worker()</a> */
  Worker(Realm realm, Arguments args) {
    super(realm);
    UrlRecord url = UrlParser.parse(args.string(0), GlobalScope.of(realm).apiBaseUrl());
    if (url == null) {
      throw ScriptException.dom(
          "SyntaxError",
          "Failed to construct 'Worker': '" + args.string(0) + "' is not a valid URL");
    }
    UserAgent userAgent = realm.agent().userAgent();
    if (!RunWorker.isSameOrigin(realm.settings(), url)) {
      throw ScriptException.dom(
          "SecurityError",
          "Failed to construct 'Worker': the script at '"
              + url
              + "' has another origin than '"
              + realm.settings().origin().serialize()
              + "'");
    }
    String name = args.dictionary(1).string("name");
    this.agent = userAgent.createAgent("worker");
    agent.endWith(realm.agent());
    fetchScript(url, name);
  }

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#run-a-worker">run a worker</a> */
  private void fetchScript(UrlRecord url, String name) {
    RunWorker.fetchScript(
        realm(),
        url,
        response ->
            agent
                .eventLoop()
                .queueTask(
                    TaskSource.DOM_MANIPULATION, null, "start worker", () -> run(name, response)),
        reason -> failToLoad());
  }

  private void failToLoad() {
    agent.terminate();
    fire(new Event(realm(), "error", false, false));
  }

  /** In the worker's agent. */
  private void run(String name, FetchResponse response) {
    DedicatedWorkerGlobalScope global =
        RunWorker.createGlobal(
            agent,
            RunWorker.insideSettings(
                realm().settings(),
                UrlParser.parseAbsolute(response.url()),
                "DedicatedWorker",
                agent.userAgent().ids()),
            inside -> new DedicatedWorkerGlobalScope(inside, this, name));
    RunWorker.runScript(global, response, ran -> enablePort(global));
  }

  private void enablePort(DedicatedWorkerGlobalScope global) {
    started = global;
    for (int waiting = messages.size(); waiting > 0; waiting--) {
      global.realm().queueTask(TaskSource.POSTED_MESSAGE, "message", this::deliverOldest);
    }
  }

  private void postMessage(Arguments args) {
    SerializedValue message = serialize(args, "Worker");
    agent.eventLoop().queueTask(TaskSource.POSTED_MESSAGE, null, "message", () -> deliver(message));
  }

  /**
   * What {@code postMessage()} sends.
   *
   * @param name the interface that has it
   */
  static SerializedValue serialize(Arguments args, String name) {
    Value transferList = args.overload() == 0 ? args.any(1) : args.dictionary(1).any("transfer");
    return StructuredClone.of(args.realm())
        .structuredSerializeWithTransfer(
            args.any(0), transferList, "Failed to execute 'postMessage' on '" + name + "'");
  }

  /** In the worker's agent. */
  private void deliver(SerializedValue message) {
    messages.add(message);
    deliverOldest();
  }

  /** In the worker's agent, in a task. */
  private void deliverOldest() {
    if (started != null) {
      started.fireMessage(messages.remove());
    }
  }

  /** A message from the worker. From the worker's event loop. */
  void queueMessage(SerializedValue message) {
    realm()
        .queueTask(
            TaskSource.POSTED_MESSAGE,
            "message",
            () -> {
              if (!terminated) {
                fire(MessageEvent.of(realm(), message));
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
    terminated = true;
  }

  /**
   * An exception that the worker did not handle. From the worker's event loop.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception">report an
   *     exception</a>
   */
  void queueError(ErrorInformation error) {
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "error in worker",
            () -> {
              if (fire(new ErrorEvent(realm(), error, binding().nullValue()))) {
                GlobalScope.of(realm()).reportFromWorker(error);
              }
            });
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Worker", Worker.class)
        .constructor(Worker::new)
        .action("terminate", (worker, args) -> worker.terminate())
        .action("postMessage", Worker::postMessage);
    implementations
        .mixin("AbstractWorker", EventTarget.class)
        .with(self -> EventHandlers.define(self, "onerror"));
  }
}
