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
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All lock managers of one user agent as a deterministic state machine from commands to outcomes.
 * Not thread-safe: calls must be ordered by happens-before.
 *
 * <p>A command costs amortised constant time, however many locks and requests there are, plus
 * constant time for each lock or request that it ends, grants or lists. Memory is kept for held
 * locks, waiting requests, registered clients, and the manager that became idle last. A command of
 * a client that is not registered, or has ended, does nothing.
 *
 * <p>A manager is created with its first request and removed after its last lock or request. The
 * manager that became idle last is retained, since it is often the next to be used.
 */
public final class LockManagers {
  private final OperationCount operations = new OperationCount();
  private final LockIndex index;
  private final Map<ManagerId, LockManager> managers = new HashMap<>();
  private @Nullable LockManager idle;
  private final Set<Variant> variants;
  private final LockRules rules;

  private final OutcomeRecorder outcomes = new OutcomeRecorder();

  /**
   * Creates the lock managers of a user agent in which nothing is held yet.
   *
   * @param variants deviations from the Working Draft; those that concern only agents have no
   *     effect
   * @throws IllegalArgumentException if two variants exclude each other
   */
  public LockManagers(Set<Variant> variants) {
    this.variants = Variant.requireCompatible(variants);
    this.rules = LockRules.of(variants);
    this.index = new LockIndex(operations);
  }

  /**
   * Runs one command to its end.
   *
   * @param nanoTime the current time in nanoseconds of any clock; shown by diagnoses and
   *     transitions, and nothing else depends on it
   * @return what the command did, in the order of the draft's steps
   * @throws IllegalArgumentException if the id of a new request is in use; nothing has changed then
   * @throws OutOfMemoryError if memory is exhausted; this object is of no use then
   */
  public List<LockOutcome> apply(LockCommand command, long nanoTime) {
    outcomes.begin(nanoTime);
    switch (command) {
      case RegisterClient register -> index.register(register.client(), register.requester());
      case RequestLock request -> requestLock(request);
      case ReleaseLock release -> waitingPromiseSettles(release.id());
      case AbortRequest abort -> abortRequest(abort.id());
      case EndClient end -> terminateRemainingLocksAndRequests(end.client());
      case TakeSnapshot query -> snapshotLockState(query);
      case BucketCommand bucket ->
          throw new IllegalArgumentException("not a command of lock managers: " + bucket);
    }
    return outcomes.outcomes();
  }

  /**
   * Returns the held locks and waiting requests of all managers, name by name: first the locks in
   * the order of their grants, then the requests in queue order.
   */
  public List<LockState> diagnose() {
    List<LockState> states = new ArrayList<>();
    managers.values().stream()
        .sorted(Comparator.comparing(manager -> manager.id.value()))
        .forEach(manager -> manager.diagnose(states));
    return states;
  }

  /** Returns a registered client as diagnoses show it; null if it is not registered. */
  public @Nullable LockRequester requester(ClientId id) {
    Client client = index.client(id);
    return client == null ? null : client.requester;
  }

  /**
   * Returns the number of held locks, of waiting requests, and of each kind of transition so far,
   * in all managers together.
   */
  public LockCounts counts() {
    return new LockCounts(
        outcomes.count(Kind.REQUESTED),
        outcomes.count(Kind.GRANTED),
        outcomes.count(Kind.MISSED),
        outcomes.count(Kind.STOLEN),
        outcomes.count(Kind.ABORTED),
        outcomes.count(Kind.RELEASED),
        heldCount(),
        pendingCount());
  }

  /** Returns how many locks are held, in all managers together. */
  public int heldCount() {
    return index.lockCount();
  }

  /** Returns how many requests wait, in all managers together. */
  public int pendingCount() {
    return index.requestCount();
  }

  /**
   * Returns the state as bytes. Equal states have equal bytes: the same commands at the same times
   * lead to the same bytes, even if a state was restored in between.
   */
  public byte[] snapshot() {
    return StateCodec.write(this);
  }

  /**
   * Returns lock managers restored from a {@link #snapshot}; they behave like the original ones.
   *
   * @param variants the variants of the lock managers that the snapshot was taken from
   * @throws IllegalArgumentException if the bytes are malformed, or version or variants differ
   */
  public static LockManagers restore(byte[] snapshot, Set<Variant> variants) {
    return StateCodec.read(snapshot, variants);
  }

  Set<Variant> variants() {
    return variants;
  }

  OutcomeRecorder outcomes() {
    return outcomes;
  }

  LockIndex index() {
    return index;
  }

  /** Returns the managers that have locks or requests, in no particular order. */
  List<LockManager> inUse() {
    return managers.values().stream().filter(manager -> !manager.isUnused()).toList();
  }

  long operationCount() {
    return operations.value();
  }

  int managerCount() {
    return managers.size() - (idle == null ? 0 : 1);
  }

  int queueCount() {
    return managers.values().stream().mapToInt(LockManager::queueCount).sum();
  }

  int clientCount() {
    return index.clientCount();
  }

  private void requestLock(RequestLock command) {
    Client client = index.client(command.client());
    if (client == null) {
      return; // has ended
    }
    if (index.isInUse(command.id(), client)) {
      throw new IllegalArgumentException(
          "request id " + command.id() + " is in use; give every request its own id: " + command);
    }
    obtainManager(command.manager()).requestLock(command, client);
  }

  LockManager obtainManager(ManagerId id) {
    operations.add();
    LockManager known = idle != null && idle.id.equals(id) ? idle : managers.get(id);
    if (known == null) {
      known = new LockManager(id, index, operations, outcomes, rules);
      managers.put(id, known);
    } else if (known == idle) {
      idle = null;
    }
    return known;
  }

  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock
  private void waitingPromiseSettles(RequestId id) {
    HeldLock lock = index.lock(id);
    if (lock == null) {
      return; // stolen, ended with its client, or never granted
    }
    Released released = new Released(id, SpecStep.RELEASED_RESOLVES);
    if (rules.resolvesBeforeRelease()) {
      outcomes.add(released);
      releaseLock(lock, false);
    } else {
      releaseLock(lock, false); // 1
      outcomes.add(released); // 2
    }
  }

  private void abortRequest(RequestId id) {
    if (!rules.abortRemovesRequest()) {
      return;
    }
    LockRequest request = index.request(id);
    if (request == null) {
      return; // granted, missed, ended with its client, or never made
    }
    request.manager.abortRequest(request);
    dropIfUnused(request.manager);
  }

  // https://www.w3.org/TR/2025/WD-web-locks-20250924/#termination-of-locks
  private void terminateRemainingLocksAndRequests(ClientId id) {
    Client client = index.client(id);
    if (client == null) {
      return;
    }
    // All are removed before any queue is processed, so that the client is granted no request.
    List<LockRequest> requests = client.requests.items();
    for (LockRequest request : requests) { // 1
      request.manager.removeFromQueue(request, true);
    }
    for (LockRequest request : requests) { // 1.1
      request.manager.processAfterAbort(request, true);
      dropIfUnused(request.manager);
    }
    Chain.Link<HeldLock> lock;
    while ((lock = client.locks.first()) != null) { // 2
      releaseLock(lock.item(), true); // 2.1
    }
    index.unregister(client);
  }

  private void releaseLock(HeldLock lock, boolean clientEnded) {
    LockManager manager = lock.request.manager;
    manager.releaseLock(lock, clientEnded);
    dropIfUnused(manager);
  }

  private void snapshotLockState(TakeSnapshot query) {
    if (index.client(query.client()) == null) {
      return; // has ended
    }
    operations.add();
    LockManager manager = managers.get(query.manager());
    LockManagerSnapshot snapshot =
        manager == null
            ? new LockManagerSnapshot(List.of(), List.of())
            : manager.snapshotLockState();
    outcomes.add(
        new SnapshotTaken(
            query.id(), rules.visibleTo(query.client(), snapshot), SpecStep.SNAPSHOT_RESOLVES));
  }

  private void dropIfUnused(LockManager manager) {
    if (manager.isUnused() && manager != idle) {
      if (idle != null) {
        operations.add();
        managers.remove(idle.id);
      }
      idle = manager;
    }
  }
}
