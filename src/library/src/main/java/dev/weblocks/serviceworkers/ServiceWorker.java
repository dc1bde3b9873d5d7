package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.messaging.MessageEvents;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.messaging.StructuredClone;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ServiceWorker} interface: the object of one realm for a {@link WorkerRecord}.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#serviceworker-interface">Service Workers</a>
 */
final class ServiceWorker extends EventTarget {

  private final WorkerRecord worker;
  private ServiceWorkerState state;
  private long version;

  ServiceWorker(Realm realm, WorkerRecord.Snapshot shown) {
    super(realm);
    this.worker = shown.worker();
    this.state = shown.state();
    this.version = shown.version();
  }

  /** Runs the task of Update Worker State. */
  void changed(WorkerRecord.Snapshot shown) {
    if (shown.version() > version) {
      version = shown.version();
      state = shown.state();
      fire(new Event(realm(), "statechange", false, false));
    }
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#dom-serviceworker-postmessage-message-options">postMessage()</a>
   */
  private void postMessage(Arguments args) {
    // 4.
    SerializedValue message = serialize(args, "ServiceWorker");
    // 6.
    ServiceWorkers serviceWorkers = ServiceWorkers.of(args.realm());
    MessageSource source = MessageSource.of(args.realm());
    String origin = args.realm().settings().origin().serialize();
    serviceWorkers.enqueue(
        "message to service worker",
        () ->
            // 6.1. and 6.2.
            serviceWorkers
                .runs()
                .runAndDispatch(
                    worker,
                    TaskSource.DOM_MANIPULATION,
                    new WorkerRun.Dispatch(
                        "message",
                        global -> messageEvent(global.realm(), message, origin, source),
                        over -> {},
                        discarded -> serviceWorkers.send(message::discard))));
  }

  /** Creates the event for a message to a service worker, as in step 6.2 of postMessage(). */
  private static ExtendableEvent messageEvent(
      Realm realm, SerializedValue message, String origin, @Nullable MessageSource from) {
    return MessageEvents.arrived(
        realm,
        message,
        origin,
        MessageSource.object(realm, from),
        type -> new ExtendableEvent(realm, "ExtendableMessageEvent", type, false));
  }

  /**
   * Serializes the arguments of a {@code postMessage()}.
   *
   * @param name the interface of the method, for exception messages
   */
  static SerializedValue serialize(Arguments args, String name) {
    return StructuredClone.of(args.realm())
        .structuredSerializeWithTransfer(
            args.any(0),
            args.overload() == 0 ? args.any(1) : args.dictionary(1).any("transfer"),
            "Failed to execute 'postMessage' on '" + name + "'");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ServiceWorker", ServiceWorker.class)
        .getter("scriptURL", self -> self.worker.scriptUrl().href())
        .getter("state", self -> self.state.idlValue())
        .action("postMessage", ServiceWorker::postMessage);
  }
}
