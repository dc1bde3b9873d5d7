package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code MessagePort} interface. Used on the event loop of its agent, except for the methods
 * that queue a task.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-ports">HTML</a>
 */
public final class MessagePort extends EventTarget implements PortHandle.Owner {

  private static final String POST_MESSAGE = "Failed to execute 'postMessage' on 'MessagePort'";

  private PortHandle handle;
  private boolean detached;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-event-target">message
   * event target</a>
   */
  private final EventTarget messageEventTarget;

  private MessagePort(Realm realm, PortHandle handle, @Nullable EventTarget messageEventTarget) {
    super(realm);
    this.handle = handle;
    this.messageEventTarget = messageEventTarget == null ? this : messageEventTarget;
  }

  /** Creates a port that is not entangled. Called on the event loop of the realm's agent. */
  public static MessagePort create(Realm realm) {
    return of(realm, new PortHandle());
  }

  /**
   * Creates a port that holds an end of a channel, and is not started. Called on the event loop of
   * the realm's agent.
   *
   * @throws IllegalStateException if another port holds the end
   */
  public static MessagePort of(Realm realm, PortHandle handle) {
    return hold(new MessagePort(realm, handle, null));
  }

  private static MessagePort hold(MessagePort port) {
    port.handle.hold(port);
    return port;
  }

  /**
   * Creates an implicit port, which is not entangled. Script sees only the given target, whose
   * {@code postMessage()} uses the port. Called on the event loop.
   */
  public static MessagePort createImplicit(EventTarget messageEventTarget) {
    return implicit(messageEventTarget, new PortHandle());
  }

  /**
   * Creates an implicit port that holds an end of a channel; see {@link #createImplicit}.
   *
   * @throws IllegalStateException if another port holds the end
   */
  public static MessagePort implicit(EventTarget messageEventTarget, PortHandle handle) {
    return hold(new MessagePort(messageEventTarget.realm(), handle, messageEventTarget));
  }

  /**
   * Disentangles this port, then entangles it with a new end of a channel. Returns the new end,
   * which can go to any realm of any agent. If the end is not used, the caller has to close it.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#entangle">entangle</a>
   */
  public PortHandle entangleWithNew() {
    return handle.entangleWithNew();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-messageport-postmessage">postMessage()</a>,
   * and the <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps">message
   * port post message steps</a>
   */
  private void postMessage(Arguments args) {
    postMessage(args, POST_MESSAGE);
  }

  /**
   * Runs {@code postMessage()} of this port, or of the object whose implicit port this is.
   *
   * @param attempt the start of exception messages
   */
  public void postMessage(Arguments args, String attempt) {
    boolean isList = args.overload() == 0;
    PortHandle target = handle.entangled();
    // 1.
    List<Value> transfer = isList ? args.list(1) : args.dictionary(1).list("transfer");
    boolean doomed = false;
    for (int i = 0; i < transfer.size(); i++) {
      PlatformObject each = binding().objects().implementation(transfer.get(i));
      // 2.
      if (each == this) {
        throw ScriptException.dom(
            "DataCloneError", attempt + ": Port at index " + i + " is the source port.");
      }
      // 3. and 4.
      doomed |= target != null && each instanceof MessagePort port && port.handle == target;
    }
    // 5.
    SerializedValue message =
        StructuredClone.of(args.realm())
            .structuredSerializeWithTransfer(
                args.any(0), isList ? args.any(1) : args.dictionary(1).any("transfer"), attempt);
    // 6.
    if (target == null || doomed) {
      message.discard();
      return;
    }
    // 7.
    target.enqueue(message);
  }

  /** Queues a task that fires an event for the oldest message. Callable on any thread. */
  @Override
  public void queueDelivery() {
    realm().queueTask(TaskSource.POSTED_MESSAGE, "message", this::deliverOldest);
  }

  /** Runs step 7 of the message port post message steps. */
  private void deliverOldest() {
    SerializedValue message = handle.poll(this);
    if (message != null) {
      messageEventTarget.fire(MessageEvents.of(realm(), message));
    }
  }

  /** Closes this port and drops its queued messages, so that none is delivered any more. */
  public void abandon() {
    detached = true;
    handle.close();
  }

  /** Queues a task that fires the close event. Callable on any thread. */
  @Override
  public void queueClose() {
    realm()
        .queueTask(
            TaskSource.POSTED_MESSAGE,
            "close",
            () -> {
              if (handle.takeCloseDue(this)) {
                fire(new Event(realm(), "close", false, false));
              }
            });
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-messageport-start">start()</a>
   */
  public void start() {
    for (int waiting = handle.enable(); waiting > 0; waiting--) {
      queueDelivery();
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#dom-messageport-close">close()</a>.
   * Messages that have already arrived are still delivered.
   */
  public void close() {
    // 1.
    detached = true;
    // 2.
    handle.disentangle();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-ports:transfer-steps">transfer
   * steps</a>
   */
  private PortHandle transfer() {
    if (detached) {
      throw ScriptException.dom("DataCloneError", "The port is closed or was transferred before.");
    }
    detached = true;
    PortHandle moved = handle;
    moved.leave();
    // an end of its own: this port is no longer entangled
    handle = new PortHandle();
    return moved;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("MessagePort", MessagePort.class)
        .action("postMessage", MessagePort::postMessage)
        .action("start", (port, args) -> port.start())
        .action("close", (port, args) -> port.close())
        .transferable(MessagePort::transfer, MessagePort::of);
    implementations
        .mixin("MessageEventTarget", EventTarget.class)
        .setter("onmessage", MessagePort::setOnMessage);
  }

  /** Sets {@code onmessage}. Starts the target if it is a port, even if the value is null. */
  private static void setOnMessage(EventTarget target, Arguments args) {
    target.handlers().set("onmessage", args.nullable(0));
    if (target instanceof MessagePort port) {
      port.start();
    }
  }
}
