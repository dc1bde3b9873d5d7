package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Event} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-event">DOM</a>
 */
public class Event extends PlatformObject {

  /** The values of {@code eventPhase}. */
  enum Phase {
    NONE(0),
    CAPTURING(1),
    AT_TARGET(2),
    BUBBLING(3);

    private final int value;

    Phase(int value) {
      this.value = value;
    }
  }

  private String type;
  private boolean bubbles;
  private boolean cancelable;
  private final boolean composed;
  private final double timeStamp;

  private boolean stopPropagation;
  private boolean stopImmediatePropagation;
  private boolean canceled;
  private boolean inPassiveListener;
  private boolean initialized = true;
  private boolean dispatching;
  private boolean trusted;

  private @Nullable EventTarget target;
  private @Nullable EventTarget currentTarget;
  private Phase phase = Phase.NONE;
  private List<EventTarget> path = List.of();

  /** An event that the user agent makes: trusted once it is {@link EventTarget#fire fired}. */
  public Event(Realm realm, String type, boolean bubbles, boolean cancelable) {
    this(realm, type, bubbles, cancelable, false);
  }

  private Event(Realm realm, String type, boolean bubbles, boolean cancelable, boolean composed) {
    super(realm);
    this.type = type;
    this.bubbles = bubbles;
    this.cancelable = cancelable;
    this.composed = composed;
    this.timeStamp = RelativeTime.now(realm);
  }

  /** An event that script constructs: {@code args} are its type and a dictionary from EventInit. */
  protected Event(Realm realm, String type, DictionaryView init) {
    this(realm, type, init.bool("bubbles"), init.bool("cancelable"), init.bool("composed"));
  }

  public final String type() {
    return type;
  }

  public final @Nullable EventTarget target() {
    return target;
  }

  final @Nullable EventTarget currentTarget() {
    return currentTarget;
  }

  public final boolean bubbles() {
    return bubbles;
  }

  public final boolean isCanceled() {
    return canceled;
  }

  final boolean isDispatching() {
    return dispatching;
  }

  final boolean isInitialized() {
    return initialized;
  }

  final boolean isPropagationStopped() {
    return stopPropagation;
  }

  final boolean isImmediatePropagationStopped() {
    return stopImmediatePropagation;
  }

  final void setTrusted(boolean value) {
    trusted = value;
  }

  final void setInPassiveListener(boolean value) {
    inPassiveListener = value;
  }

  final void beginDispatch(EventTarget dispatchTarget, List<EventTarget> eventPath) {
    dispatching = true;
    target = dispatchTarget;
    path = eventPath;
  }

  final void at(EventTarget current, Phase currentPhase) {
    currentTarget = current;
    phase = currentPhase;
  }

  final void endDispatch() {
    phase = Phase.NONE;
    currentTarget = null;
    path = List.of();
    dispatching = false;
    stopPropagation = false;
    stopImmediatePropagation = false;
  }

  /**
   * Sets the canceled flag, where the event allows it.
   *
   * @see <a href="https://dom.spec.whatwg.org/#set-the-canceled-flag">DOM</a>
   */
  final void setCanceledFlag() {
    if (cancelable && !inPassiveListener) {
      canceled = true;
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-event-composedpath">composedPath()</a> */
  private List<EventTarget> composedPath() {
    return currentTarget == null ? List.of() : new ArrayList<>(path);
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-event-initevent">initEvent()</a> */
  private void initEvent(Arguments args) {
    if (dispatching) {
      return;
    }
    initialized = true;
    stopPropagation = false;
    stopImmediatePropagation = false;
    canceled = false;
    trusted = false;
    target = null;
    type = args.string(0);
    bubbles = args.bool(1);
    cancelable = args.bool(2);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Event", Event.class)
        .constructor((realm, args) -> new Event(realm, args.string(0), args.dictionary(1)))
        .getter("type", Event::type)
        .getter("target", event -> event.target)
        .getter("srcElement", event -> event.target)
        .getter("currentTarget", event -> event.currentTarget)
        .operation("composedPath", (event, args) -> event.composedPath())
        .getter("eventPhase", event -> event.phase.value)
        .action("stopPropagation", (event, args) -> event.stopPropagation = true)
        .getter("cancelBubble", event -> event.stopPropagation)
        .setter(
            "cancelBubble",
            (event, args) -> {
              if (args.bool(0)) {
                event.stopPropagation = true;
              }
            })
        .action(
            "stopImmediatePropagation",
            (event, args) -> {
              event.stopPropagation = true;
              event.stopImmediatePropagation = true;
            })
        .getter("bubbles", Event::bubbles)
        .getter("cancelable", event -> event.cancelable)
        .getter("returnValue", event -> !event.canceled)
        .setter(
            "returnValue",
            (event, args) -> {
              if (!args.bool(0)) {
                event.setCanceledFlag();
              }
            })
        .action("preventDefault", (event, args) -> event.setCanceledFlag())
        .getter("defaultPrevented", Event::isCanceled)
        .getter("composed", event -> event.composed)
        .getter("isTrusted", event -> event.trusted)
        .getter("timeStamp", event -> event.timeStamp)
        .action("initEvent", Event::initEvent);
  }
}
