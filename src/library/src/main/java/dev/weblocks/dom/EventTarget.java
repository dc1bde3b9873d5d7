package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code EventTarget} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-eventtarget">DOM</a>
 */
public class EventTarget extends PlatformObject {

  /** The listeners of one event type, in order, by what identifies them. */
  private static final class OfType {
    final Map<EventListener.Key, EventListener> listeners = new LinkedHashMap<>();

    /** An immutable copy, so that a loop is not affected by changes; null after a change. */
    @Nullable List<EventListener> copy;
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#eventtarget-event-listener-list">event listener list</a>,
   * by event type: script cannot observe the order of listeners of different types. No type without
   * a listener.
   */
  private Map<String, OfType> listeners = Map.of();

  private @Nullable EventHandlers handlers;

  public EventTarget(Realm realm) {
    super(realm);
  }

  /** <a href="https://dom.spec.whatwg.org/#get-the-parent">get the parent</a>; null for none. */
  protected @Nullable EventTarget getTheParent(Event event) {
    return null;
  }

  /**
   * Returns whether touch and wheel listeners of this object are passive by default: true for a
   * window, a document, its document element and its body.
   *
   * @see <a href="https://dom.spec.whatwg.org/#default-passive-value">default passive value</a>
   */
  protected boolean hasPassiveScrollListeners() {
    return false;
  }

  /**
   * Returns the object that holds the event handler of an attribute: usually this object; null for
   * none.
   *
   * @param attribute the attribute's name: {@code on}, then the event type
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#determining-the-target-of-an-event-handler">determining
   *     the target of an event handler</a>
   */
  protected @Nullable EventTarget determineTargetOfEventHandler(String attribute) {
    return this;
  }

  /** Returns the event handlers of this object. */
  public final EventHandlers handlers() {
    EventHandlers existing = handlers;
    if (existing == null) {
      existing = new EventHandlers(this);
      handlers = existing;
    }
    return existing;
  }

  /** Returns the listeners of an event type; later changes do not affect the list. */
  final List<EventListener> listeners(String type) {
    OfType ofType = listeners.get(type);
    if (ofType == null) {
      return List.of();
    }
    List<EventListener> copy = ofType.copy;
    if (copy == null) {
      copy = List.copyOf(ofType.listeners.values());
      ofType.copy = copy;
    }
    return copy;
  }

  /** Returns whether this object has a listener. */
  public final boolean hasListeners() {
    return !listeners.isEmpty();
  }

  /** Returns whether this object has a listener for a type. */
  public final boolean hasListener(String type) {
    return listeners.containsKey(type);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#dom-eventtarget-addeventlistener">addEventListener()</a>
   */
  private void addEventListener(Arguments args) {
    // 1.: flatten more options, https://dom.spec.whatwg.org/#event-flatten-more
    Value options = args.any(2);
    boolean capture;
    boolean once = false;
    Boolean passive = null;
    AbortSignal signal = null;
    if (options.isBoolean()) {
      capture = options.asBoolean();
    } else {
      DictionaryView more = args.unionDictionary(2, "AddEventListenerOptions");
      capture = more.bool("capture");
      once = more.bool("once");
      if (more.isPresent("passive")) {
        passive = more.bool("passive");
      }
      signal = more.objectOrNull("signal", AbortSignal.class);
    }
    // 2.
    Value callback = args.nullable(1);
    addAnEventListener(
        args.string(0),
        callback == null ? null : new EventListener.Script(callback),
        capture,
        once,
        passive,
        signal);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#add-an-event-listener">add an event listener</a>
   *
   * @return the listener, null if none was added
   */
  private @Nullable EventListener addAnEventListener(
      String type,
      EventListener.@Nullable Callback callback,
      boolean capture,
      boolean once,
      @Nullable Boolean passive,
      @Nullable AbortSignal signal) {
    // 2. and 3.
    if ((signal != null && signal.isAborted()) || callback == null) {
      return null;
    }
    // 5., the condition
    EventListener.Key key = new EventListener.Key(callback, capture);
    if (find(type, key) != null) {
      return null;
    }
    // 4.
    boolean isPassive = passive == null ? defaultPassiveValue(type) : passive;
    EventListener listener =
        new EventListener(type, callback, realmOf(callback), capture, once, isPassive);
    // 5.
    if (listeners.isEmpty()) {
      listeners = new HashMap<>();
    }
    OfType ofType = listeners.computeIfAbsent(type, added -> new OfType());
    ofType.listeners.put(key, listener);
    ofType.copy = null;
    listenersChanged();
    // 6.
    if (signal != null) {
      listener.removeOnAbort(signal, () -> remove(listener));
    }
    return listener;
  }

  /** <a href="https://dom.spec.whatwg.org/#default-passive-value">default passive value</a> */
  private boolean defaultPassiveValue(String type) {
    return switch (type) {
      case "touchstart", "touchmove", "wheel", "mousewheel" -> hasPassiveScrollListeners();
      default -> false;
    };
  }

  final EventListener addHandlerListener(String type, EventHandlers.Handler handler) {
    EventListener added = addAnEventListener(type, handler, false, false, null, null);
    if (added == null) {
      throw new IllegalStateException("the listener of an event handler was added twice");
    }
    return added;
  }

  /** Returns the associated realm of a callback; for an event handler, the realm of this object. */
  private Realm realmOf(EventListener.Callback callback) {
    return switch (callback) {
      case EventListener.Script script -> binding().callbacks().associatedRealm(script.object());
      case EventHandlers.Handler handler -> realm();
    };
  }

  private @Nullable EventListener find(String type, EventListener.Key key) {
    OfType ofType = listeners.get(type);
    return ofType == null ? null : ofType.listeners.get(key);
  }

  /** Called after a listener was added or removed. */
  protected void listenersChanged() {}

  /**
   * <a href="https://dom.spec.whatwg.org/#remove-an-event-listener">remove an event listener</a>
   */
  final void remove(EventListener listener) {
    if (listener.removed) {
      return;
    }
    listener.removed = true;
    OfType ofType = listeners.get(listener.type);
    if (ofType != null) {
      ofType.listeners.remove(new EventListener.Key(listener.callback, listener.capture));
      ofType.copy = null;
      if (ofType.listeners.isEmpty()) {
        listeners.remove(listener.type);
      }
    }
    listener.forgetSignal();
    listenersChanged();
  }

  /**
   * <a
   * href="https://dom.spec.whatwg.org/#dom-eventtarget-removeeventlistener">removeEventListener()</a>
   */
  private void removeEventListener(Arguments args) {
    // 1.: flatten options, https://dom.spec.whatwg.org/#concept-flatten-options
    Value options = args.any(2);
    boolean capture =
        options.isBoolean()
            ? options.asBoolean()
            : args.unionDictionary(2, "EventListenerOptions").bool("capture");
    // 2.
    Value callback = args.nullable(1);
    EventListener listener =
        callback == null
            ? null
            : find(
                args.string(0), new EventListener.Key(new EventListener.Script(callback), capture));
    if (listener != null) {
      remove(listener);
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-eventtarget-dispatchevent">dispatchEvent()</a> */
  private boolean dispatchEvent(Event event) {
    // 1.
    if (!event.isInitialized()) {
      throw ScriptException.dom(
          "InvalidStateError",
          "Failed to execute 'dispatchEvent' on 'EventTarget': The event provided is uninitialized.");
    }
    if (event.isDispatching()) {
      throw ScriptException.dom(
          "InvalidStateError",
          "Failed to execute 'dispatchEvent' on 'EventTarget': The event is already being dispatched.");
    }
    // 2.
    event.setTrusted(false);
    // 3.
    return EventDispatch.dispatch(event, this, null);
  }

  /**
   * Fires a trusted event.
   *
   * @return false if a listener canceled the event
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-fire">fire an event</a>
   */
  public final boolean fire(Event event) {
    event.setTrusted(true);
    return EventDispatch.dispatch(event, this, null);
  }

  /** Fires an untrusted event, for an action that a user did not perform. */
  public final boolean fireUntrusted(Event event) {
    event.setTrusted(false);
    return EventDispatch.dispatch(event, this, null);
  }

  /** Fires a trusted event at this object, with {@code target} as the target of the event. */
  public final boolean fireWithTarget(Event event, EventTarget target) {
    event.setTrusted(true);
    return EventDispatch.dispatch(event, this, target);
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
