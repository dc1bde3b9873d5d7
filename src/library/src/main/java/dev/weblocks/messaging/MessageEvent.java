package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code MessageEvent} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html#messageevent">HTML</a>
 */
public final class MessageEvent extends Event {

  private Value data;
  private String origin = "";
  private String lastEventId = "";
  private @Nullable PlatformObject source;
  private List<MessagePort> ports = List.of();

  /** The frozen array of the ports; null until script reads it. */
  private @Nullable Value portsArray;

  /** Creates an event without type and data, for {@code createEvent()}. */
  public MessageEvent(Realm realm) {
    super(realm, "", false, false);
    this.data = binding().values().nullValue();
  }

  /**
   * Creates an event of the user agent. Called on the event loop of the realm's agent.
   *
   * @param data a value of that agent
   * @param origin a serialized origin, or empty
   * @param source a Window, a MessagePort, a ServiceWorker or null
   */
  public MessageEvent(
      Realm realm,
      String type,
      Value data,
      String origin,
      @Nullable PlatformObject source,
      List<MessagePort> ports) {
    super(realm, type, false, false);
    this.data = data;
    this.origin = origin;
    this.source = source;
    this.ports = List.copyOf(ports);
  }

  /**
   * Creates the event for a message that arrives through a message port: like {@link #of(Realm,
   * SerializedValue, String, PlatformObject)}, without origin and source.
   */
  public static MessageEvent of(Realm realm, SerializedValue message) {
    return of(realm, message, "", null);
  }

  /**
   * Creates the event for a message that arrives: {@code message} with the ports that were
   * transferred, or {@code messageerror} if the value cannot be deserialized in this realm. On the
   * event loop of the realm's agent.
   *
   * @param origin a serialized origin, or empty
   * @param source a Window, a MessagePort, a ServiceWorker or null
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps">
   *     message port post message steps</a>
   */
  public static MessageEvent of(
      Realm realm, SerializedValue message, String origin, @Nullable PlatformObject source) {
    return arrived(
        realm,
        message,
        (type, data, ports) -> new MessageEvent(realm, type, data, origin, source, ports));
  }

  /** A factory of events for messages that arrive. */
  @FunctionalInterface
  public interface Factory<E> {
    E create(String type, Value data, List<MessagePort> ports);
  }

  /** Does the same as {@link #of}, but a factory creates the event. */
  public static <E> E arrived(Realm realm, SerializedValue message, Factory<E> events) {
    RealmBinding binding = RealmBinding.of(realm);
    DeserializedValue made;
    try {
      made = StructuredClone.of(realm).structuredDeserializeWithTransfer(message);
    } catch (ScriptException refused) {
      message.discard();
      return events.create("messageerror", binding.values().nullValue(), List.of());
    }
    return events.create("message", made.value(), made.ports(binding));
  }

  private MessageEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.data = init.any("data");
    this.origin = init.string("origin");
    this.lastEventId = init.string("lastEventId");
    this.source = init.objectOrNull("source", PlatformObject.class);
    this.ports = MessagePort.listOf(init.list("ports"));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/comms.html#dom-messageevent-initmessageevent">initMessageEvent()</a>
   */
  private void initMessageEvent(Arguments args) {
    if (initialize(args)) {
      data = args.any(3);
      origin = args.string(4);
      lastEventId = args.string(5);
      source = args.objectOrNull(6, PlatformObject.class);
      ports = MessagePort.listOf(args.list(7));
      portsArray = null;
    }
  }

  private Value ports() {
    Value made = portsArray;
    if (made == null) {
      made = binding().values().frozenArray(ports);
      portsArray = made;
    }
    return made;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MessageEvent", MessageEvent.class)
        .constructor((realm, args) -> new MessageEvent(realm, args.string(0), args.dictionary(1)))
        .getter("data", event -> event.data)
        .getter("origin", event -> event.origin)
        .getter("lastEventId", event -> event.lastEventId)
        .getter("source", event -> event.source)
        .getter("ports", MessageEvent::ports)
        .action("initMessageEvent", MessageEvent::initMessageEvent);
  }
}
