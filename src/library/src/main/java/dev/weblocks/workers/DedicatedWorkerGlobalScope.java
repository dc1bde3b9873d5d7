package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.messaging.MessagePort;
import dev.weblocks.messaging.PortHandle;

/**
 * The {@code DedicatedWorkerGlobalScope} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#dedicated-workers-and-the-dedicatedworkerglobalscope-interface">HTML</a>
 */
final class DedicatedWorkerGlobalScope extends WorkerGlobalScope {

  private static final String POST_MESSAGE =
      "Failed to execute 'postMessage' on 'DedicatedWorkerGlobalScope'";

  private final Worker owner;
  private final String name;
  private final MessagePort insidePort;

  DedicatedWorkerGlobalScope(Realm realm, Worker owner, String name, PortHandle inside) {
    super(realm);
    this.owner = owner;
    this.name = name;
    this.insidePort = MessagePort.implicit(this, inside);
  }

  /** Starts the delivery of messages, after the script has run. */
  void startPort() {
    insidePort.start();
  }

  @Override
  protected void reportUnhandled(ErrorInformation error) {
    owner.queueError(error);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DedicatedWorkerGlobalScope", DedicatedWorkerGlobalScope.class)
        .getter("name", self -> self.name)
        .action("postMessage", (self, args) -> self.insidePort.postMessage(args, POST_MESSAGE))
        .action("close", (self, args) -> self.realm().agent().closeAfterThisTurn());
  }
}
