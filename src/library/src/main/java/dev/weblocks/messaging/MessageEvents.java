package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import java.util.List;
import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The events about messages. All methods are called on the event loop of the realm's agent.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html#messageevent">HTML</a>
 */
public final class MessageEvents {

  private MessageEvents() {}

  /**
   * Creates an event of the user agent.
   *
   * @param data a value of the realm's agent
   * @param origin a serialized origin, or empty
   * @param source a Window, a MessagePort, a ServiceWorker or null
   */
  public static Event of(
      Realm realm,
      String type,
      Value data,
      String origin,
      @Nullable PlatformObject source,
      List<MessagePort> ports) {
    return new Event(realm, "MessageEvent", type, false, false)
        .with("data", data)
        .with("origin", origin)
        .with("source", source)
        .with("ports", ports);
  }

  /**
   * Creates the event for a message that arrives through a message port: like {@link #of(Realm,
   * SerializedValue, String, PlatformObject)}, without origin and source.
   */
  public static Event of(Realm realm, SerializedValue message) {
    return of(realm, message, "", null);
  }

  /**
   * Creates the event for a message that arrives: {@code message} with the ports that were
   * transferred, or {@code messageerror} if the value cannot be deserialized in this realm.
   *
   * @param origin a serialized origin, or empty
   * @param source a Window, a MessagePort, a ServiceWorker or null
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps">
   *     message port post message steps</a>
   */
  public static Event of(
      Realm realm, SerializedValue message, String origin, @Nullable PlatformObject source) {
    return arrived(
        realm,
        message,
        origin,
        source,
        type -> new Event(realm, "MessageEvent", type, false, false));
  }

  /**
   * Does the same as {@link #of(Realm, SerializedValue, String, PlatformObject)} with an event of
   * another interface.
   *
   * @param events creates an event of a type, with the attributes of a message event
   */
  public static <E extends Event> E arrived(
      Realm realm,
      SerializedValue message,
      String origin,
      @Nullable PlatformObject source,
      Function<String, E> events) {
    DeserializedValue made = null;
    try {
      made = StructuredClone.of(realm).structuredDeserializeWithTransfer(message);
    } catch (ScriptException refused) {
      message.discard();
    }
    E event = events.apply(made == null ? "messageerror" : "message");
    if (made != null) {
      event.with("data", made.value()).with("ports", made.ports(event.binding()));
    }
    event.with("origin", origin).with("source", source);
    return event;
  }
}
