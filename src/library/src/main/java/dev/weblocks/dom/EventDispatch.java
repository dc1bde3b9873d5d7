package dev.weblocks.dom;

import dev.weblocks.binding.RealmBinding;
import dev.weblocks.dom.Event.PathItem;
import dev.weblocks.dom.Event.Phase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dispatch of events. A Java loop calls into the context once per listener. Therefore
 * microtasks run after each listener of an event that the user agent fires, but not between the
 * listeners of a script's {@code dispatchEvent()}.
 *
 * @see <a href="https://dom.spec.whatwg.org/#dispatching-events">DOM</a>
 */
final class EventDispatch {

  private EventDispatch() {}

  /**
   * Dispatches an event. Retargeting, which only shadow trees need, and activation behavior are
   * left out.
   *
   * @param targetOverride the value of {@code event.target}; null if it is {@code target}
   * @return false if a listener canceled the event
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-dispatch">dispatch</a>
   */
  static boolean dispatch(Event event, EventTarget target, @Nullable EventTarget targetOverride) {
    // 5.3: append to an event path
    List<PathItem> path = new ArrayList<>(4);
    path.add(new PathItem(target, targetOverride == null ? target : targetOverride));
    // 5.9
    EventTarget parent = target.getTheParent(event);
    while (parent != null) {
      path.add(new PathItem(parent, null));
      parent = parent.getTheParent(event);
    }
    // 1.
    event.beginDispatch(path);
    try {
      // 5.13
      for (int i = path.size() - 1; i >= 0; i--) {
        boolean atTarget = path.get(i).shadowAdjustedTarget() != null;
        event.setPhase(atTarget ? Phase.AT_TARGET : Phase.CAPTURING);
        invoke(i, event, true);
      }
      // 5.14
      for (int i = 0; i < path.size(); i++) {
        if (path.get(i).shadowAdjustedTarget() != null) {
          event.setPhase(Phase.AT_TARGET);
        } else if (event.bubbles()) {
          event.setPhase(Phase.BUBBLING);
        } else {
          continue;
        }
        invoke(i, event, false);
      }
    } finally {
      // 6. to 9., also after a stack overflow
      event.endDispatch();
    }
    // 12.
    return !event.isCanceled();
  }

  /**
   * Invokes the listeners of one struct of the path. Step 9, legacy event types, is left out: it
   * concerns trusted events of animations and transitions, which are not implemented.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-listener-invoke">invoke</a>
   */
  private static void invoke(int index, Event event, boolean capturing) {
    List<PathItem> path = event.path();
    // 1.
    for (int i = index; i >= 0; i--) {
      EventTarget target = path.get(i).shadowAdjustedTarget();
      if (target != null) {
        event.setTarget(target);
        break;
      }
    }
    // 4.
    if (event.isPropagationStopped()) {
      return;
    }
    // 5.
    EventTarget current = path.get(index).invocationTarget();
    event.setCurrentTarget(current);
    // 6. to 8.
    innerInvoke(event, current, current.listeners(event.type()), capturing);
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-event-listener-inner-invoke">inner invoke</a> */
  private static void innerInvoke(
      Event event, EventTarget current, List<EventListener> listeners, boolean capturing) {
    for (EventListener listener : listeners) {
      // 2. and 2.1 to 2.4
      if (listener.removed || listener.capture != capturing) {
        continue;
      }
      // 2.5
      if (listener.once) {
        current.remove(listener);
      }
      // 2.6 to 2.8
      CurrentEvent ofWindow = CurrentEvent.of(listener.realm);
      Event outer = ofWindow == null ? null : ofWindow.get();
      if (ofWindow != null) {
        ofWindow.set(event);
      }
      // 2.9
      if (listener.passive) {
        event.setInPassiveListener(true);
      }
      try {
        // 2.11
        call(listener, current, event);
      } finally {
        // 2.12 and 2.13
        event.setInPassiveListener(false);
        if (ofWindow != null) {
          ofWindow.set(outer);
        }
      }
      // 2.14
      if (event.isImmediatePropagationStopped()) {
        return;
      }
    }
  }

  private static void call(EventListener listener, EventTarget current, Event event) {
    switch (listener.callback) {
      case EventHandlers.Handler handler -> handler.process(event);
      case EventListener.Script script ->
          RealmBinding.of(listener.realm)
              .callbacks()
              .callUserObject(script.object(), "handleEvent", current.object(), event.object());
    }
  }
}
