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
import java.util.ArrayList;
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

  /** The number of algorithms and dependent signals through which script observes an abort. */
  private int observers;

  /** Whether script observed an abort when the observers of the source signals last changed. */
  private boolean observed;

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-dependent">dependent</a> */
  private boolean dependent;

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-source-signals">source signals</a> */
  private final Set<AbortSignal> sourceSignals = new LinkedHashSet<>();

  /**
   * <a href="https://dom.spec.whatwg.org/#abortsignal-dependent-signals">dependent signals</a>, in
   * order of creation. Weak, so that a long-lived source does not leak signals combined with it.
   */
  private final List<WeakReference<AbortSignal>> dependentSignals = new ArrayList<>();

  /** Strong references to dependents if a virtual world hides garbage collection; else empty. */
  private final List<AbortSignal> keptDependents = new ArrayList<>();

  /** The size of {@link #dependentSignals} above which cleared references are removed from it. */
  private int nextPurge = 16;

  /**
   * The dependent signals with listeners or algorithms, which must not be <a
   * href="https://dom.spec.whatwg.org/#abort-signal-garbage-collection">collected</a>.
   */
  private final Set<AbortSignal> awaitedDependents = new LinkedHashSet<>();

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
      observers += isObserved ? 1 : 0;
      listenersChanged();
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#abortsignal-remove">remove</a> */
  public void remove(Runnable algorithm) {
    if (Boolean.TRUE.equals(algorithms.remove(algorithm))) {
      observers--;
    }
    listenersChanged();
  }

  @Override
  protected void listenersChanged() {
    boolean awaited = isAwaited();
    boolean before = observed;
    observed = isObserved();
    for (AbortSignal source : sourceSignals) {
      if (awaited) {
        source.awaitedDependents.add(this);
      } else {
        source.awaitedDependents.remove(this);
      }
      source.observers += observed == before ? 0 : observed ? 1 : -1;
      source.keepWhileAwaited();
    }
    keepWhileAwaited();
  }

  private boolean isAwaited() {
    return !isAborted()
        && (!algorithms.isEmpty() || hasListener("abort") || !awaitedDependents.isEmpty());
  }

  private boolean isObserved() {
    return !isAborted() && (observers > 0 || hasListener("abort"));
  }

  private void keepActiveWhileObserved() {
    EventLoop loop = realm().agent().eventLoop();
    if (timer != null && loop.isOnLoop()) { // an ended agent has no timers
      loop.setObserved(timer, isObserved() && !realm().isDiscarded());
    }
  }

  private void keepWhileAwaited() {
    keepActiveWhileObserved();
    if (awaitedTimeouts == null) {
      return;
    }
    if (isAwaited()) {
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
    // 3. and 4.
    List<AbortSignal> dependentSignalsToAbort = new ArrayList<>();
    for (WeakReference<AbortSignal> each : dependentSignals) {
      AbortSignal dependentSignal = each.get();
      if (dependentSignal != null && !dependentSignal.isAborted()) {
        dependentSignal.reason = because;
        dependentSignalsToAbort.add(dependentSignal);
      }
    }
    dependentSignals.clear();
    keptDependents.clear();
    awaitedDependents.clear();
    listenersChanged();
    dependentSignalsToAbort.forEach(AbortSignal::listenersChanged); // other sources forget them
    // 5. and 6.
    runAbortSteps();
    dependentSignalsToAbort.forEach(AbortSignal::runAbortSteps);
  }

  /** <a href="https://dom.spec.whatwg.org/#run-the-abort-steps">run the abort steps</a> */
  private void runAbortSteps() {
    Event abort = new Event(realm(), "abort", false, false);
    if (algorithms.isEmpty()) {
      fire(abort);
      return;
    }
    // An algorithm may reject a promise, whose reactions must not run before the event's listeners.
    binding()
        .atomically(() -> {
          // 1.; one algorithm may remove another
          for (Runnable algorithm : List.copyOf(algorithms.keySet())) {
            if (algorithms.containsKey(algorithm)) {
              algorithm.run();
            }
          }
          // 2.
          algorithms.clear();
          // 3.
          fire(abort);
        });
  }

  /**
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-create-exception">create a DOMException</a>
   */
  private static Value orAbortError(Realm current, Value given) {
    RealmBinding binding = RealmBinding.of(current);
    return binding.isUndefined(given)
        ? binding.exception(ScriptException.dom("AbortError", "signal is aborted without reason"))
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
    // 4.
    for (AbortSignal signal : signals) {
      if (signal.dependent) {
        signal.sourceSignals.forEach(source -> source.link(result));
      } else {
        signal.link(result);
      }
    }
    return result;
  }

  private void link(AbortSignal dependentSignal) {
    if (!dependentSignal.sourceSignals.add(this)) {
      return;
    }
    dependentSignals.add(new WeakReference<>(dependentSignal));
    if (VirtualWorld.keepsGarbage(realm())) {
      keptDependents.add(dependentSignal);
    }
    if (dependentSignals.size() > nextPurge) {
      dependentSignals.removeIf(each -> each.get() == null);
      nextPurge = 2 * dependentSignals.size() + 16;
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
            signal -> signal.reason == null ? signal.binding().undefined() : signal.reason)
        .action(
            "throwIfAborted",
            (signal, args) -> {
              if (signal.reason != null) {
                throw ScriptException.of(signal.reason);
              }
            })
        .with(signal -> EventHandlers.define(signal, "onabort"));
  }
}
