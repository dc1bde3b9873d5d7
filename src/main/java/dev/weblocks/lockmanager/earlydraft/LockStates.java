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
 * The held lock sets and lock request queues of all origins of one user agent as one state machine:
 * a command goes in, effects come out, and the same commands always give the same effects.
 *
 * <p>No command but {@link Proceed} grants anything; all others only note which requests may have
 * become grantable, and {@link #mayProceed()} tells that there are such. So whatever a command
 * removes is gone before any waiting steps go on. After a {@code Proceed} no request that waits is
 * grantable.
 *
 * <p>What waits is found by name. A request looks at each name of its scope once that is free, and
 * at one more each time that something goes which it has waited for: over its life in proportion to
 * its scope, whatever else is held or queued, plus the logarithm of that for places in the queue.
 *
 * <p>Not thread-safe: one thread at a time, and each call sees what the one before it wrote.
 */
public final class LockStates {
  private final LongSupplier nanoTime;
  private final Map<ManagerId, OriginState> origins = new LinkedHashMap<>();
  private final Map<ClientId, Client> clients = new HashMap<>();

  /** Those that wait, by id. */
  private final Map<Long, LockRequest> requests = new HashMap<>();

  /** Those that are held, by id. */
  private final Map<Long, HeldLock> locks = new HashMap<>();

  /** Requests that wait and may have become grantable, by their order in the queue. */
  private final TreeMap<Long, LockRequest> freed = new TreeMap<>();

  private final long[] counts = new long[Kind.values().length];
  private @Nullable Consumer<Transition> watcher;
  private long lastRequest;
  private long lastLock;
  private long looks;

  /** Makes states in which nothing is held and nobody waits, without a clock. */
  public LockStates() {
    this(() -> 0);
  }

  /**
   * Makes states in which nothing is held and nobody waits.
   *
   * @param nanoTime what observers tell the time by; nothing else depends on it
   */
  public LockStates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Runs one command to its end.
   *
   * @param command the command
   * @param effects gets each effect as it happens; must neither throw nor call back into this
   *     object
   * @throws IllegalArgumentException if a request has the id of one that waits or of a lock that is
   *     held; nothing has changed then
   */
  public void apply(Command command, Consumer<Effect> effects) {
    apply(command, effects, null);
  }

  /**
   * Runs one command to its end.
   *
   * @param command the command
   * @param effects as above
   * @param told gets each step in the life of each request, under the same rules; null for nobody
   * @throws IllegalArgumentException as above
   */
  public void apply(
      Command command, Consumer<Effect> effects, @Nullable Consumer<Transition> told) {
    watcher = told;
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

  /** Whether a {@link Proceed} would find requests that may have become grantable. */
  public boolean mayProceed() {
    return !freed.isEmpty();
  }

  /** How many locks are held, in all origins. */
  public int heldCount() {
    return locks.size();
  }

  /** How many requests wait, in all origins. */
  public int pendingCount() {
    return requests.size();
  }

  /** What was done so far and is in hand. Forced releases count as steals. */
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
   * Tells what is held and who waits: origin by origin and name by name, first the locks with that
   * name in their scope, in the order of their grants, then the requests, in that of the queue. One
   * of several names is told for each of them, in its place on that name.
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

  /** How often a name was looked at for a request so far. */
  long looks() {
    return looks + origins.values().stream().mapToLong(OriginState::looks).sum();
  }

  /** Runs the steps up to the enqueueing; 1, 7 and 10 are the agent's, as are 5.1 to 5.3. */
  // Early draft, "Algorithm: request a lock"
  private void requestLock(RequestLock command, Consumer<Effect> effects) {
    long id = command.requestId();
    if (requests.containsKey(id) || locks.containsKey(id)) {
      throw new IllegalArgumentException(
          "request id " + id + " is in use; give every request an id of its own: " + command);
    }
    Client known = clients.get(command.client());
    Client client = known == null ? new Client(command.client()) : known;
    OriginState origin = // 2 and 3
        origins.computeIfAbsent(command.origin(), OriginState::new);
    LockRequest request = // 4
        new LockRequest(
            id,
            ++lastRequest,
            client,
            origin,
            command.scope(),
            command.mode(),
            command.ifAvailable(),
            command.source(),
            nanoTime.getAsLong());
    note(Kind.REQUESTED, request, 0, false, null);
    boolean grantable = origin.grantable(request);
    if (command.ifAvailable() && !grantable) { // 5
      note(Kind.MISSED, request, 0, false, null);
      effects.accept(new Unavailable(id, client.id, DraftStep.REQUEST_MISSES));
      return; // something is in the way, so the origin is in use
    }
    origin.enqueue(request); // 6
    requests.put(id, request);
    clients.put(client.id, client);
    client.requests.put(id, request);
    if (command.aborted()) { // the agent has noticed
      abortRequest(id, effects);
    } else if (grantable) { // 8: proceed() takes it up; others are told when they are freed
      freed.put(request.order, request);
    }
  }

  /**
   * Runs the steps that have waited until a request is grantable, where it is; 8.3 and those from
   * 8.7 on are the agent's.
   */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void proceed(Consumer<Effect> effects) {
    List<LockRequest> candidates = List.copyOf(freed.values());
    freed.clear();
    for (LockRequest request : candidates) {
      if (request.origin.grantable(request)) { // 8.1
        HeldLock lock = // 8.4
            new HeldLock(request, ++lastLock, nanoTime.getAsLong());
        // 8.2: nothing finds the request any more
        requests.remove(request.id);
        request.client.requests.remove(request.id);
        request.origin.grant(request, lock); // 8.5 and 8.6
        locks.put(lock.id, lock);
        request.client.locks.put(lock.id, lock);
        note(Kind.GRANTED, request, lock.grantedAt - request.requestedAt, false, null);
        effects.accept(new Granted(lock.id, request.client.id, DraftStep.REQUEST_GRANTS));
      }
    }
  }

  /** The aborted flag of a request's signal is set: 7.1 is the agent's, as is 7.4. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void abortRequest(long requestId, Consumer<Effect> effects) {
    LockRequest request = requests.get(requestId);
    if (request == null) {
      return; // granted, missed, ended with its client, or never made
    }
    // 7.2: nothing finds the request any more
    removeRequest(request); // 7.3
    effects.accept(new Aborted(requestId, request.client.id, DraftStep.REQUEST_ABORTS));
  }

  // Early draft, "Lock": When lock's waiting promise settles
  private void waitingPromiseSettles(long requestId) {
    HeldLock lock = locks.get(requestId);
    if (lock != null) { // not released by force, nor ended with its client
      removeLock(lock, Kind.RELEASED, false, null); // 1
      tellFreed(lock);
    }
  }

  /** 1 to 4 are the agent's. */
  // Early draft, "LockManager.prototype.forceRelease(scope)"
  private void forceRelease(ForceRelease command, Consumer<Effect> effects) {
    OriginState origin = origins.get(command.origin());
    List<HeldLock> members = origin == null ? List.of() : origin.locksOn(command.scope());
    for (HeldLock lock : members) { // 5.1
      removeLock(lock, Kind.STOLEN, false, command.client());
      effects.accept(new ForceReleased(lock.id, lock.request.client.id, DraftStep.FORCE_REMOVES));
    }
    members.forEach(this::tellFreed);
    effects.accept(
        new ForceReleaseDone(command.releaseId(), command.client(), DraftStep.FORCE_ENDS));
  }

  /** 1 to 3 and 5 are the agent's. */
  // Early draft, "LockManager.prototype.queryState()"
  private void queryState(QueryState query, Consumer<Effect> effects) {
    OriginState origin = origins.get(query.origin());
    QueriedState state =
        origin == null ? new QueriedState(List.of(), List.of()) : origin.queryState();
    effects.accept( // 4.8
        new StateTaken(query.queryId(), query.client(), state, DraftStep.QUERY_RESOLVES));
  }

  /** The agent was terminated, or one environment of it has ended. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void endClient(ClientId id) {
    Client client = clients.get(id); // 9 and 9.1
    if (client == null) {
      return;
    }
    // All of it goes before anything proceeds, lest the dead be granted something.
    List<LockRequest> aborted = List.copyOf(client.requests.values());
    List<HeldLock> released = List.copyOf(client.locks.values());
    for (LockRequest request : aborted) { // 9.2 and 9.4: nothing finds the request any more
      removeFromQueue(request); // 9.3
      note(Kind.ABORTED, request, nanoTime.getAsLong() - request.requestedAt, true, null);
    }
    for (HeldLock lock : released) { // for the draft to do
      removeLock(lock, Kind.RELEASED, true, null);
    }
    aborted.forEach(this::tellFreed);
    released.forEach(this::tellFreed);
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
    tellFreed(request);
  }

  private void removeFromQueue(LockRequest request) {
    request.origin.remove(request);
    requests.remove(request.id);
    freed.remove(request.order);
    request.client.requests.remove(request.id);
    forgetIfUnused(request);
  }

  private void removeLock(
      HeldLock lock, Kind kind, boolean clientEnded, @Nullable ClientId byWhom) {
    LockRequest request = lock.request;
    request.origin.remove(lock);
    locks.remove(lock.id);
    request.client.locks.remove(lock.id);
    forgetIfUnused(request);
    note(kind, request, nanoTime.getAsLong() - lock.grantedAt, clientEnded, byWhom);
  }

  private void forgetIfUnused(LockRequest request) {
    if (request.client.isIdle()) {
      clients.remove(request.client.id);
    }
    if (request.origin.isUnused() && origins.remove(request.origin.id, request.origin)) {
      looks += request.origin.looks();
    }
  }

  private void tellFreed(HeldLock lock) {
    lock.request.origin.tellFreed(
        lock.scope,
        lock.mode,
        0,
        request -> {
          request.roomBy = lock.id;
          freed.put(request.order, request);
        });
  }

  private void tellFreed(LockRequest gone) {
    gone.origin.tellFreed(
        gone.scope,
        gone.mode,
        gone.order,
        request -> {
          if (gone.order < request.order) { // a later one was not in its way
            request.roomBy = gone.id;
          }
          freed.put(request.order, request);
        });
  }

  private long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  private void note(
      Kind kind, LockRequest request, long nanos, boolean clientEnded, @Nullable ClientId byWhom) {
    counts[kind.ordinal()]++;
    Consumer<Transition> told = watcher;
    if (told != null) {
      told.accept(
          new Transition(
              kind,
              request.id,
              request.origin.id,
              request.scope,
              request.mode,
              request.ifAvailable,
              request.client.id,
              request.source,
              nanos,
              clientEnded,
              byWhom,
              kind == Kind.GRANTED ? request.roomBy : 0));
    }
  }
}
