package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.messaging.MessagePort;
import dev.weblocks.url.UrlRecord;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code SharedWorker} interface: the object of one page for a worker that pages share.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#shared-workers-and-the-sharedworker-interface">HTML</a>
 */
final class SharedWorker extends EventTarget {

  private final MessagePort port;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/workers.html#dom-sharedworker">new
   * SharedWorker()</a>
   */
  SharedWorker(Realm realm, Arguments args) {
    super(realm);
    // 2.
    Value given = args.any(1);
    WorkerOptions options =
        given.isString()
            ? WorkerOptions.named(given.asString())
            : WorkerOptions.of(args.unionDictionary(1, "WorkerOptions"));
    // 4. and 5.
    UrlRecord url = RunWorker.scriptUrl(realm, args.string(0), "SharedWorker");
    // 6. and 7.
    this.port = MessagePort.create(realm);
    // 8. to 11.
    SharedWorkerManager.of(realm.agent().userAgent())
        .connect(this, url, options, port.entangleWithNew());
  }

  /**
   * Queues a task that fires an error event: connecting to a worker has failed. Callable on any
   * thread.
   *
   * @param message for the console; null for none
   */
  void queueError(@Nullable String message) {
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "no shared worker",
            () -> {
              RunWorker.report(realm(), message);
              fire(new Event(realm(), "error", false, false));
            });
  }

  static void define(Implementations implementations) {
    implementations
        .implement("SharedWorker", SharedWorker.class)
        .constructor(SharedWorker::new)
        .getter("port", self -> self.port);
  }
}
