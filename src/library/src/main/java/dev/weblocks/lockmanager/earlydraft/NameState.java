package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.model.LockMode;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks and requests of an origin whose scope contains a certain name. It is an index: a
 * request is compared only with locks and requests that share a name with it. An index exists only
 * while it contains a lock or request.
 */
final class NameState {
  final String name;

  /**
   * The locks whose scope contains this name: none, an exclusive one, or any number of shared ones.
   */
  final LinkedHashSet<HeldLock> holders = new LinkedHashSet<>();

  /** The requests whose scope contains this name, by their order in the queue. */
  final TreeMap<Long, LockRequest> waiting = new TreeMap<>();

  /** The exclusive requests among {@link #waiting}. */
  private final TreeMap<Long, LockRequest> exclusiveWaiting = new TreeMap<>();

  NameState(String name) {
    this.name = name;
  }

  boolean isUnused() {
    return holders.isEmpty() && waiting.isEmpty();
  }

  void enqueue(LockRequest request) {
    waiting.put(request.order, request);
    if (request.mode == LockMode.EXCLUSIVE) {
      exclusiveWaiting.put(request.order, request);
    }
  }

  void remove(LockRequest request) {
    waiting.remove(request.order);
    exclusiveWaiting.remove(request.order);
  }

  /** Returns whether some lock has this name in its scope. */
  boolean isHeld() {
    return !holders.isEmpty();
  }

  /** Returns whether an exclusive lock has this name in its scope; no other lock has it then. */
  boolean isHeldExclusively() {
    return !holders.isEmpty() && holders.getFirst().request.mode == LockMode.EXCLUSIVE;
  }

  /** Returns whether a request before the given one has this name in its scope. */
  boolean isWantedBefore(LockRequest request) {
    return isBefore(waiting.firstEntry(), request);
  }

  /** Returns whether an exclusive request before the given one has this name in its scope. */
  boolean isWantedExclusivelyBefore(LockRequest request) {
    return isBefore(exclusiveWaiting.firstEntry(), request);
  }

  private static boolean isBefore(
      Map.@Nullable Entry<Long, LockRequest> first, LockRequest request) {
    return first != null && first.getKey() < request.order;
  }

  /**
   * Reports the requests that this name may have blocked until now and no longer blocks.
   *
   * @param gone the mode of the removed lock or request
   * @param order the order of the removed request; 0 for a lock
   */
  void reportFreed(LockMode gone, long order, Consumer<LockRequest> freed) {
    Map.Entry<Long, LockRequest> first = waiting.firstEntry();
    if (first == null) {
      return;
    }
    if (first.getValue().mode == LockMode.EXCLUSIVE) {
      if (!isHeld()) {
        freed.accept(first.getValue());
      }
    } else if (gone == LockMode.EXCLUSIVE && !isHeldExclusively()) {
      // shared requests at the head of the queue; those before the removed request were free before
      long end = exclusiveWaiting.isEmpty() ? Long.MAX_VALUE : exclusiveWaiting.firstKey();
      if (order < end) {
        waiting.subMap(order, false, end, false).values().forEach(freed);
      }
    }
  }
}
