package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import org.graalvm.polyglot.Value;

/**
 * The {@code MessageEvent} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html#messageevent">HTML</a>
 */
public final class MessageEvent extends Event {

  private final Value data;
  private final String origin;
  private final String lastEventId;

  private MessageEvent(Realm realm, String type, Value data) {
    super(realm, type, false, false);
    this.data = data;
    this.origin = "";
    this.lastEventId = "";
  }

  /**
   * The event for a message that arrives through a message port, as between a worker and its owner:
   * {@code message}, or {@code messageerror} where the value cannot be made in this realm.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps">
   *     message port post message steps</a>
   */
  public static MessageEvent of(Realm realm, SerializedValue message) {
    DeserializedValue made;
    try {
      made = StructuredClone.of(realm).structuredDeserializeWithTransfer(message);
    } catch (ScriptException refused) {
      return new MessageEvent(realm, "messageerror", RealmBinding.of(realm).nullValue());
    }
    return new MessageEvent(realm, "message", made.value());
  }

  private MessageEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.data = init.any("data");
    this.origin = init.string("origin");
    this.lastEventId = init.string("lastEventId");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MessageEvent", MessageEvent.class)
        .constructor((realm, args) -> new MessageEvent(realm, args.string(0), args.dictionary(1)))
        .getter("data", event -> event.data)
        .getter("origin", event -> event.origin)
        .getter("lastEventId", event -> event.lastEventId);
  }
}
