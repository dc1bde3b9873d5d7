package dev.weblocks.locks;

import dev.weblocks.agent.Freezable;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.DictionaryList;
import dev.weblocks.binding.DictionaryValue;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.WaitMode;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * An environment as a client of the lock task queue. Stores open requests with their callbacks,
 * promises and signals, which must not leave the agent. Used on the event loop, except {@link
 * #receive}.
 */
final class LockClient implements Freezable, HeldLocks.Holder {

  private final Realm realm;
  private final RealmBinding binding;
  private final LockService service;
  private final ClientRules rules;
  private final ClientId id;
  private final OpenRequests<RequestId, ClientRequest> requests;
  private final Map<RequestId, IdlPromise> queries = new HashMap<>();

  /** The lists of a snapshot for script; reused while queries get the same snapshot object. */
  private record Answer(
      LockManagerSnapshot snapshot, DictionaryList held, DictionaryList pending) {}

  private SoftReference<Answer> lastAnswer = new SoftReference<>(null);

  /** The requests that were withdrawn when the agent froze; they are made again when it resumes. */
  private final List<ClientRequest> withdrawn = new ArrayList<>();

  /** The locks whose callbacks were called; null unless the loss of the session ends the agent. */
  private final @Nullable Set<RequestId> used;

  private LockClient(Realm realm) {
    this.realm = realm;
    this.binding = RealmBinding.of(realm);
    UserAgent userAgent = realm.agent().userAgent();
    this.service = LockServices.of(userAgent);
    RemoteLocks remote = LockSettings.of(userAgent).remote();
    this.used = remote != null && remote.endsHolders() ? ConcurrentHashMap.newKeySet() : null;
    this.rules = ClientRules.of(realm);
    this.requests = new OpenRequests<>(realm);
    this.id = new ClientId(rules.newClientId(realm));
    service.register(
        new RegisterClient(
            id,
            new LockRequester(
                realm.agent().name(),
                realm.settings().creationUrl(),
                realm.settings().origin().serialize())),
        this::receive);
    // 2.6. Termination of Locks: with the document, or with the agent after its script has stopped
    EndClient end = new EndClient(id); // made now, as memory may be exhausted then
    realm.onDiscard(() -> {
      try {
        StackReserve.requireForStep();
        forgetAll();
        service.enqueue(end);
      } catch (StackOverflowError tooDeep) { // script has removed the frame
        userAgent
            .driver()
            .runBlocking(
                "end of a lock client",
                () -> {
                  forgetAll();
                  service.enqueue(end);
                });
      }
    });
    realm.agent().freezing().add(realm, this);
    realm.supplements().put(HeldLocks.Holder.class, this);
  }

  private void forgetAll() {
    requests.clear();
    queries.clear();
    withdrawn.clear();
    lastAnswer.clear();
    if (used != null) {
      used.clear();
    }
  }

  static LockClient of(Realm realm) {
    return realm.supplements().get(LockClient.class, () -> new LockClient(realm));
  }

  Realm realm() {
    return realm;
  }

  RealmBinding binding() {
    return binding;
  }

  ClientRules rules() {
    return rules;
  }

  /** Returns whether a request is open: not settled, not aborted, and its lock is not lost. */
  boolean has(ClientRequest request) {
    return requests.get(request.id) == request;
  }

  /** Removes a request; returns false if it was removed before. */
  boolean forget(ClientRequest request) {
    return requests.remove(request.id, request);
  }

  void release(RequestId request) {
    try {
      service.enqueue(new ReleaseLock(request));
    } catch (Error exhausted) {
      throw mustEnd(exhausted);
    }
  }

  /** Ends the agent, which could not take a step of a protocol, so that its locks are released. */
  private Error mustEnd(Error exhausted) {
    realm.agent().endAfter("lock step", exhausted);
    return exhausted;
  }

  void queueTask(String label, Runnable steps) {
    realm.queueTask(TaskSource.WEB_LOCKS, label, steps);
  }

  @Override
  public boolean holdsLocks() {
    return requests.all().stream().anyMatch(ClientRequest::isGranted);
  }

  /** Returns the held locks and waiting requests. */
  OpenRequests<RequestId, ClientRequest> requests() {
    return requests;
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock">4.1. Request
   * a lock</a>; {@code callback} is null if script passed none
   */
  void requestLock(
      IdlPromise promise,
      ManagerId manager,
      @Nullable Value callback,
      LockOptions options,
      @Nullable AbortSignal signal) {
    realm.agent().userAgent().endClosedContexts();
    // 1.
    ClientRequest request =
        new ClientRequest(this, service.nextId(id), manager, options, callback, promise, signal);
    try {
      requests.put(request.id, request);
      // 2.
      request.addAbortAlgorithm();
      // 3. and 4.: nothing uses the returned request
      rules.send(this, service, new RequestLock(request.id, manager, options), callback);
    } catch (Error exhausted) { // the promise is rejected, and the request may be enqueued
      throw mustEnd(exhausted);
    }
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#signal-to-abort-the-request">4.3.
   * signal to abort the request</a>
   */
  void signalToAbortRequest(ClientRequest request, AbortSignal signal) {
    // Removed here: if a grant is in flight, it finds no request and releases the lock.
    requests.remove(request.id);
    // 1.
    try {
      service.enqueue(new AbortRequest(request.id));
    } catch (Error exhausted) {
      throw mustEnd(exhausted);
    }
    // 2.
    request.promise.reject(signal.reason());
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-snapshot-state">4.5.
   * Snapshot the lock state</a>
   */
  void snapshotLockState(ManagerId manager, IdlPromise promise) {
    RequestId query = service.nextId(id);
    queries.put(query, promise);
    service.enqueue(new TakeSnapshot(query, manager));
  }

  @Override
  public boolean isInvolvedWithOthers() {
    return !requests.isEmpty();
  }

  /**
   * Releases locks and withdraws requests, only with {@link FrozenLocks#RELEASE}. A lock whose
   * callback has been called is lost as if it were stolen. Other requests leave their queue or
   * release their lock, and are made again on resumption, so no callback runs without its lock.
   */
  @Override
  public void freeze(FrozenLocks policy) {
    if (policy != FrozenLocks.RELEASE) {
      return;
    }
    List<ClientRequest> all = new ArrayList<>(requests.all());
    all.sort(Comparator.comparingLong(request -> request.id.sequence()));
    for (ClientRequest request : all) {
      if (request.hasOutcome()) {
        continue; // it is being released already
      }
      requests.remove(request.id);
      if (request.isGranted()) {
        queueTask("lost while frozen", () -> loseAsFrozen(request));
      } else {
        // it may be a request or a lock by then, so both commands are sent
        service.enqueue(new AbortRequest(request.id));
      }
      service.enqueue(new ReleaseLock(request.id));
      if (!request.isGranted()) {
        request.id = service.nextId(id);
        requests.put(request.id, request);
        withdrawn.add(request);
      }
    }
  }

  private static void loseAsFrozen(ClientRequest request) {
    request.lose(
        ScriptException.dom("AbortError", "The lock was released when the page was frozen."));
  }

  /** Makes the withdrawn requests again, in their order; a steal as an ordinary request. */
  @Override
  public void resume() {
    for (ClientRequest request : withdrawn) {
      LockOptions options = request.options;
      service.enqueue(
          new RequestLock(
              request.id,
              request.manager,
              options.waitMode() == WaitMode.STEAL
                  ? options.withWaitMode(WaitMode.WAIT)
                  : options));
    }
    withdrawn.clear();
  }

  /** Queues a task that handles an effect. Called on the thread that runs the lock step. */
  private void receive(LockEffect effect) {
    if (rules.takes(effect)) {
      return;
    }
    RequestId lock = effect.id();
    if (effect instanceof SessionLost) {
      if (used != null && used.contains(lock)) {
        realm.agent().terminate(); // at once, as its script may be running
      }
      // before all other tasks, so that none begins that believes in the lock
      realm.queueFirstTask(effect.label(), () -> handle(effect));
      return;
    }
    if (used != null && (effect instanceof Stolen || effect instanceof Released)) {
      used.remove(lock);
    }
    if (effect instanceof Stolen) {
      rules.wasStolen(lock);
    }
    if (effect instanceof Released && rules.settlesBeforeRelease()) {
      return;
    }
    // Queued on this realm, although 4.1 and 4.4 name that of the callback: a discarded realm drops
    // its tasks, and the lock would never be released. No ids in labels: the step's trace has them.
    queueTask(effect.label(), () -> handle(effect));
  }

  void handle(LockEffect effect) {
    switch (effect) {
      case Granted granted -> granted(granted.id());
      case Unavailable unavailable -> unavailable(unavailable.id());
      case Stolen stolen -> stolen(stolen.id());
      case Released released -> released(released.id());
      case SnapshotTaken taken -> snapshotTaken(taken.id(), taken.snapshot());
      case SessionLost lost -> sessionLost(lost.id());
      case Refused refused ->
          reject(refused.id(), ScriptException.dom("QuotaExceededError", refused.message()));
      case BucketDeleted deleted ->
          reject(
              deleted.id(),
              ScriptException.dom("InvalidStateError", "The storage bucket was deleted."));
      case BucketOpened opened ->
          throw new IllegalStateException("not for a client of locks: " + opened);
    }
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-process-request">4.4.
   * Process a lock request queue</a>, step 2.14
   */
  private void granted(RequestId requestId) {
    // 2.8. to 2.10.
    ClientRequest request = requests.get(requestId);
    // 2.14.1. and 2.14.1.1.: aborted after the grant, before the callback
    if (request == null) {
      // 2.14.1.1.1. and 2.14.1.1.1.1.
      release(requestId);
      // 2.14.1.1.2.
      return;
    }
    if (rules.skipsCallback(requestId)) {
      return;
    }
    // 2.14.1.2.
    request.removeAbortAlgorithm();
    if (request.callback().isGone()) {
      requests.remove(requestId);
      release(requestId);
      request.promise.reject(callbackIsGone());
      return;
    }
    if (used != null) {
      used.add(requestId);
    }
    request.isNowGranted();
    // 2.11., 2.14.2. and 2.14.3.
    request.callback().granted();
  }

  /** Returns the error for a callback of a removed document, as in Firefox; not standardized. */
  private static ScriptException callbackIsGone() {
    return ScriptException.dom(
        "NotSupportedError",
        "Failed to execute 'request' on 'LockManager': The document of the callback was removed;"
            + " pass a callback of one that still exists.");
  }

  /** Runs step 2 of "when the waiting promise settles" (2.4 Lock). */
  void released(RequestId requestId) {
    ClientRequest request = requests.remove(requestId);
    if (request != null) {
      request.settle();
    }
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock">4.1. Request
   * a lock</a>, step 3.5.1: the request cannot be granted at once.
   */
  private void unavailable(RequestId requestId) {
    ClientRequest request = requests.remove(requestId);
    if (request == null) {
      return;
    }
    if (request.callback().isGone()) {
      request.promise.reject(callbackIsGone());
      return;
    }
    // 3.5.1.1. and 3.5.1.2.
    request.callback().missed();
  }

  /** Runs step 3.4.1.1.2 of 4.1 Request a lock, after another request has stolen the lock. */
  private void stolen(RequestId requestId) {
    rules.stealIsHandled(requestId);
    ClientRequest request = requests.remove(requestId);
    if (request != null) {
      // The callback has run: the grant came before, on the same task source.
      request.lose(rules.stolenError());
    }
  }

  /**
   * Loses a lock like a steal, or ends the agent, since the lock managers could not be reached. If
   * its callback was not called yet, the request is made again instead.
   */
  private void sessionLost(RequestId requestId) {
    ClientRequest request = requests.remove(requestId);
    if (request == null) {
      return;
    }
    if (request.isGranted()) {
      if (used != null) { // the callback was called after the loss
        realm.agent().terminate();
        return;
      }
      request.lose(
          ScriptException.dom(
              "AbortError", "The lock was lost, as the lock cluster could not be reached."));
      return;
    }
    request.id = service.nextId(id);
    requests.put(request.id, request);
    service.enqueue(new RequestLock(request.id, request.manager, request.options));
  }

  /** Rejects the promise of a request or query that remote lock managers have not accepted. */
  private void reject(RequestId requestId, ScriptException why) {
    ClientRequest request = requests.remove(requestId);
    if (request != null) {
      request.removeAbortAlgorithm();
    }
    IdlPromise promise = request == null ? queries.remove(requestId) : request.promise;
    if (promise != null) {
      promise.reject(why);
    }
  }

  /** Runs 4.5. Snapshot the lock state, step 6. */
  private void snapshotTaken(RequestId queryId, LockManagerSnapshot snapshot) {
    IdlPromise promise = queries.remove(queryId);
    if (promise != null) {
      Answer answer = answer(snapshot);
      promise.resolve(DictionaryValue.of("LockManagerSnapshot", answer.held, answer.pending));
    }
  }

  private Answer answer(LockManagerSnapshot snapshot) {
    Answer known = lastAnswer.get();
    if (known == null || known.snapshot != snapshot) {
      known = new Answer(snapshot, infos(snapshot.held()), infos(snapshot.pending()));
      lastAnswer = new SoftReference<>(known);
    }
    return known;
  }

  private DictionaryList infos(List<LockInfo> infos) {
    String[] values = new String[3 * infos.size()];
    int i = 0;
    for (LockInfo info : infos) {
      values[i++] = info.clientId();
      values[i++] = info.mode().idlValue();
      values[i++] = info.name();
    }
    return new DictionaryList(binding, "LockInfo", values);
  }
}
