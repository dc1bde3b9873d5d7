package dev.weblocks.dom;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import java.util.HashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The event handler map of an event target: what its {@code on…} attributes hold.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handlers">HTML</a>
 */
public final class EventHandlers {

  /**
   * How the return value of a handler is understood.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#the-event-handler-processing-algorithm">HTML</a>
   */
  public interface SpecialHandling {
    /**
     * Calls a handler in a way of its own.
     *
     * @return null if this event is not special
     */
    @Nullable Boolean callAndTellCanceled(Event event, Value callback);
  }

  private final EventTarget target;
  private final Map<String, Handler> byType = new HashMap<>();
  private @Nullable SpecialHandling special;

  EventHandlers(EventTarget target) {
    this.target = target;
  }

  /** Makes some events of this target special, such as {@code error} at a global. */
  public void handleSpecially(SpecialHandling handling) {
    special = handling;
  }

  /** The value of an event handler attribute. */
  public @Nullable Value get(String type) {
    Handler handler = byType.get(type);
    return handler == null ? null : handler.callback;
  }

  /** Sets an event handler attribute; null removes the handler. */
  public void set(String type, @Nullable Value callback) {
    Handler handler = byType.get(type);
    if (callback == null) {
      if (handler != null) {
        byType.remove(type);
        target.removeHandlerListener(handler);
      }
    } else if (handler == null) {
      Handler added = new Handler(callback);
      byType.put(type, added);
      target.addHandlerListener(type, added);
    } else {
      handler.callback = callback;
    }
  }

  /**
   * Defines an event handler attribute.
   *
   * @param attribute its name, {@code on} and the event type
   */
  public static <T extends EventTarget> void define(
      Implementations.Interface<T> implementation, String attribute) {
    String type = attribute.substring(2);
    implementation
        .getter(attribute, self -> self.handlers().get(type))
        .setter(attribute, (self, args) -> self.handlers().set(type, args.nullable(0)));
  }

  /** One event handler. */
  final class Handler {
    private Value callback;

    Handler(Value callback) {
      this.callback = callback;
    }

    /**
     * <a
     * href="https://html.spec.whatwg.org/multipage/webappapis.html#the-event-handler-processing-algorithm">the
     * event handler processing algorithm</a>
     */
    void process(Event event) {
      if (!callback.canExecute()) {
        return; // an object that is no function is kept, and ignored here
      }
      Boolean canceled = special == null ? null : special.callAndTellCanceled(event, callback);
      if (canceled == null) {
        RealmBinding binding = target.binding();
        PlatformObject current = event.currentTarget() == null ? target : event.currentTarget();
        Value result = binding.callAndReport(callback, current.object(), event.object());
        canceled = result != null && result.isBoolean() && !result.asBoolean();
      }
      if (canceled) {
        event.setCanceledFlag();
      }
    }
  }
}
