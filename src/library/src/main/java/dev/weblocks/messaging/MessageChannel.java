package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;

/**
 * The {@code MessageChannel} interface, a pair of entangled ports.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-channels">HTML</a>
 */
final class MessageChannel extends PlatformObject {

  private final MessagePort port1;
  private final MessagePort port2;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-messagechannel">new
   * MessageChannel()</a>
   */
  private MessageChannel(Realm realm) {
    super(realm);
    // 1. to 3.
    port1 = MessagePort.create(realm);
    port2 = MessagePort.of(realm, port1.entangleWithNew());
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MessageChannel", MessageChannel.class)
        .constructor((realm, args) -> new MessageChannel(realm))
        .getter("port1", channel -> channel.port1)
        .getter("port2", channel -> channel.port2);
  }
}
