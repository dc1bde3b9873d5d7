package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.messaging.MessageEvent;
import dev.weblocks.messaging.SerializedValue;

/**
 * The {@code DedicatedWorkerGlobalScope} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#dedicated-workers-and-the-dedicatedworkerglobalscope-interface">HTML</a>
 */
final class DedicatedWorkerGlobalScope extends WorkerGlobalScope {

  private final Worker owner;
  private final String name;

  DedicatedWorkerGlobalScope(Realm realm, Worker owner, String name) {
    super(realm);
    this.owner = owner;
    this.name = name;
  }

  /** Fires a message from the owner. On this worker's event loop, in a task. */
  void fireMessage(SerializedValue message) {
    fire(MessageEvent.of(realm(), message));
  }

  private void postMessage(Arguments args) {
    owner.queueMessage(Worker.serialize(args, "DedicatedWorkerGlobalScope"));
  }

  @Override
  protected void reportUnhandled(ErrorInformation error) {
    owner.queueError(error);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DedicatedWorkerGlobalScope", DedicatedWorkerGlobalScope.class)
        .getter("name", self -> self.name)
        .action("postMessage", DedicatedWorkerGlobalScope::postMessage)
        .action("close", (self, args) -> self.realm().agent().closeAfterThisTurn());
  }
}
