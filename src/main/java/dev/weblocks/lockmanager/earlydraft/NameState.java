package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.LockMode;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What there is on one name of an origin: an index over the held lock set and the queue, so that a
 * request is compared with those that it meets on a name and with no others. Exists while there is
 * something.
 */
final class NameState {
  final String name;

  /** The locks whose scope has this name: none, one that is exclusive, or any number of shared. */
  final LinkedHashSet<HeldLock> holders = new LinkedHashSet<>();

  /** The requests whose scope has this name, by their order in the queue. */
  final TreeMap<Long, LockRequest> waiting = new TreeMap<>();

  /** Those of them that are exclusive. */
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

  /** Whether some lock has this name in its scope. */
  boolean isHeld() {
    return !holders.isEmpty();
  }

  /** Whether an exclusive lock has this name in its scope; it is alone then. */
  boolean isHeldExclusively() {
    return !holders.isEmpty() && holders.getFirst().mode == LockMode.EXCLUSIVE;
  }

  /** Whether some request earlier than this one has this name in its scope. */
  boolean isWantedBefore(LockRequest request) {
    return isBefore(waiting.firstEntry(), request);
  }

  /** Whether some exclusive request earlier than this one has this name in its scope. */
  boolean isWantedExclusivelyBefore(LockRequest request) {
    return isBefore(exclusiveWaiting.firstEntry(), request);
  }

  private static boolean isBefore(
      Map.@Nullable Entry<Long, LockRequest> first, LockRequest request) {
    return first != null && first.getKey() < request.order;
  }

  /**
   * Tells which requests this name may have stood in the way of until now, and does no longer.
   *
   * @param gone the mode of the lock or request that has gone
   * @param order that of the request that has gone; 0 for a lock
   */
  void tellFreed(LockMode gone, long order, Consumer<LockRequest> freed) {
    Map.Entry<Long, LockRequest> first = waiting.firstEntry();
    if (first == null) {
      return;
    }
    if (first.getValue().mode == LockMode.EXCLUSIVE) {
      if (!isHeld()) {
        freed.accept(first.getValue());
      }
    } else if (gone == LockMode.EXCLUSIVE && !isHeldExclusively()) {
      // shared ones at the head of the queue; those before what has gone were free before
      long end = exclusiveWaiting.isEmpty() ? Long.MAX_VALUE : exclusiveWaiting.firstKey();
      if (order < end) {
        waiting.subMap(order, false, end, false).values().forEach(freed);
      }
    }
  }
}
