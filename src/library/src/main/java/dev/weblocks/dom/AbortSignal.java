package dev.weblocks.dom;

import dev.weblocks.agent.EventLoop;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code AbortSignal} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-AbortSignal">DOM</a>
 */
public final class AbortSignal extends EventTarget {

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-abort-reason">abort reason</a> */
  private @Nullable Value reason;

  /**
   * <a href="https://dom.spec.whatwg.org/#abortsignal-abort-algorithms">abort algorithms</a>, each
   * with whether script observes its effect
   */
  private final Map<Runnable, Boolean> algorithms = new LinkedHashMap<>();

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-dependent">dependent</a> */
  private boolean dependent;

  /** The number of sources up to which a dependent signal is linked to the sources themselves. */
  private static final int MAX_SOURCES = 16;

  /**
   * The <a href="https://dom.spec.whatwg.org/#abortsignal-source-signals">source signals</a> of a
   * dependent signal. If there are many, the signals that it was created from, since a chain of n
   * signals with a further source each would have n² links.
   */
  private final Set<AbortSignal> parents = new LinkedHashSet<>();

  /**
   * The signals that were created from this one. Weak, so that a long-lived source does not leak
   * signals combined with it. Together with theirs, they are the <a
   * href="https://dom.spec.whatwg.org/#abortsignal-dependent-signals">dependent signals</a> of a
   * source.
   */
  private final List<WeakReference<AbortSignal>> children = new ArrayList<>();

  /** Strong references to children if a virtual world hides garbage collection; else empty. */
  private final List<AbortSignal> keptChildren = new ArrayList<>();

  /** The size of {@link #children} above which cleared references are removed from it. */
  private int nextPurge = 16;

  /**
   * The children with listeners, algorithms or awaited children, which must not be <a
   * href="https://dom.spec.whatwg.org/#abort-signal-garbage-collection">collected</a>.
   */
  private final Set<AbortSignal> awaitedChildren = new LinkedHashSet<>();

  /** Whether the parents store this signal as awaited. */
  private boolean awaited;

  private int observedAlgorithms;
  private int observedChildren;

  /** Whether the parents count this signal as one through which script observes an abort. */
  private boolean observed;

  /** The position of a dependent signal in the order of creation. */
  private long number;

  /** The number of dependent signals that an agent has created. */
  private static final class CreatedDependents {
    long count;
  }

  /**
   * The <a href="https://dom.spec.whatwg.org/#dom-abortsignal-timeout">timeout()</a> signals of a
   * realm that must not be collected: they or their dependent signals have listeners or algorithms.
   */
  private static final class AwaitedTimeouts {
    final Set<AbortSignal> signals = new LinkedHashSet<>();

    AwaitedTimeouts(Realm realm) {
      realm.onDiscard(() -> signals.forEach(AbortSignal::keepActiveWhileObserved));
    }
  }

  /** Retains this signal while it must not be collected; null unless from {@code timeout()}. */
  private @Nullable AwaitedTimeouts awaitedTimeouts;

  /** Keeps the agent active while script observes the timeout; null unless from timeout(). */
  private EventLoop.@Nullable Timer timer;

  AbortSignal(Realm realm) {
    super(realm);
  }

  /** Creates a signal that only {@link #signalAbort} aborts. */
  public static AbortSignal create(Realm realm) {
    return new AbortSignal(realm);
  }

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-aborted">aborted</a> */
  public boolean isAborted() {
    return reason != null;
  }

  /**
   * Returns the abort reason.
   *
   * @throws IllegalStateException if the signal is not aborted
   */
  public Value reason() {
    if (reason == null) {
      throw new IllegalStateException("the signal is not aborted");
    }
    return reason;
  }

  /**
   * Adds an algorithm; does nothing if the signal is aborted.
   *
   * @see <a href="https://dom.spec.whatwg.org/#abortsignal-add">add</a>
   */
  public void add(Runnable algorithm) {
    add(algorithm, true);
  }

  /**
   * Adds an algorithm whose effect script cannot observe in an agent that is otherwise idle, such
   * as the removal of an event listener. It does not make the agent wait for a timeout.
   */
  public void addUnobserved(Runnable algorithm) {
    add(algorithm, false);
  }

  private void add(Runnable algorithm, boolean isObserved) {
    if (!isAborted() && algorithms.putIfAbsent(algorithm, isObserved) == null) {
      observedAlgorithms += isObserved ? 1 : 0;
      listenersChanged();
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-remove">remove</a> */
  public void remove(Runnable algorithm) {
    if (Boolean.TRUE.equals(algorithms.remove(algorithm))) {
      observedAlgorithms--;
    }
    listenersChanged();
  }

  @Override
  protected void listenersChanged() {
    if (!isStale()) {
      return;
    }
    Deque<AbortSignal> changed = new ArrayDeque<>(List.of(this));
    while (!changed.isEmpty()) { // not recursive: a chain may be long
      AbortSignal each = changed.removeLast();
      int observers = each.observed ? -1 : 0;
      each.awaited = each.isAwaited();
      each.observed = each.isObserved();
      observers += each.observed ? 1 : 0;
      each.keepWhileAwaited();
      for (AbortSignal parent : each.parents) {
        if (each.awaited) {
          parent.awaitedChildren.add(each);
        } else {
          parent.awaitedChildren.remove(each);
        }
        parent.observedChildren += observers;
        if (parent.isStale()) {
          changed.add(parent);
        }
      }
    }
  }

  private boolean isStale() {
    return isAwaited() != awaited || isObserved() != observed;
  }

  private boolean isAwaited() {
    return !awaitedChildren.isEmpty()
        || (!isAborted() && (!algorithms.isEmpty() || hasListener("abort")));
  }

  private boolean isObserved() {
    return observedChildren > 0
        || (!isAborted() && (observedAlgorithms > 0 || hasListener("abort")));
  }

  private void keepActiveWhileObserved() {
    EventLoop loop = realm().agent().eventLoop();
    if (timer != null && loop.isOnLoop()) { // an ended agent has no timers
      loop.setObserved(timer, observed && !realm().isDiscarded());
    }
  }

  private void keepWhileAwaited() {
    keepActiveWhileObserved();
    if (awaitedTimeouts == null) {
      return;
    }
    if (awaited) {
      awaitedTimeouts.signals.add(this);
    } else {
      awaitedTimeouts.signals.remove(this);
    }
  }

  /**
   * Aborts the signal and its dependent signals.
   *
   * @param current the realm of a new AbortError
   * @param given the reason; undefined for a new AbortError
   * @see <a href="https://dom.spec.whatwg.org/#abortsignal-signal-abort">signal abort</a>
   */
  public void signalAbort(Realm current, Value given) {
    // 1.
    if (isAborted()) {
      return;
    }
    StackReserve.requireForStep(); // an algorithm may enqueue a step
    // 2.
    Value because = orAbortError(current, given);
    reason = because;
    // 3. and 4.; a dependent signal has no dependent signals, because they follow its sources
    List<AbortSignal> dependentSignalsToAbort = dependent ? List.of() : takeDependentSignals();
    dependentSignalsToAbort.forEach(dependentSignal -> dependentSignal.reason = because);
    // 5. and 6.
    runAbortSteps();
    dependentSignalsToAbort.forEach(AbortSignal::runAbortSteps);
  }

  /**
   * Returns the dependent signals of a source that are not aborted, in order of creation, and
   * removes all links between them, because no other source can abort them now.
   */
  private List<AbortSignal> takeDependentSignals() {
    Set<AbortSignal> found = new LinkedHashSet<>();
    Deque<AbortSignal> open = new ArrayDeque<>(List.of(this));
    while (!open.isEmpty()) {
      AbortSignal each = open.removeLast();
      for (WeakReference<AbortSignal> reference : each.children) {
        AbortSignal child = reference.get();
        if (child != null && found.add(child)) {
          open.add(child);
        }
      }
      each.children.clear();
      each.keptChildren.clear();
      each.awaitedChildren.clear();
    }
    List<AbortSignal> dependentSignals = new ArrayList<>(found);
    dependentSignals.removeIf(AbortSignal::isAborted);
    dependentSignals.sort(Comparator.comparingLong(each -> each.number));
    return dependentSignals;
  }

  /** <a href="https://dom.spec.whatwg.org/#run-the-abort-steps">run the abort steps</a> */
  private void runAbortSteps() {
    Event abort = new Event(realm(), "abort", false, false);
    if (algorithms.isEmpty()) {
      listenersChanged();
      fire(abort);
      return;
    }
    // An algorithm may reject a promise, whose reactions must not run before the event's listeners.
    binding()
        .promises()
        .atomically(() -> {
          // 1.; one algorithm may remove another
          for (Runnable algorithm : List.copyOf(algorithms.keySet())) {
            if (algorithms.containsKey(algorithm)) {
              algorithm.run();
            }
          }
          // 2.
          algorithms.clear();
          observedAlgorithms = 0;
          listenersChanged();
          // 3.
          fire(abort);
        });
  }

  /**
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-create-exception">create a DOMException</a>
   */
  private static Value orAbortError(Realm current, Value given) {
    RealmBinding binding = RealmBinding.of(current);
    return binding.values().isUndefined(given)
        ? binding
            .values()
            .exception(ScriptException.dom("AbortError", "signal is aborted without reason"))
        : given;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-abortsignal-abort">abort()</a> */
  private static AbortSignal abort(Arguments args) {
    AbortSignal signal = new AbortSignal(args.realm());
    signal.reason = orAbortError(args.realm(), args.any(0));
    return signal;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-abortsignal-timeout">timeout()</a> */
  private static AbortSignal timeout(Arguments args) {
    // 1. and 2.
    Realm realm = args.realm();
    AbortSignal signal = new AbortSignal(realm);
    signal.awaitedTimeouts =
        realm.supplements().get(AwaitedTimeouts.class, () -> new AwaitedTimeouts(realm));
    WeakReference<AbortSignal> unlessAwaited = new WeakReference<>(signal);
    AbortSignal inAnyCase = VirtualWorld.keepsGarbage(realm) ? signal : null;
    // 3.
    EventLoop loop = realm.agent().eventLoop();
    signal.timer =
        loop.startTimer(
            TimeUnit.MILLISECONDS.toNanos((long) args.number(0)), // at most 292 years
            () -> timeOut(inAnyCase == null ? unlessAwaited.get() : inAnyCase));
    loop.setObserved(signal.timer, false);
    // 4.
    return signal;
  }

  private static void timeOut(@Nullable AbortSignal signal) {
    if (signal != null) {
      signal
          .realm()
          .queueTask(
              TaskSource.TIMER,
              "AbortSignal.timeout()",
              () ->
                  signal.signalAbort(
                      signal.realm(),
                      signal
                          .binding()
                          .values()
                          .exception(ScriptException.dom("TimeoutError", "signal timed out"))));
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-abortsignal-any">any()</a> */
  private static AbortSignal any(Arguments args) {
    Value list = args.any(0);
    List<AbortSignal> signals = new ArrayList<>();
    for (long i = 0; i < list.getArraySize(); i++) {
      signals.add(list.getArrayElement(i).asHostObject());
    }
    return createDependent(args.realm(), signals);
  }

  /**
   * Creates a signal that is aborted with any of the given signals, or by {@link #signalAbort}.
   *
   * @param signals may be empty
   * @see <a href="https://dom.spec.whatwg.org/#create-a-dependent-abort-signal">create a dependent
   *     abort signal</a>
   */
  public static AbortSignal createDependent(Realm realm, List<AbortSignal> signals) {
    // 1.
    AbortSignal result = new AbortSignal(realm);
    // 2.
    for (AbortSignal signal : signals) {
      if (signal.isAborted()) {
        result.reason = signal.reason;
        return result;
      }
    }
    // 3.
    result.dependent = true;
    result.number =
        realm.agent().supplements().get(CreatedDependents.class, CreatedDependents::new).count++;
    // 4.
    Set<AbortSignal> parents = new LinkedHashSet<>();
    for (AbortSignal signal : signals) {
      if (signal.isLinkedToFewSources()) {
        parents.addAll(signal.parents);
      } else {
        parents.add(signal);
      }
    }
    (parents.size() <= MAX_SOURCES ? parents : signals).forEach(parent -> parent.link(result));
    return result;
  }

  private boolean isLinkedToFewSources() {
    return dependent
        && parents.size() <= MAX_SOURCES
        && parents.stream().noneMatch(parent -> parent.dependent);
  }

  private void link(AbortSignal child) {
    if (!child.parents.add(this)) {
      return;
    }
    children.add(new WeakReference<>(child));
    if (VirtualWorld.keepsGarbage(realm())) {
      keptChildren.add(child);
    }
    if (children.size() > nextPurge) {
      children.removeIf(each -> each.get() == null);
      nextPurge = 2 * children.size() + 16;
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("AbortSignal", AbortSignal.class)
        .staticOperation("abort", AbortSignal::abort)
        .staticOperation("timeout", AbortSignal::timeout)
        .staticOperation("any", AbortSignal::any)
        .getter("aborted", AbortSignal::isAborted)
        .getter(
            "reason",
            signal -> signal.reason == null ? signal.binding().values().undefined() : signal.reason)
        .action(
            "throwIfAborted",
            (signal, args) -> {
              if (signal.reason != null) {
                throw ScriptException.of(signal.reason);
              }
            });
  }
}
