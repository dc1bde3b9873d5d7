package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.messaging.MessageEvent;
import dev.weblocks.messaging.MessagePort;
import dev.weblocks.messaging.SerializedValue;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ExtendableMessageEvent} interface.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#extendablemessageevent-interface">Service
 *     Workers</a>
 */
final class ExtendableMessageEvent extends ExtendableEvent {

  private final Value data;
  private final String origin;
  private final String lastEventId;
  private final @Nullable PlatformObject source;
  private final List<MessagePort> ports;

  /** The frozen array of the ports; null until script reads {@code ports}. */
  private @Nullable Value portsArray;

  private ExtendableMessageEvent(
      Realm realm,
      String type,
      Value data,
      String origin,
      @Nullable PlatformObject source,
      List<MessagePort> ports) {
    super(realm, type);
    this.data = data;
    this.origin = origin;
    this.lastEventId = "";
    this.source = source;
    this.ports = ports;
  }

  private ExtendableMessageEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.data = init.any("data");
    this.origin = init.string("origin");
    this.lastEventId = init.string("lastEventId");
    this.source = init.objectOrNull("source", PlatformObject.class);
    this.ports = MessagePort.listOf(init.list("ports"));
  }

  /**
   * Creates the event for a message to a service worker: {@code message}, or {@code messageerror}
   * if the value cannot be deserialized. Called on the event loop of the worker.
   *
   * @see <a
   *     href="https://w3c.github.io/ServiceWorker/#dom-serviceworker-postmessage-message-options">
   *     postMessage(), step 6.2</a>
   */
  static ExtendableMessageEvent of(
      Realm realm, SerializedValue message, String origin, @Nullable MessageSource from) {
    PlatformObject source = MessageSource.object(realm, from);
    return MessageEvent.arrived(
        realm,
        message,
        (type, data, ports) ->
            new ExtendableMessageEvent(realm, type, data, origin, source, ports));
  }

  private Value ports() {
    Value made = portsArray;
    if (made == null) {
      made = binding().values().frozenArray(ports);
      portsArray = made;
    }
    return made;
  }

  @Override
  String interfaceName() {
    return "ExtendableMessageEvent";
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ExtendableMessageEvent", ExtendableMessageEvent.class)
        .constructor(
            (realm, args) -> new ExtendableMessageEvent(realm, args.string(0), args.dictionary(1)))
        .getter("data", event -> event.data)
        .getter("origin", event -> event.origin)
        .getter("lastEventId", event -> event.lastEventId)
        .getter("source", event -> event.source)
        .getter("ports", ExtendableMessageEvent::ports);
  }
}
