package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.global.GlobalScope;
import org.jspecify.annotations.Nullable;

/**
 * The {@code BroadcastChannel} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#broadcasting-to-other-browsing-contexts">HTML</a>
 */
final class BroadcastChannel extends EventTarget implements BroadcastChannels.Receiver {

  private static final String POST_MESSAGE =
      "Failed to execute 'postMessage' on 'BroadcastChannel'";

  private final String name;
  private BroadcastChannels.@Nullable Membership membership;

  private BroadcastChannel(Realm realm, String name) {
    super(realm);
    this.name = name;
    this.membership = BroadcastChannels.of(realm.agent().userAgent()).join(this, name);
  }

  /**
   * Returns whether the window is fully active, or the worker is not closing.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#eligible-for-messaging">
   *     eligible for messaging</a>
   */
  private boolean isEligibleForMessaging() {
    return !realm().isDiscarded()
        && !realm().agent().eventLoop().isClosed()
        && GlobalScope.of(realm()).isFullyActive();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-broadcastchannel-postmessage">postMessage()</a>
   */
  private void postMessage(Arguments args) {
    // 1.
    if (!isEligibleForMessaging()) {
      return;
    }
    // 2.
    BroadcastChannels.Membership open = membership;
    if (open == null) {
      throw ScriptException.dom("InvalidStateError", POST_MESSAGE + ": Channel is closed");
    }
    // 3.
    SerializedValue message =
        StructuredClone.of(args.realm()).structuredSerialize(args.any(0), POST_MESSAGE);
    // 4. to 9.
    open.post(message, realm().settings().origin().serialize());
  }

  /** Runs step 9 of postMessage() for one destination. Called in a task. */
  @Override
  public void receive(SerializedValue message, String origin) {
    // 9.1
    if (membership != null && isEligibleForMessaging()) {
      fire(MessageEvents.of(realm(), message, origin, null));
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-broadcastchannel-close">close()</a>
   */
  @Override
  public void close() {
    BroadcastChannels.Membership open = membership;
    if (open != null) {
      membership = null;
      open.leave();
    }
  }

  /** Retains this channel while it has listeners, even if script has no reference to it. */
  @Override
  protected void listenersChanged() {
    if (membership != null) {
      membership.keep(hasListener("message") || hasListener("messageerror"));
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("BroadcastChannel", BroadcastChannel.class)
        .constructor((realm, args) -> new BroadcastChannel(realm, args.string(0)))
        .getter("name", channel -> channel.name)
        .action("postMessage", BroadcastChannel::postMessage)
        .action("close", (channel, args) -> channel.close());
  }
}
