package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Implementations;
import dev.weblocks.messaging.MessageEvents;
import dev.weblocks.messaging.MessagePort;
import dev.weblocks.messaging.PortHandle;
import java.util.List;

/**
 * The {@code SharedWorkerGlobalScope} interface. Its uncaught exceptions are reported to the host,
 * since no single page is responsible for them.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#shared-workers-and-the-sharedworkerglobalscope-interface">HTML</a>
 */
final class SharedWorkerGlobalScope extends WorkerGlobalScope {

  private final String name;
  private final RunningSharedWorker worker;

  SharedWorkerGlobalScope(Realm realm, String name, RunningSharedWorker worker) {
    super(realm);
    this.name = name;
    this.worker = worker;
  }

  /** Queues the task that fires a connect event for another page. Callable on any thread. */
  void queueConnect(PortHandle end) {
    realm().queueTask(TaskSource.DOM_MANIPULATION, "connect", () -> connect(end));
  }

  private void connect(PortHandle end) {
    MessagePort inside = MessagePort.of(realm(), end);
    fire(
        MessageEvents.of(
            realm(), "connect", binding().values().parseJson("\"\""), "", inside, List.of(inside)));
  }

  /** <a href="https://html.spec.whatwg.org/multipage/workers.html#close-a-worker">close</a> */
  private void close() {
    // 2.
    worker.closes();
    // 1.
    realm().agent().closeAfterThisTurn();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("SharedWorkerGlobalScope", SharedWorkerGlobalScope.class)
        .getter("name", self -> self.name)
        .action("close", (self, args) -> self.close());
  }
}
