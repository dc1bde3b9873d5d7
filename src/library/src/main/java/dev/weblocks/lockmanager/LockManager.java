package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lock manager of one storage bucket: its held lock set, its lock request queue map, and the
 * algorithms that change them. The object that script sees under this name has another type.
 *
 * <p>Between two commands each queue has a lock or a request, and its first request is not
 * grantable, unless {@link LockRules} prevent an abort or a release from processing the queue.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-managers
final class LockManager {
  final ManagerId id;
  private final LockIndex index;
  private final OperationCount operations;
  private final OutcomeRecorder outcomes;
  private final Chain<HeldLock> heldLockSet;
  private final Map<String, LockRequestQueue> lockRequestQueueMap = new LinkedHashMap<>();

  /** The last snapshot; null if the state has changed since. */
  private @Nullable LockManagerSnapshot snapshot;

  private final LockRules rules;

  LockManager(
      ManagerId id,
      LockIndex index,
      OperationCount operations,
      OutcomeRecorder outcomes,
      LockRules rules) {
    this.rules = rules;
    this.outcomes = outcomes;
    this.id = id;
    this.index = index;
    this.operations = operations;
    heldLockSet = new Chain<>(operations);
  }

  boolean isUnused() {
    return lockRequestQueueMap.isEmpty();
  }

  /** Returns the queues of the names in use, in the order of their first use. */
  Collection<LockRequestQueue> queues() {
    return lockRequestQueueMap.values();
  }

  List<HeldLock> heldLocks() {
    return heldLockSet.items();
  }

  /** Appends a lock of a restored state, already in the index, to the held lock set. */
  void restoreHeld(HeldLock lock) {
    heldLockSet.append(lock.inHeldLockSet);
    lock.request.queue.held.append(lock.inName);
  }

  int queueCount() {
    return lockRequestQueueMap.size();
  }

  /** Runs the steps that "request a lock" enqueues; the agent runs the rest of the algorithm. */
  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock
  void requestLock(RequestLock command, Client client) {
    LockOptions options = command.options();
    LockRequestQueue queue = getLockRequestQueue(options.name()); // 3.1, 3.2
    LockRequest request =
        new LockRequest(command.id(), client, this, queue, options, outcomes.nanoTime());
    outcomes.requested(request);
    if (options.waitMode() == WaitMode.IF_AVAILABLE && rules.misses(request)) { // 3.5.1
      outcomes.missed(request);
      return;
    }
    index.add(request);
    if (options.waitMode() == WaitMode.STEAL) { // 3.4
      Chain.Link<HeldLock> stolen;
      while ((stolen = queue.held.first()) != null) { // 3.3, 3.4.1, 3.4.1.1
        HeldLock lock = stolen.item();
        removeFromHeldLockSet(lock); // 3.4.1.1.1
        outcomes.stolen(lock, request); // 3.4.1.1.2
      }
      queue.requests.prepend(request.inQueue); // 3.4.2
    } else { // 3.5
      queue.requests.append(request.inQueue); // 3.5.2
    }
    snapshot = null;
    processLockRequestQueue(queue, request); // 3.6
  }

  /**
   * Releases a held lock of this manager.
   *
   * @param clientEnded whether the reason is the end of the client
   */
  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-release-lock
  void releaseLock(HeldLock lock, boolean clientEnded) {
    LockRequestQueue queue = lock.request.queue; // 2 to 5; 1 is asserted by the lock task queue
    removeFromHeldLockSet(lock); // 6
    outcomes.released(lock, clientEnded);
    if (rules.releaseProcessesQueue(clientEnded)) {
      processLockRequestQueue(queue, lock.request); // 7
    }
    dropIfUnused(queue);
  }

  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-abort-request
  void abortRequest(LockRequest request) {
    removeFromQueue(request, false); // 2 to 6; 1 is asserted by the lock task queue
    processAfterAbort(request, false); // 7
  }

  /**
   * Runs the part of "abort the request" that removes the request; grants nothing.
   *
   * @param clientEnded whether the reason is the end of the client
   */
  void removeFromQueue(LockRequest request, boolean clientEnded) {
    snapshot = null;
    request.queue.requests.remove(request.inQueue);
    index.remove(request);
    outcomes.aborted(request, clientEnded);
  }

  /**
   * Runs the part of "abort the request" that may grant requests behind the aborted one.
   *
   * @param clientEnded whether the reason is the end of the client
   */
  void processAfterAbort(LockRequest request, boolean clientEnded) {
    if (rules.abortProcessesQueue(clientEnded)) {
      processLockRequestQueue(request.queue, request);
    }
    dropIfUnused(request.queue);
  }

  /**
   * Returns the held locks and waiting requests for a query; the same object until the state
   * changes.
   */
  LockManagerSnapshot snapshotLockState() {
    LockManagerSnapshot known = snapshot;
    if (known == null) {
      known = takeSnapshot();
      snapshot = known;
    }
    return known;
  }

  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-snapshot-state
  private LockManagerSnapshot takeSnapshot() {
    List<LockInfo> pending = new ArrayList<>(); // 2; 1 is asserted by the lock task queue
    for (LockRequestQueue queue : lockRequestQueueMap.values()) { // 3
      operations.add();
      for (Chain.Link<LockRequest> link = queue.requests.first();
          link != null;
          link = link.next()) { // 3.1
        LockRequest request = link.item();
        pending.add(new LockInfo(queue.name, request.mode, request.client.id.value())); // 3.1.1
      }
    }
    List<LockInfo> held = new ArrayList<>(); // 4
    for (Chain.Link<HeldLock> link = heldLockSet.first(); link != null; link = link.next()) { // 5
      LockRequest lock = link.item().request;
      held.add(new LockInfo(lock.queue.name, lock.mode, lock.client.id.value())); // 5.1
    }
    return new LockManagerSnapshot(held, pending); // 6
  }

  /** Adds the held locks and waiting requests, name by name, for a diagnosis. */
  void diagnose(List<LockState> states) {
    for (LockRequestQueue queue : lockRequestQueueMap.values()) {
      for (Chain.Link<HeldLock> link = queue.held.first(); link != null; link = link.next()) {
        states.add(stateOf(link.item().request, 0, link.item().grantedAt));
      }
      int place = 0;
      for (Chain.Link<LockRequest> link = queue.requests.first();
          link != null;
          link = link.next()) {
        states.add(stateOf(link.item(), ++place, link.item().requestedAt));
      }
    }
  }

  private LockState stateOf(LockRequest request, int place, long since) {
    return new LockState(request.id, id, request.options, place, request.client.requester, since);
  }

  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#get-the-lock-request-queue
  LockRequestQueue getLockRequestQueue(String name) {
    operations.add();
    LockRequestQueue known = lockRequestQueueMap.get(name);
    if (known == null) { // 1
      known = new LockRequestQueue(name, operations);
      lockRequestQueueMap.put(name, known);
    }
    return known; // 2
  }

  /**
   * Grants requests at the head of a queue; {@code cause} has entered it, or has left it or its
   * locks.
   */
  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-process-request
  private void processLockRequestQueue(LockRequestQueue queue, LockRequest cause) {
    Chain.Link<LockRequest> first;
    while ((first = rules.first(queue)) != null) { // 2; 1 is asserted by the lock task queue
      LockRequest request = first.item();
      if (!rules.grantable(request)) { // 2.1
        return;
      }
      queue.requests.remove(request.inQueue); // 2.2
      // 2.3 to 2.7, 2.12; the agent runs 2.8 to 2.11
      addToHeldLockSet(new HeldLock(request, outcomes.nanoTime())); // 2.13
      outcomes.granted(request, cause); // 2.14
    }
  }

  private void addToHeldLockSet(HeldLock lock) {
    snapshot = null;
    restoreHeld(lock);
    index.grant(lock);
  }

  private void removeFromHeldLockSet(HeldLock lock) {
    snapshot = null;
    heldLockSet.remove(lock.inHeldLockSet);
    lock.request.queue.held.remove(lock.inName);
    index.remove(lock);
  }

  private void dropIfUnused(LockRequestQueue queue) {
    if (queue.isUnused()) {
      operations.add();
      lockRequestQueueMap.remove(queue.name, queue);
    }
  }
}
