package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code EventTarget} interface, and dispatch.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-eventtarget">DOM</a>
 */
public class EventTarget extends PlatformObject {

  /** <a href="https://dom.spec.whatwg.org/#concept-event-listener">event listener</a> */
  private static final class Listener {
    final String type;
    final @Nullable Value callback;
    final EventHandlers.@Nullable Handler handler;
    final boolean capture;
    final boolean once;
    final boolean passive;
    boolean removed;

    Listener(
        String type,
        @Nullable Value callback,
        EventHandlers.@Nullable Handler handler,
        boolean capture,
        boolean once,
        boolean passive) {
      this.type = type;
      this.callback = callback;
      this.handler = handler;
      this.capture = capture;
      this.once = once;
      this.passive = passive;
    }

    boolean is(String otherType, @Nullable Value otherCallback, boolean otherCapture) {
      return handler == null
          && capture == otherCapture
          && type.equals(otherType)
          && callback != null
          && callback.equals(otherCallback);
    }
  }

  private List<Listener> listeners = List.of();
  private @Nullable EventHandlers handlers;

  public EventTarget(Realm realm) {
    super(realm);
  }

  /** <a href="https://dom.spec.whatwg.org/#get-the-parent">get the parent</a>; null for none. */
  protected @Nullable EventTarget getTheParent(Event event) {
    return null;
  }

  /** The event handler attributes of this object. */
  public final EventHandlers handlers() {
    EventHandlers existing = handlers;
    if (existing == null) {
      existing = new EventHandlers(this);
      handlers = existing;
    }
    return existing;
  }

  /** Whether anything listens for the type here. */
  public final boolean hasListener(String type) {
    for (Listener listener : listeners) {
      if (listener.type.equals(type)) {
        return true;
      }
    }
    return false;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-eventtarget-addeventlistener">DOM</a> */
  private void addEventListener(Arguments args) {
    String type = args.string(0);
    Value callback = args.nullable(1);
    // flatten more
    Value options = args.any(2);
    boolean capture;
    boolean once = false;
    boolean passive = false;
    AbortSignal signal = null;
    if (options.isBoolean()) {
      capture = options.asBoolean();
    } else {
      DictionaryView more = args.unionDictionary(2, "AddEventListenerOptions");
      capture = more.bool("capture");
      once = more.bool("once");
      passive = more.isPresent("passive") && more.bool("passive");
      signal = more.objectOrNull("signal", AbortSignal.class);
    }
    // add an event listener, steps 2 to 6
    if (signal != null && signal.isAborted()) {
      return;
    }
    if (callback == null || find(type, callback, capture) != null) {
      return;
    }
    Listener listener = new Listener(type, callback, null, capture, once, passive);
    add(listener);
    if (signal != null) {
      signal.add(() -> remove(listener));
    }
  }

  /** Adds the listener of an event handler, at the place where it was first set. */
  final void addHandlerListener(String type, EventHandlers.Handler handler) {
    add(new Listener(type, null, handler, false, false, false));
  }

  final void removeHandlerListener(EventHandlers.Handler handler) {
    for (Listener listener : listeners) {
      if (listener.handler == handler) {
        remove(listener);
        return;
      }
    }
  }

  private @Nullable Listener find(String type, Value callback, boolean capture) {
    for (Listener listener : listeners) {
      if (listener.is(type, callback, capture)) {
        return listener;
      }
    }
    return null;
  }

  // Lists are copied on write, so that a dispatch under way goes over the listeners of its start.
  private void add(Listener listener) {
    List<Listener> next = new ArrayList<>(listeners.size() + 1);
    next.addAll(listeners);
    next.add(listener);
    listeners = next;
    listenersChanged();
  }

  /** Called after a listener came or went. */
  protected void listenersChanged() {}

  /** <a href="https://dom.spec.whatwg.org/#remove-an-event-listener">DOM</a> */
  private void remove(Listener listener) {
    listener.removed = true;
    List<Listener> next = new ArrayList<>(listeners);
    next.remove(listener);
    listeners = next;
    listenersChanged();
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-eventtarget-removeeventlistener">DOM</a> */
  private void removeEventListener(Arguments args) {
    Value callback = args.nullable(1);
    Value options = args.any(2);
    boolean capture =
        options.isBoolean()
            ? options.asBoolean()
            : args.unionDictionary(2, "EventListenerOptions").bool("capture");
    Listener listener = callback == null ? null : find(args.string(0), callback, capture);
    if (listener != null) {
      remove(listener);
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-eventtarget-dispatchevent">DOM</a> */
  private boolean dispatchEvent(Event event) {
    // 1.
    if (event.isDispatching() || !event.isInitialized()) {
      throw ScriptException.dom(
          "InvalidStateError",
          "Failed to execute 'dispatchEvent' on 'EventTarget': The event is already being dispatched.");
    }
    // 2.
    event.setTrusted(false);
    // 3.
    return dispatch(event, null);
  }

  /**
   * Fires an event of the user agent's own.
   *
   * @return false if a listener canceled it
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-fire">fire an event</a>
   */
  public final boolean fire(Event event) {
    event.setTrusted(true);
    return dispatch(event, null);
  }

  /** Fires an event whose target is another object than the one that it is dispatched to. */
  public final boolean fireWithTarget(Event event, EventTarget target) {
    event.setTrusted(true);
    return dispatch(event, target);
  }

  /**
   * Dispatches an event to this target.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-dispatch">dispatch</a>
   */
  private boolean dispatch(Event event, @Nullable EventTarget targetOverride) {
    List<EventTarget> path = new ArrayList<>(2);
    path.add(this);
    for (EventTarget at = getTheParent(event); at != null; at = at.getTheParent(event)) {
      path.add(at);
    }
    event.beginDispatch(targetOverride == null ? this : targetOverride, path);
    // 5.13: capturing, from the root down; the target itself is first in the path
    for (int i = path.size() - 1; i >= 0; i--) {
      event.at(path.get(i), i == 0 ? Event.Phase.AT_TARGET : Event.Phase.CAPTURING);
      path.get(i).invoke(event, true);
    }
    // 5.14: at the target, then bubbling
    for (int i = 0; i < path.size() && (i == 0 || event.bubbles()); i++) {
      event.at(path.get(i), i == 0 ? Event.Phase.AT_TARGET : Event.Phase.BUBBLING);
      path.get(i).invoke(event, false);
    }
    event.endDispatch();
    return !event.isCanceled();
  }

  /**
   * Invokes the listeners of one phase at this object of the path.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-listener-invoke">invoke</a>
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-listener-inner-invoke">inner
   *     invoke</a>
   */
  private void invoke(Event event, boolean capturing) {
    if (event.isPropagationStopped()) {
      return;
    }
    RealmBinding binding = binding();
    for (Listener listener : listeners) {
      if (listener.removed
          || listener.capture != capturing
          || !listener.type.equals(event.type())) {
        continue;
      }
      if (listener.once) {
        remove(listener);
      }
      if (listener.handler != null) {
        listener.handler.process(event);
      } else if (listener.callback != null) {
        event.setInPassiveListener(listener.passive);
        binding.callUserObject(listener.callback, "handleEvent", object(), event.object());
        event.setInPassiveListener(false);
      }
      if (event.isImmediatePropagationStopped()) {
        return;
      }
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("EventTarget", EventTarget.class)
        .constructor((realm, args) -> new EventTarget(realm))
        .action("addEventListener", EventTarget::addEventListener)
        .action("removeEventListener", EventTarget::removeEventListener)
        .operation(
            "dispatchEvent", (target, args) -> target.dispatchEvent(args.object(0, Event.class)));
  }
}
