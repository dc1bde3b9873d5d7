package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.earlydraft.Effect.Aborted;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleaseDone;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleased;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.earlydraft.Effect.StateTaken;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The held lock sets and lock request queues of all origins of one user agent as one deterministic
 * state machine: its input is commands, its output effects.
 *
 * <p>Only {@link Proceed} grants requests. All other commands only record which requests may have
 * become grantable, and {@link #mayProceed()} returns whether there are any. So a command removes
 * all of its requests and locks before a waiting request is granted. After a {@code Proceed} no
 * waiting request is grantable.
 *
 * <p>Waiting requests are indexed by name. A request checks each name of its scope once, when that
 * name is free, and one more name each time that a request or lock that blocks it is removed. The
 * total cost of a request is proportional to the size of its scope, plus a logarithmic cost for its
 * entries in the sorted indexes.
 *
 * <p>Not thread-safe: calls must be ordered by happens-before.
 */
public final class LockStates {
  private final LongSupplier nanoTime;
  private final Map<ManagerId, OriginState> origins = new LinkedHashMap<>();
  private final Map<ClientId, Client> clients = new HashMap<>();

  /** Waiting requests, by id. */
  private final Map<Long, LockRequest> requests = new HashMap<>();

  /** Held locks, by id. */
  private final Map<Long, HeldLock> locks = new HashMap<>();

  /** Waiting requests that may have become grantable, by their order in the queue. */
  private final TreeMap<Long, LockRequest> freed = new TreeMap<>();

  private final long[] counts = new long[Kind.values().length];
  private @Nullable Consumer<Transition> watcher;
  private long lastRequest;
  private long lastLock;
  private long looks;

  /**
   * Creates the states of a user agent that has no locks and requests yet.
   *
   * @param nanoTime the clock for observers; nothing else depends on it
   */
  public LockStates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Runs one command to its end.
   *
   * @param effects gets each effect as it happens; must neither throw nor call back into this
   *     object
   * @param transitions gets each transition of each request, under the same rules; null for none
   * @throws IllegalArgumentException if the id of a new request is that of a waiting request or a
   *     held lock; nothing has changed then
   */
  public void apply(
      Command command, Consumer<Effect> effects, @Nullable Consumer<Transition> transitions) {
    watcher = transitions;
    switch (command) {
      case RequestLock request -> requestLock(request, effects);
      case WaitingPromiseSettles settled -> waitingPromiseSettles(settled.requestId());
      case Proceed proceed -> proceed(effects);
      case AbortRequest abort -> abortRequest(abort.requestId(), effects);
      case ForceRelease release -> forceRelease(release, effects);
      case QueryState query -> queryState(query, effects);
      case EndClient end -> endClient(end.client());
      case GiveUp given -> giveUp(given.requestId());
    }
  }

  /** Returns whether a {@link Proceed} would find requests that may have become grantable. */
  public boolean mayProceed() {
    return !freed.isEmpty();
  }

  /** Returns the number of held locks, in all origins. */
  public int heldCount() {
    return locks.size();
  }

  /** Returns the number of waiting requests, in all origins. */
  public int pendingCount() {
    return requests.size();
  }

  /**
   * Returns the number of held locks, of waiting requests, and of each kind of transition so far.
   * Forced releases count as steals.
   */
  public LockCounts counts() {
    return new LockCounts(
        count(Kind.REQUESTED),
        count(Kind.GRANTED),
        count(Kind.MISSED),
        count(Kind.STOLEN),
        count(Kind.ABORTED),
        count(Kind.RELEASED),
        locks.size(),
        requests.size());
  }

  /**
   * Returns the held locks and waiting requests, origin by origin and name by name: first the locks
   * with that name in their scope, in the order of their grants, then the requests in queue order.
   * A lock or request of several names is listed under each of its names.
   */
  public List<LockState> diagnose() {
    List<LockState> states = new ArrayList<>();
    origins.values().forEach(origin -> origin.diagnose(states));
    return states;
  }

  int originCount() {
    return origins.size();
  }

  int nameCount() {
    return origins.values().stream().mapToInt(OriginState::nameCount).sum();
  }

  int clientCount() {
    return clients.size();
  }

  /** Returns how often requests were checked against the locks and requests of a name so far. */
  long looks() {
    return looks + origins.values().stream().mapToLong(OriginState::looks).sum();
  }

  /** Runs steps 2 to 6; the agent runs 1, 5.1 to 5.3, 7 and 10. */
  // Early draft, "Algorithm: request a lock"
  private void requestLock(RequestLock command, Consumer<Effect> effects) {
    long id = command.requestId();
    if (requests.containsKey(id) || locks.containsKey(id)) {
      throw new IllegalArgumentException(
          "request id " + id + " is in use; give every request its own id: " + command);
    }
    Client known = clients.get(command.client());
    Client client = known == null ? new Client(command.client()) : known;
    OriginState origin = // 2 and 3
        origins.computeIfAbsent(command.origin(), OriginState::new);
    LockRequest request = // 4
        new LockRequest(command, ++lastRequest, client, origin, nanoTime.getAsLong());
    note(Kind.REQUESTED, request, 0, false, null);
    boolean grantable = origin.grantable(request);
    if (command.ifAvailable() && !grantable) { // 5
      note(Kind.MISSED, request, 0, false, null);
      effects.accept(new Unavailable(id, client.id, DraftStep.REQUEST_MISSES));
      return; // a lock or request is in the way, so the origin is in use
    }
    origin.enqueue(request); // 6
    requests.put(id, request);
    clients.put(client.id, client);
    client.requests.put(id, request);
    if (command.aborted()) { // the agent has noticed
      abortRequest(id, effects);
    } else if (grantable) { // 8: proceed() grants it; others are added when they become free
      freed.put(request.order, request);
    }
  }

  /** Runs step 8 for grantable requests; the agent runs 8.3 and the steps from 8.7 on. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void proceed(Consumer<Effect> effects) {
    List<LockRequest> candidates = List.copyOf(freed.values());
    freed.clear();
    for (LockRequest request : candidates) {
      if (request.origin.grantable(request)) { // 8.1
        HeldLock lock = // 8.4
            new HeldLock(request, ++lastLock, nanoTime.getAsLong());
        // 8.2: no index contains the request any more
        requests.remove(request.id);
        request.client.requests.remove(request.id);
        request.origin.grant(request, lock); // 8.5 and 8.6
        locks.put(lock.request.id, lock);
        request.client.locks.put(lock.request.id, lock);
        note(Kind.GRANTED, request, lock.grantedAt - request.requestedAt, false, null);
        effects.accept(new Granted(lock.request.id, request.client.id, DraftStep.REQUEST_GRANTS));
      }
    }
  }

  /** Runs step 7, after the aborted flag of a signal was set; the agent runs 7.1 and 7.4. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void abortRequest(long requestId, Consumer<Effect> effects) {
    LockRequest request = requests.get(requestId);
    if (request == null) {
      return; // granted, missed, ended with its client, or never made
    }
    // 7.2: no index contains the request any more
    removeRequest(request); // 7.3
    effects.accept(new Aborted(requestId, request.client.id, DraftStep.REQUEST_ABORTS));
  }

  // Early draft, "Lock": When lock's waiting promise settles
  private void waitingPromiseSettles(long requestId) {
    HeldLock lock = locks.get(requestId);
    if (lock != null) { // not released by force, nor ended with its client
      removeLock(lock, Kind.RELEASED, false, null); // 1
      reportFreed(lock);
    }
  }

  /** Runs step 5; the agent runs 1 to 4. */
  // Early draft, "LockManager.prototype.forceRelease(scope)"
  private void forceRelease(ForceRelease command, Consumer<Effect> effects) {
    OriginState origin = origins.get(command.origin());
    List<HeldLock> members = origin == null ? List.of() : origin.locksOn(command.scope());
    for (HeldLock lock : members) { // 5.1
      removeLock(lock, Kind.STOLEN, false, command.client());
      effects.accept(
          new ForceReleased(lock.request.id, lock.request.client.id, DraftStep.FORCE_REMOVES));
    }
    members.forEach(this::reportFreed);
    effects.accept(
        new ForceReleaseDone(command.releaseId(), command.client(), DraftStep.FORCE_ENDS));
  }

  /** Runs step 4; the agent runs 1 to 3 and 5. */
  // Early draft, "LockManager.prototype.queryState()"
  private void queryState(QueryState query, Consumer<Effect> effects) {
    OriginState origin = origins.get(query.origin());
    QueriedState state =
        origin == null ? new QueriedState(List.of(), List.of()) : origin.queryState();
    effects.accept( // 4.8
        new StateTaken(query.queryId(), query.client(), state, DraftStep.QUERY_RESOLVES));
  }

  /** Runs step 9, after an agent was terminated or one of its environments has ended. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void endClient(ClientId id) {
    Client client = clients.get(id); // 9 and 9.1
    if (client == null) {
      return;
    }
    // All of it is removed before any request proceeds, so that no request of the ended client is
    // granted.
    List<LockRequest> aborted = List.copyOf(client.requests.values());
    List<HeldLock> released = List.copyOf(client.locks.values());
    for (LockRequest request : aborted) { // 9.2 and 9.4: no index contains the request any more
      removeFromQueue(request); // 9.3
      note(Kind.ABORTED, request, nanoTime.getAsLong() - request.requestedAt, true, null);
    }
    for (HeldLock lock : released) { // marked as to do in the draft
      removeLock(lock, Kind.RELEASED, true, null);
    }
    aborted.forEach(this::reportFreed);
    released.forEach(this::reportFreed);
  }

  private void giveUp(long requestId) {
    LockRequest request = requests.get(requestId);
    if (request != null) {
      removeRequest(request);
    } else {
      waitingPromiseSettles(requestId);
    }
  }

  private void removeRequest(LockRequest request) {
    removeFromQueue(request);
    note(Kind.ABORTED, request, nanoTime.getAsLong() - request.requestedAt, false, null);
    reportFreed(request);
  }

  private void removeFromQueue(LockRequest request) {
    request.origin.remove(request);
    requests.remove(request.id);
    freed.remove(request.order);
    request.client.requests.remove(request.id);
    forgetIfUnused(request);
  }

  private void removeLock(
      HeldLock lock, Kind kind, boolean clientEnded, @Nullable ClientId releasedBy) {
    LockRequest request = lock.request;
    request.origin.remove(lock);
    locks.remove(lock.request.id);
    request.client.locks.remove(lock.request.id);
    forgetIfUnused(request);
    note(kind, request, nanoTime.getAsLong() - lock.grantedAt, clientEnded, releasedBy);
  }

  private void forgetIfUnused(LockRequest request) {
    if (request.client.isIdle()) {
      clients.remove(request.client.id);
    }
    if (request.origin.isUnused() && origins.remove(request.origin.id, request.origin)) {
      looks += request.origin.looks();
    }
  }

  private void reportFreed(HeldLock lock) {
    lock.request.origin.reportFreed(
        lock.request.scope,
        lock.request.mode,
        0,
        request -> {
          request.roomBy = lock.request.id;
          freed.put(request.order, request);
        });
  }

  private void reportFreed(LockRequest gone) {
    gone.origin.reportFreed(
        gone.scope,
        gone.mode,
        gone.order,
        request -> {
          if (gone.order < request.order) { // a later request was no obstacle
            request.roomBy = gone.id;
          }
          freed.put(request.order, request);
        });
  }

  private long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  private void note(
      Kind kind,
      LockRequest request,
      long nanos,
      boolean clientEnded,
      @Nullable ClientId releasedBy) {
    counts[kind.ordinal()]++;
    Consumer<Transition> transitions = watcher;
    if (transitions != null) {
      transitions.accept(
          new Transition(
              kind,
              request.id,
              request.origin.id,
              request.scope,
              request.mode,
              request.command.ifAvailable(),
              request.client.id,
              request.command.source(),
              nanos,
              clientEnded,
              releasedBy,
              kind == Kind.GRANTED ? request.roomBy : 0));
    }
  }
}
