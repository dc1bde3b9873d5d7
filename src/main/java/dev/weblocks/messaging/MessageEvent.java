package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.dom.EventTarget;
import org.graalvm.polyglot.Value;

/**
 * The {@code MessageEvent} interface, and the handlers of all that gets messages.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html#messageevent">HTML</a>
 */
public final class MessageEvent extends Event {

  private Value data;
  private String origin = "";
  private String lastEventId = "";

  /** An event without type and data, for {@code createEvent()}. */
  public MessageEvent(Realm realm) {
    super(realm, "", false, false);
    this.data = binding().nullValue();
  }

  private MessageEvent(Realm realm, String type, Value data) {
    super(realm, type, false, false);
    this.data = data;
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

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/comms.html#dom-messageevent-initmessageevent">initMessageEvent()</a>
   */
  private void initMessageEvent(Arguments args) {
    if (initialize(args)) {
      data = args.any(3);
      origin = args.string(4);
      lastEventId = args.string(5);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MessageEvent", MessageEvent.class)
        .constructor((realm, args) -> new MessageEvent(realm, args.string(0), args.dictionary(1)))
        .getter("data", event -> event.data)
        .getter("origin", event -> event.origin)
        .getter("lastEventId", event -> event.lastEventId)
        .action("initMessageEvent", MessageEvent::initMessageEvent);
    implementations
        .mixin("MessageEventTarget", EventTarget.class)
        .with(target -> EventHandlers.define(target, "onmessage"))
        .with(target -> EventHandlers.define(target, "onmessageerror"));
  }
}
