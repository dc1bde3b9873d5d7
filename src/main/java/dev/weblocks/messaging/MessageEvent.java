package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
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

  /** A {@code message} event with data and no origin, as between a worker and its owner. */
  public MessageEvent(Realm realm, Value data) {
    super(realm, "message", false, false);
    this.data = data;
    this.origin = "";
    this.lastEventId = "";
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
