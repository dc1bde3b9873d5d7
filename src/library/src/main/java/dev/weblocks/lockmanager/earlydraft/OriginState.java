package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.earlydraft.QueriedState.Entry;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The held lock set and the lock request queue of one origin, with an index by name. */
// Early draft, "Lock" and "Lock Requests"
final class OriginState {
  final ManagerId id;

  /** The held locks by id, in the order of the grants. */
  private final Map<Long, HeldLock> heldLockSet = new LinkedHashMap<>();

  /** The waiting requests by id, in queue order. */
  private final Map<Long, LockRequest> lockRequestQueue = new LinkedHashMap<>();

  private final Map<String, NameState> names = new LinkedHashMap<>();

  /** The number of checks of a request against one name's state, for tests of costs. */
  private long looks;

  OriginState(ManagerId id) {
    this.id = id;
  }

  boolean isUnused() {
    return names.isEmpty();
  }

  int nameCount() {
    return names.size();
  }

  long looks() {
    return looks;
  }

  /** Returns whether a request is grantable; a request that is not queued counts as the last. */
  // Early draft, "Lock Requests": grantable
  boolean grantable(LockRequest request) {
    // 1 and 2: fields of this object
    List<String> scope = request.scope.names(); // 4
    for (; request.clearNames < scope.size(); request.clearNames++) {
      looks++;
      NameState state = names.get(scope.get(request.clearNames));
      if (state != null && isInTheWayOf(request, state)) {
        return false;
      }
    }
    return true;
  }

  // Early draft, "Lock Requests": grantable
  private static boolean isInTheWayOf(LockRequest request, NameState state) {
    return switch (request.mode) { // 3
      case EXCLUSIVE -> // 5, its conditions
          state.isHeld() || state.isWantedBefore(request);
      case SHARED -> // 6, its conditions
          state.isHeldExclusively() || state.isWantedExclusivelyBefore(request);
    };
  }

  // https://infra.spec.whatwg.org/#queue-enqueue
  void enqueue(LockRequest request) {
    lockRequestQueue.put(request.id, request);
    for (String name : request.scope.names()) {
      names.computeIfAbsent(name, NameState::new).enqueue(request);
    }
  }

  void remove(LockRequest request) {
    lockRequestQueue.remove(request.id);
    for (String name : request.scope.names()) {
      NameState state = state(name);
      state.remove(request);
      dropIfUnused(state);
    }
  }

  /** Removes a request from the queue and appends the lock that it becomes to the held lock set. */
  void grant(LockRequest request, HeldLock lock) {
    lockRequestQueue.remove(request.id);
    heldLockSet.put(lock.request.id, lock);
    for (String name : lock.request.scope.names()) {
      NameState state = state(name);
      state.remove(request);
      state.holders.add(lock);
    }
  }

  void remove(HeldLock lock) {
    heldLockSet.remove(lock.request.id);
    for (String name : lock.request.scope.names()) {
      NameState state = state(name);
      state.holders.remove(lock);
      dropIfUnused(state);
    }
  }

  private NameState state(String name) {
    NameState state = names.get(name);
    if (state == null) {
      throw new IllegalStateException("no state for the name of a lock or request: " + name);
    }
    return state;
  }

  private void dropIfUnused(NameState state) {
    if (state.isUnused()) {
      names.remove(state.name);
    }
  }

  /** Returns the locks that share a name with the given scope, in the order of their grants. */
  List<HeldLock> locksOn(Scope scope) {
    SortedMap<Long, HeldLock> found = new TreeMap<>();
    for (String name : scope.names()) {
      NameState state = names.get(name);
      if (state != null) {
        state.holders.forEach(lock -> found.put(lock.order, lock));
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * Reports the requests that the removal of a request or lock may have made grantable.
   *
   * @param order the order of the removed request; 0 for a lock
   */
  void reportFreed(Scope scope, LockMode gone, long order, Consumer<LockRequest> freed) {
    for (String name : scope.names()) {
      NameState state = names.get(name);
      if (state != null) {
        state.reportFreed(gone, order, freed);
      }
    }
  }

  // Early draft, "LockManager.prototype.queryState()"
  QueriedState queryState() {
    List<Entry> pending = new ArrayList<>(); // 4.1
    for (LockRequest request : lockRequestQueue.values()) { // 4.2
      pending.add(new Entry(request.scope, request.mode)); // 4.2.1 to 4.2.4
    }
    List<Entry> held = new ArrayList<>(); // 4.3
    for (HeldLock lock : heldLockSet.values()) { // 4.4
      held.add(new Entry(lock.request.scope, lock.request.mode)); // 4.4.1 to 4.4.4
    }
    return new QueriedState(held, pending); // 4.5 to 4.7
  }

  /** Adds the held locks and waiting requests, name by name, for a diagnosis. */
  void diagnose(List<LockState> states) {
    for (NameState state : names.values()) {
      for (HeldLock lock : state.holders) {
        states.add(state(lock.request, state.name, 0, lock.grantedAt));
      }
      int place = 0;
      for (LockRequest request : state.waiting.values()) {
        states.add(state(request, state.name, ++place, request.requestedAt));
      }
    }
  }

  private LockState state(LockRequest request, String name, int place, long since) {
    return new LockState(
        new RequestId(request.client.id, request.id),
        id,
        new LockOptions(
            name, request.mode, WaitMode.WAIT, false, request.command.source().position()),
        place,
        request.command.source().requester(),
        since);
  }
}
