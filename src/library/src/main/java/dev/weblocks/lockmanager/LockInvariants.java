package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A watcher that checks the guarantees of the Working Draft after each step of a lock task queue.
 * Independently of the implementation, it builds a model of plain lists from the reported {@link
 * LockTransition}s and checks each against the model. Then it compares the model with the reported
 * state ({@link LockService#diagnose()}). It must watch from the first step on. The cost of a step
 * grows with the number of locks and requests. All calls must come on the thread of the steps.
 */
public final class LockInvariants implements LockWatcher {

  /** A rule that the watcher checks. */
  public enum Invariant {
    /**
     * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#modes-scheduling">2.3. Modes and
     * Scheduling</a>
     */
    COMPATIBLE_MODES("an exclusive lock is the only lock of its name"),
    /**
     * A steal enters at the head of the queue of a name, an {@code ifAvailable} request never
     * overtakes another request, and an aborted request leaves.
     */
    FIRST_IN_FIRST_OUT("the locks of a name are granted in the order of its queue"),
    /** After a step no grantable request waits; no grantable {@code ifAvailable} request fails. */
    NO_LOST_GRANT("no grantable request waits or misses its lock"),
    /**
     * A request is pending before it is granted, aborted or, as an {@code ifAvailable} request,
     * refused. It is held before it is released or stolen.
     */
    ONE_STATE("a request is either pending, held or finished"),
    /** From the step of its end on, a client has no lock and no request. */
    ENDED_CLIENT_HOLDS_NOTHING("a client that has ended has no lock and no request"),
    DONE_AS_ASKED("a step carries out its command"),
    TRUE_STATE("the state of the lock managers matches the reported transitions");

    private final String rule;

    Invariant(String rule) {
      this.rule = rule;
    }

    /** Returns the rule, in a few words. */
    public String rule() {
      return rule;
    }
  }

  /** Returns the invariants for variants; none for the early draft, which locks sets of names. */
  public static Set<Invariant> thatHoldWith(Set<Variant> variants) {
    Set<Invariant> hold = EnumSet.allOf(Invariant.class);
    for (Variant variant : variants) {
      switch (variant) {
        case EARLY_DRAFT -> hold.clear();
        case REENTRANT -> {
          hold.remove(Invariant.COMPATIBLE_MODES);
          hold.remove(Invariant.FIRST_IN_FIRST_OUT);
          hold.remove(Invariant.NO_LOST_GRANT);
        }
        case ABORTED_STAYS_PENDING -> hold.remove(Invariant.DONE_AS_ASKED);
        case ABORT_GRANTS_NOTHING, END_GRANTS_NOTHING, IF_AVAILABLE_JOINS_QUEUE ->
            hold.remove(Invariant.NO_LOST_GRANT);
        default -> {}
      }
    }
    return hold;
  }

  /** A rule that was broken; {@code detail} describes the violation, as text for diagnoses. */
  public record Violation(Invariant invariant, String detail) {
    @Override
    public String toString() {
      return invariant.rule + ": " + detail;
    }
  }

  private record Key(ManagerId manager, String name) {}

  private record Entry(
      RequestId id, LockMode mode, WaitMode waitMode, ClientId client, LockRequester requester) {

    static Entry of(LockTransition transition) {
      return new Entry(
          transition.id(),
          transition.mode(),
          transition.waitMode(),
          transition.client(),
          transition.requester());
    }

    boolean is(LockState state) {
      return mode == state.mode() && client.equals(state.client());
    }

    @Override
    public String toString() {
      return "request "
          + id.sequence()
          + " ("
          + mode.idlValue()
          + switch (waitMode) {
            case WAIT -> "";
            case IF_AVAILABLE -> ", if available";
            case STEAL -> ", steals";
          }
          + ") of "
          + (requester.agent().isEmpty() ? client.value() : requester.agent());
    }
  }

  private static final class Name {
    final List<Entry> held = new ArrayList<>();
    final List<Entry> queue = new ArrayList<>();

    boolean wouldGrant(Entry entry) {
      return held.isEmpty()
          || entry.mode == LockMode.SHARED
              && held.stream().allMatch(lock -> lock.mode == LockMode.SHARED);
    }
  }

  private final Set<Invariant> checked;
  private final Consumer<Violation> violations;
  private final Map<Key, Name> names = new LinkedHashMap<>();
  private final Set<ClientId> ended = new HashSet<>();

  /** The names whose locks or requests the current step has changed. */
  private final Set<Key> touched = new LinkedHashSet<>();

  /** Request ids reported by the current step. */
  private final Set<RequestId> reported = new HashSet<>();

  /**
   * Creates a watcher that checks only the given invariants; see {@link #thatHoldWith}.
   *
   * @param violations called for each violation, on the thread of the step; must return soon
   */
  public LockInvariants(Set<Invariant> checked, Consumer<Violation> violations) {
    this.checked = Set.copyOf(checked);
    this.violations = violations;
  }

  private void violated(Invariant invariant, Key key, String detail) {
    violated(invariant, detail + " (lock '" + key.name + "')");
  }

  private void violated(Invariant invariant, String detail) {
    if (checked.contains(invariant)) {
      violations.accept(new Violation(invariant, detail));
    }
  }

  @Override
  public void on(LockTransition transition) {
    Key key = new Key(transition.manager(), transition.name());
    Name name = names.computeIfAbsent(key, made -> new Name());
    Entry entry = Entry.of(transition);
    touched.add(key);
    reported.add(entry.id);
    switch (transition.kind()) {
      case REQUESTED -> requested(key, name, entry);
      case GRANTED -> granted(key, name, entry);
      case MISSED -> missed(key, name, entry);
      case ABORTED -> {
        if (!name.queue.removeIf(waiting -> waiting.id.equals(entry.id))) {
          violated(Invariant.ONE_STATE, key, entry + " was aborted, but was not pending");
        }
      }
      case RELEASED -> notHeld(key, name, entry, "released");
      case STOLEN -> {
        notHeld(key, name, entry, "stolen");
        Entry first = name.queue.isEmpty() ? null : name.queue.getFirst();
        if (first == null
            || first.waitMode != WaitMode.STEAL
            || !first.client.equals(transition.thief())) {
          violated(
              Invariant.ONE_STATE,
              key,
              entry + " was stolen, but the first request of the queue is not the steal");
        }
      }
    }
  }

  private void requested(Key key, Name name, Entry entry) {
    if (ended.contains(entry.client)) {
      violated(
          Invariant.ENDED_CLIENT_HOLDS_NOTHING,
          key,
          entry + " was made after its client had ended");
    }
    if (isKnown(entry.id)) {
      violated(Invariant.ONE_STATE, key, entry + " was requested twice");
    }
    if (entry.waitMode == WaitMode.STEAL) {
      name.queue.addFirst(entry);
    } else {
      name.queue.addLast(entry);
    }
  }

  private boolean isKnown(RequestId id) {
    return names.values().stream().anyMatch(name -> has(name.held, id) || has(name.queue, id));
  }

  private static boolean has(List<Entry> entries, RequestId id) {
    return entries.stream().anyMatch(entry -> entry.id.equals(id));
  }

  private void granted(Key key, Name name, Entry entry) {
    if (ended.contains(entry.client)) {
      violated(
          Invariant.ENDED_CLIENT_HOLDS_NOTHING,
          key,
          entry + " was granted after its client had ended");
    }
    if (has(name.held, entry.id)) {
      violated(Invariant.ONE_STATE, key, entry + " was granted twice");
    } else if (!has(name.queue, entry.id)) {
      violated(Invariant.ONE_STATE, key, entry + " was granted, but was not pending");
    } else if (!name.queue.getFirst().id.equals(entry.id)) {
      violated(
          Invariant.FIRST_IN_FIRST_OUT,
          key,
          entry + " was granted before " + name.queue.getFirst());
    }
    if (!name.wouldGrant(entry)) {
      violated(
          Invariant.COMPATIBLE_MODES, key, entry + " was granted beside " + name.held.getFirst());
    }
    name.queue.removeIf(waiting -> waiting.id.equals(entry.id));
    name.held.add(entry);
  }

  private void missed(Key key, Name name, Entry entry) {
    if (entry.waitMode != WaitMode.IF_AVAILABLE || !has(name.queue, entry.id)) {
      violated(
          Invariant.ONE_STATE,
          key,
          entry + " missed its lock, but was not a pending ifAvailable request");
    } else if (name.queue.getFirst().id.equals(entry.id) && name.wouldGrant(entry)) {
      violated(Invariant.NO_LOST_GRANT, key, entry + " missed its lock, which was available");
    }
    name.queue.removeIf(waiting -> waiting.id.equals(entry.id));
  }

  private void notHeld(Key key, Name name, Entry entry, String how) {
    if (!name.held.removeIf(lock -> lock.id.equals(entry.id))) {
      violated(Invariant.ONE_STATE, key, entry + " was " + how + ", but was not held");
    }
  }

  @Override
  public void stepHasRun(LockCommand command, LockService queue) {
    stepHasRun(command, queue.diagnose());
  }

  /** Checks the command and the transitions of a step against the state after the step. */
  void stepHasRun(LockCommand command, List<LockState> state) {
    checkDone(command);
    touched.forEach(this::checkWaiting);
    touched.clear();
    reported.clear();
    names.values().removeIf(name -> name.held.isEmpty() && name.queue.isEmpty());
    checkState(state);
  }

  private void checkDone(LockCommand command) {
    switch (command) {
      case RequestLock request -> {
        // a request of an unregistered client is not reported
        if (!reported.contains(request.id()) && isKnown(request.id())) {
          violated(Invariant.DONE_AS_ASKED, request + " reuses an id");
        }
      }
      case ReleaseLock release -> {
        if (names.values().stream().anyMatch(name -> has(name.held, release.id()))) {
          violated(
              Invariant.DONE_AS_ASKED, "lock " + release.id().sequence() + " was not released");
        }
      }
      case AbortRequest abort -> {
        if (names.values().stream().anyMatch(name -> has(name.queue, abort.id()))) {
          violated(
              Invariant.DONE_AS_ASKED, "request " + abort.id().sequence() + " was not aborted");
        }
      }
      case EndClient end -> {
        ended.add(end.client());
        names.forEach((key, name) -> {
          checkEnded(key, name.held, "still holds");
          checkEnded(key, name.queue, "still waits for");
        });
      }
      case RegisterClient register -> {}
      case TakeSnapshot query -> {}
      case BucketCommand bucket -> {}
    }
  }

  private void checkEnded(Key key, List<Entry> entries, String what) {
    for (Entry entry : entries) {
      if (ended.contains(entry.client)) {
        violated(
            Invariant.ENDED_CLIENT_HOLDS_NOTHING,
            key,
            entry + " " + what + " its lock after its client has ended");
      }
    }
  }

  private void checkWaiting(Key key) {
    Name name = names.get(key);
    if (name == null || name.queue.isEmpty()) {
      return;
    }
    Entry first = name.queue.getFirst();
    if (name.wouldGrant(first)) {
      violated(
          Invariant.NO_LOST_GRANT, key, first + " is grantable and first in its queue, but waits");
    }
    for (Entry waiting : name.queue) {
      if (waiting.waitMode == WaitMode.IF_AVAILABLE) {
        violated(
            Invariant.NO_LOST_GRANT,
            key,
            waiting + " still waits, although ifAvailable requests never wait");
      }
    }
  }

  private void checkState(List<LockState> state) {
    Map<Key, List<LockState>> actual = new LinkedHashMap<>();
    for (LockState each : state) {
      actual
          .computeIfAbsent(new Key(each.manager(), each.name()), key -> new ArrayList<>())
          .add(each);
    }
    Set<Key> keys = new LinkedHashSet<>(names.keySet());
    keys.addAll(actual.keySet());
    for (Key key : keys) {
      Name name = names.getOrDefault(key, new Name());
      List<Entry> expected = new ArrayList<>(name.held);
      expected.addAll(name.queue);
      List<LockState> found = actual.getOrDefault(key, List.of());
      boolean same = found.size() == expected.size();
      for (int i = 0; same && i < expected.size(); i++) {
        boolean held = i < name.held.size();
        int place = held ? 0 : i - name.held.size() + 1;
        same = expected.get(i).is(found.get(i)) && found.get(i).place() == place;
      }
      if (!same) {
        violated(
            Invariant.TRUE_STATE,
            key,
            "the transitions result in locks %s and requests %s, but the state is %s"
                .formatted(name.held, name.queue, found));
      }
    }
  }
}
