package dev.weblocks.dom;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.Member;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The event handler map of an event target: the values of its {@code on…} attributes.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handlers">HTML</a>
 */
public final class EventHandlers {

  /**
   * The processing of special events, whose handlers have other arguments or return values.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#the-event-handler-processing-algorithm">HTML</a>
   */
  public interface SpecialHandling {
    /**
     * Calls the handler of a special event; does nothing for any other event.
     *
     * @return whether the handler canceled the event; null if the handler was not called
     */
    @Nullable Boolean callAndTellCanceled(Event event, Value callback);
  }

  private final EventTarget target;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-map">event
   * handler map</a>
   */
  private final Map<String, Handler> byName = new HashMap<>();

  private @Nullable SpecialHandling special;

  EventHandlers(EventTarget target) {
    this.target = target;
  }

  /** Sets the processing of special events at this target, such as {@code error} at a global. */
  public void handleSpecially(SpecialHandling handling) {
    special = handling;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#getting-the-current-value-of-the-event-handler">getting
   * the current value of the event handler</a>
   */
  public @Nullable Value get(String attribute) {
    Handler handler = byName.get(attribute);
    return handler == null ? null : handler.currentValue();
  }

  /**
   * Sets an event handler from a content attribute; the handler is compiled on first use.
   *
   * @param compile returns the function; if the attribute is not a valid function body, reports the
   *     error and returns null
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-content-attributes">event
   *     handler content attributes</a>
   */
  public void setUncompiled(String attribute, Supplier<@Nullable Value> compile) {
    Handler handler = byName.get(attribute);
    if (handler == null) {
      handler = activate(attribute);
    }
    handler.value = null;
    handler.uncompiled = compile;
  }

  /**
   * Sets an event handler attribute.
   *
   * @param value null removes the handler
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-idl-attributes">event
   *     handler IDL attributes</a>
   */
  public void set(String attribute, @Nullable Value value) {
    Handler handler = byName.get(attribute);
    if (value == null) {
      if (handler != null) {
        deactivate(attribute, handler);
      }
    } else {
      if (handler == null) {
        handler = activate(attribute);
      }
      handler.value = value;
      handler.uncompiled = null;
    }
  }

  /**
   * Adds a handler as a listener. The handler keeps its place among the listeners until it is
   * deactivated.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#activate-an-event-handler">activate
   *     an event handler</a>
   */
  private Handler activate(String attribute) {
    Handler handler = new Handler();
    byName.put(attribute, handler);
    handler.listener = target.addHandlerListener(attribute.substring(2), handler);
    return handler;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#deactivate-an-event-handler">deactivate
   * an event handler</a>
   */
  private void deactivate(String attribute, Handler handler) {
    byName.remove(attribute);
    if (handler.listener != null) {
      target.remove(handler.listener);
    }
  }

  /** Derives the code of an attribute from its type, such as {@code EventHandler}. */
  static Implementations.@Nullable Code derive(
      IdlModel model, String owner, String key, Member member) {
    if (!(member instanceof Member.Attribute attribute) || !isEventHandler(attribute.type())) {
      return null;
    }
    String name = attribute.name();
    boolean reads = key.startsWith("get ");
    return Implementations.code(
        EventTarget.class,
        (self, args) -> {
          EventTarget holder = self.determineTargetOfEventHandler(name);
          if (holder != null && !reads) {
            holder.handlers().set(name, args.nullable(0));
          }
          return holder != null && reads ? holder.handlers().get(name) : null;
        });
  }

  private static boolean isEventHandler(IdlType type) {
    return type instanceof IdlType.NullableType nullable
        && nullable.inner() instanceof IdlType.NamedType named
        && named.name().endsWith("EventHandlerNonNull");
  }

  /**
   * Returns whether a handler returned the expected primitive boolean, not an object that wraps it.
   *
   * @param result null if the handler threw
   */
  public static boolean returned(@Nullable Value result, boolean expected) {
    return result != null
        && result.isBoolean()
        && !result.hasMembers()
        && result.asBoolean() == expected;
  }

  /**
   * One <a href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handlers">event
   * handler</a>.
   */
  final class Handler implements EventListener.Callback {
    private @Nullable Value value;

    /**
     * <a
     * href="https://html.spec.whatwg.org/multipage/webappapis.html#internal-raw-uncompiled-handler">internal
     * raw uncompiled handler</a>
     */
    private @Nullable Supplier<@Nullable Value> uncompiled;

    private @Nullable EventListener listener;

    private @Nullable Value currentValue() {
      Supplier<@Nullable Value> compile = uncompiled;
      if (compile != null) {
        uncompiled = null; // if compilation fails, the value stays null
        value = compile.get();
      }
      return value;
    }

    /**
     * <a
     * href="https://html.spec.whatwg.org/multipage/webappapis.html#the-event-handler-processing-algorithm">the
     * event handler processing algorithm</a>
     */
    void process(Event event) {
      // 1. and 2.; an object that is not callable can be set, but is ignored here
      Value callback = currentValue();
      if (callback == null || !callback.canExecute()) {
        return;
      }
      // 3. to 5.
      Boolean canceled = special == null ? null : special.callAndTellCanceled(event, callback);
      if (canceled == null) {
        PlatformObject current = event.currentTarget() == null ? target : event.currentTarget();
        Value result =
            target.binding().callbacks().callAndReport(callback, current.object(), event.object());
        canceled = returned(result, false);
      }
      if (canceled) {
        event.setCanceledFlag();
      }
    }
  }
}
