package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.InitDictionary;
import dev.weblocks.binding.OfInterface;
import dev.weblocks.binding.PlatformObject;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Event} interface, and interfaces derived from it. An event stores the members of its
 * initialization dictionary, and {@link EventMembers} derives the attributes that return them. So
 * an interface needs a subclass only if its events have behavior.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-event">DOM</a>
 */
public class Event extends PlatformObject implements OfInterface {

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

  /**
   * A struct of an event's path. The items that the standard defines for shadow trees are left out,
   * because shadow trees are not implemented.
   *
   * @param shadowAdjustedTarget null unless the invocation target is the target of the event
   * @see <a href="https://dom.spec.whatwg.org/#event-path">path</a>
   */
  record PathItem(EventTarget invocationTarget, @Nullable EventTarget shadowAdjustedTarget) {}

  private final String interfaceName;
  private final InitDictionary dictionary;
  private final @Nullable Object[] members;
  private String type;
  private boolean bubbles;
  private boolean cancelable;
  private final double timeStamp;
  private boolean timeStampIsSeen;

  // the flags of https://dom.spec.whatwg.org/#stop-propagation-flag and below
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
  private List<PathItem> path = List.of();

  /**
   * Creates an event of the interface {@code Event} for the user agent; it is trusted once it is
   * {@link EventTarget#fire fired}.
   */
  public Event(Realm realm, String type, boolean bubbles, boolean cancelable) {
    this(realm, "Event", type, bubbles, cancelable);
  }

  /**
   * Creates an event of the user agent, whose other attributes have their defaults.
   *
   * @see <a href="https://dom.spec.whatwg.org/#inner-event-creation-steps">inner event creation
   *     steps</a>
   */
  public Event(
      Realm realm, String interfaceName, String type, boolean bubbles, boolean cancelable) {
    super(realm);
    this.interfaceName = interfaceName;
    this.dictionary = initDictionary(interfaceName);
    this.members = dictionary.defaults();
    this.type = type;
    this.bubbles = bubbles;
    this.cancelable = cancelable;
    this.timeStamp = RelativeTime.now(realm);
  }

  /**
   * Creates an event for script.
   *
   * @param args the type and the initialization dictionary
   */
  protected Event(Realm realm, String interfaceName, Arguments args) {
    super(realm);
    DictionaryView init = args.dictionary(1);
    this.interfaceName = interfaceName;
    this.dictionary = initDictionary(interfaceName);
    this.members = dictionary.values(init);
    this.type = args.string(0);
    this.bubbles = init.bool("bubbles");
    this.cancelable = init.bool("cancelable");
    this.timeStamp = RelativeTime.now(realm);
  }

  /**
   * Implements an interface of events that script can construct.
   *
   * @return the interface, for members that the initialization dictionary does not determine
   */
  public static Implementations.Interface<Event> implement(
      Implementations implementations, String interfaceName) {
    return implementations
        .implement(interfaceName, Event.class)
        .constructor((realm, args) -> new Event(realm, interfaceName, args));
  }

  @Override
  public final String interfaceName() {
    return interfaceName;
  }

  /**
   * Sets an attribute before the event is fired, and returns this event.
   *
   * @param member the attribute, a member of the initialization dictionary
   * @param value as for {@link dev.weblocks.binding.RealmBinding#toScript}; script sees a list as a
   *     frozen array
   */
  public final Event with(String member, @Nullable Object value) {
    members[dictionary.indexOf(member)] = value;
    return this;
  }

  /**
   * Returns an attribute as script sees it.
   *
   * @param member the attribute, a member of the initialization dictionary
   * @return a value for {@link dev.weblocks.binding.RealmBinding#toScript}
   */
  public final @Nullable Object attribute(String member) {
    return attribute(dictionary.indexOf(member));
  }

  /** Returns the attribute that a member of the initialization dictionary determines. */
  final @Nullable Object attribute(int index) {
    if (members[index] instanceof List<?> list) {
      members[index] = binding().values().frozenArray(list);
    }
    return members[index];
  }

  /** Sets an attribute to the converted argument of a method, null for its default. */
  final void setAttribute(int index, @Nullable Value argument) {
    members[index] =
        argument == null ? dictionary.defaultOf(index) : dictionary.stored(index, argument);
  }

  public final String type() {
    return type;
  }

  public final @Nullable EventTarget target() {
    return target;
  }

  public final @Nullable EventTarget currentTarget() {
    return currentTarget;
  }

  public final boolean bubbles() {
    return bubbles;
  }

  /** <a href="https://dom.spec.whatwg.org/#canceled-flag">canceled flag</a> */
  public final boolean isCanceled() {
    return canceled;
  }

  /** <a href="https://dom.spec.whatwg.org/#dispatch-flag">dispatch flag</a> */
  public final boolean isDispatching() {
    return dispatching;
  }

  /** Returns whether the user agent dispatched the event as a trusted one. */
  public final boolean isTrusted() {
    return trusted;
  }

  /**
   * Sets the stop propagation flag and the stop immediate propagation flag.
   *
   * @see <a href="https://dom.spec.whatwg.org/#dom-event-stopimmediatepropagation">
   *     stopImmediatePropagation()</a>
   */
  protected final void stopImmediatePropagation() {
    stopPropagation = true;
    stopImmediatePropagation = true;
  }

  final boolean isInitialized() {
    return initialized;
  }

  /**
   * Unsets the initialized flag, so that script must initialize the event before dispatching it.
   *
   * @see <a href="https://dom.spec.whatwg.org/#dom-document-createevent">createEvent()</a>
   */
  public final void unsetInitializedFlag() {
    initialized = false;
  }

  final boolean isPropagationStopped() {
    return stopPropagation;
  }

  final boolean isImmediatePropagationStopped() {
    return stopImmediatePropagation;
  }

  final List<PathItem> path() {
    return path;
  }

  final void setTrusted(boolean value) {
    trusted = value;
  }

  final void setInPassiveListener(boolean value) {
    inPassiveListener = value;
  }

  final void setTarget(@Nullable EventTarget value) {
    target = value;
  }

  final void setCurrentTarget(EventTarget value) {
    currentTarget = value;
  }

  final void setPhase(Phase value) {
    phase = value;
  }

  final void beginDispatch(List<PathItem> eventPath) {
    dispatching = true;
    path = eventPath;
  }

  /** Runs steps 6 to 9 of dispatch. */
  final void endDispatch() {
    phase = Phase.NONE;
    currentTarget = null;
    path = List.of();
    dispatching = false;
    stopPropagation = false;
    stopImmediatePropagation = false;
  }

  /**
   * Sets the canceled flag if the event is cancelable and not in a passive listener.
   *
   * @see <a href="https://dom.spec.whatwg.org/#set-the-canceled-flag">set the canceled flag</a>
   */
  final void setCanceledFlag() {
    if (cancelable && !inPassiveListener) {
      canceled = true;
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-event-timestamp">timeStamp</a> */
  private double timeStamp() {
    if (!timeStampIsSeen) {
      timeStampIsSeen = true;
      realm().agent().clock().timeIsSeen();
    }
    return timeStamp;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-event-composedpath">composedPath()</a> */
  private List<EventTarget> composedPath() {
    List<EventTarget> composedPath = new ArrayList<>(path.size());
    for (PathItem each : path) {
      composedPath.add(each.invocationTarget);
    }
    return composedPath;
  }

  /**
   * Initializes the event for a method such as {@code initEvent()}, whose first arguments are type,
   * bubbles and cancelable.
   *
   * @return false if the event is being dispatched; then the method must do nothing
   * @see <a href="https://dom.spec.whatwg.org/#concept-event-initialize">initialize</a>
   */
  protected final boolean initialize(Arguments args) {
    if (dispatching) {
      return false;
    }
    // 1. to 4.
    initialized = true;
    stopPropagation = false;
    stopImmediatePropagation = false;
    canceled = false;
    trusted = false;
    target = null;
    // 5. to 7.
    type = args.string(0);
    bubbles = args.bool(1);
    cancelable = args.bool(2);
    return true;
  }

  static void define(Implementations implementations) {
    implement(implementations, "Event")
        .getter("type", Event::type)
        .getter("target", Event::target)
        .getter("srcElement", Event::target)
        .getter("currentTarget", Event::currentTarget)
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
        .action("stopImmediatePropagation", (event, args) -> event.stopImmediatePropagation())
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
        .getter("isTrusted", event -> event.trusted)
        .getter("timeStamp", Event::timeStamp)
        .action("initEvent", Event::initialize);
  }
}
