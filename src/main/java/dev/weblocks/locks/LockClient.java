package dev.weblocks.locks;

import dev.weblocks.agent.Freezable;
import dev.weblocks.agent.FreezePolicy;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.DictionaryList;
import dev.weblocks.binding.DictionaryValue;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.lockmanager.LockTaskQueue;
import dev.weblocks.lockmanager.Variant;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockInfo;
import dev.weblocks.lockmanager.message.LockManagerSnapshot;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.WaitMode;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * One environment as a client of the lock task queue: its requests under way, with everything that
 * may not leave the agent. A supplement of the realm; on the event loop, except {@link #receive}.
 */
final class LockClient implements Freezable, HeldLocks.Holder {

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-request">lock request</a>, and
   * the lock that it becomes, as far as the agent keeps them.
   */
  private final class Request implements RealmBinding.Reaction, ReleasableLock.Holder {
    /** Another one after the request was withdrawn and is made again. */
    long id;

    final ManagerId manager;
    final String name;
    final LockMode mode;
    final WaitMode waitMode;

    /** Null under the variant callback-less alone. */
    final @Nullable Value callback;

    /** The realm of the callback, which is not called once that is discarded. */
    final Realm callbackRealm;

    final IdlPromise promise;
    final @Nullable AbortSignal signal;
    final LockAsker asker;
    final boolean reentrant;
    @Nullable Runnable signalToAbort;
    boolean callbackCalled;

    /** What the waiting promise of the lock was settled with; null before. */
    @Nullable Value outcome;

    boolean fulfilled;

    /** Variant thenable-releases: what the callback has returned, which holds no lock. */
    private @Nullable Value returned;

    /** Variant callback-less: there where there is no callback, and script has the lock. */
    final @Nullable Releases releases;

    Request(
        long id,
        ManagerId manager,
        String name,
        LockMode mode,
        WaitMode waitMode,
        @Nullable Value callback,
        IdlPromise promise,
        @Nullable AbortSignal signal,
        LockAsker asker,
        boolean reentrant) {
      this.asker = asker;
      this.reentrant = reentrant;
      this.releases = callback == null ? new Releases() : null;
      this.id = id;
      this.manager = manager;
      this.name = name;
      this.mode = mode;
      this.waitMode = waitMode;
      this.callback = callback;
      this.callbackRealm = callback == null ? realm : binding.associatedRealm(callback);
      this.promise = promise;
      this.signal = signal;
    }

    /**
     * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock">2.4. Lock</a>, when
     * the waiting promise settles: the release, step 1, is the lock task queue's; step 2 follows in
     * {@link #released}. Of a request that was not granted, the promise that its callback has
     * returned.
     */
    @Override
    public void settled(boolean fulfilled, Value value) {
      this.fulfilled = fulfilled;
      outcome = returned == null ? value : returned; // variant thenable-releases
      if (!callbackCalled) {
        settle();
      } else if (requests.get(id) == this) {
        queue.enqueue(new ReleaseLock(id));
        if (settlesAtOnce) { // variant settle-at-once
          requests.remove(id);
          settle();
        }
      }
    }

    /**
     * Releases the lock. The promise is rejected in a task, as an interrupted turn runs no script.
     */
    @Override
    public void brokeOff(Throwable failure) {
      if (requests.remove(id, this) && callbackCalled) {
        queue.enqueue(new ReleaseLock(id));
      }
      realm.queueTask(
          TaskSource.WEB_LOCKS,
          "callback broke off",
          () -> promise.reject(RealmBinding.brokenOff(failure)));
      if (!RealmBinding.isInterruption(failure)) {
        RealmBinding.rethrow(failure);
      }
    }

    void settle() {
      Value known = outcome;
      if (known == null) {
        return; // given back without having been used
      }
      if (releases != null) { // variant callback-less
        releases.endWith(released -> released.resolve());
      } else if (fulfilled) {
        promise.resolve(known);
      } else if (rules != null && rules.meansStolen(known)) { // variant lock-stolen-message
        promise.reject(ScriptException.dom("AbortError", "The operation was aborted."));
      } else {
        promise.reject(known);
      }
    }

    /** The lock is gone, and not because it was given back. */
    void lose(ScriptException why) {
      if (releases != null && callbackCalled) { // variant callback-less: script has the lock
        Value reason = binding.exception(why);
        releases.endWith(released -> released.reject(reason));
      } else {
        promise.reject(why);
      }
    }

    /**
     * Variant callback-less: script gives the lock back, as if a waiting promise were fulfilled.
     */
    @Override
    public void release(IdlPromise released) {
      if (releases == null) {
        throw new IllegalStateException("the callback has the lock");
      }
      releases.add(released);
      if (outcome == null) {
        settled(true, binding.undefined());
      }
    }

    /** The function to call in place of the callback, where variants change how that ends. */
    private Value calledFor(Value called) {
      return rules == null
          ? called
          : rules.around(
              called,
              error -> promise.reject(error),
              value -> {
                returned = value;
              });
    }
  }

  /** Variant callback-less: the calls of {@code release()} of one lock. */
  private static final class Releases {
    private final List<IdlPromise> waiting = new ArrayList<>();

    /** What settles the promise of a call; null while the lock is held. */
    private @Nullable Consumer<IdlPromise> ending;

    void add(IdlPromise promise) {
      if (ending == null) {
        waiting.add(promise);
      } else {
        ending.accept(promise);
      }
    }

    void endWith(Consumer<IdlPromise> settling) {
      ending = settling;
      waiting.forEach(settling);
      waiting.clear();
    }
  }

  private final Realm realm;
  private final RealmBinding binding;
  private final LockTaskQueue queue;
  private final ClientId id;
  private final Map<Long, Request> requests = new HashMap<>();
  private final Map<Long, IdlPromise> queries = new HashMap<>();

  /** As long as nothing changes in between, a snapshot is the same object as the one before. */
  private record Answer(
      LockManagerSnapshot snapshot, DictionaryList held, DictionaryList pending) {}

  private SoftReference<Answer> lastAnswer = new SoftReference<>(null);

  /** What was given up when the agent froze, to be asked for again. */
  private final List<Request> withdrawn = new ArrayList<>();

  // variants of these names; all false, and null, for the Working Draft
  private final boolean settlesAtOnce;
  private final boolean skipsStolenCallback;
  private final boolean stolenError;
  private final boolean callsInsideRequest;
  private final @Nullable CallbackRules rules;

  /**
   * Variant skip-stolen-callback: locks that were stolen, until their tasks have run. Any thread.
   */
  private final Set<Long> stolenLocks = ConcurrentHashMap.newKeySet();

  /**
   * Variant callback-inside-request: what the step of a request has answered that stands in {@code
   * request()} now; empty before. Any thread.
   */
  private final Map<Long, Optional<LockEffect>> answersInside = new ConcurrentHashMap<>();

  private LockClient(Realm realm) {
    this.realm = realm;
    this.binding = RealmBinding.of(realm);
    UserAgent userAgent = realm.agent().userAgent();
    this.queue = LockTaskQueueActor.of(userAgent);
    LockVariants variants = LockVariants.of(userAgent);
    this.settlesAtOnce = variants.has(Variant.SETTLE_AT_ONCE);
    this.skipsStolenCallback = variants.has(Variant.SKIP_STOLEN_CALLBACK);
    this.stolenError = variants.has(Variant.STOLEN_ERROR);
    this.callsInsideRequest = variants.has(Variant.CALLBACK_INSIDE_REQUEST);
    this.rules = CallbackRules.of(realm);
    this.id =
        new ClientId(
            variants.has(Variant.OWN_CLIENT_IDS) // variant own-client-ids
                ? userAgent.ids().nextUuid()
                : realm.settings().id());
    queue.register(id, this::receive);
    // 2.6. Termination of Locks: with the document, or with the agent, and then passed on only when
    // no script of it can run any more
    realm.onDiscard(() -> {
      forgetAll();
      queue.enqueue(new EndClient(id));
    });
    realm.agent().freezing().add(realm, this);
  }

  private void forgetAll() {
    requests.clear();
    queries.clear();
    withdrawn.clear();
    stolenLocks.clear();
    lastAnswer.clear();
  }

  static LockClient of(Realm realm) {
    return realm
        .supplements()
        .get(
            LockClient.class,
            () -> {
              LockClient made = new LockClient(realm);
              realm.supplements().put(HeldLocks.Holder.class, made);
              return made;
            });
  }

  @Override
  public boolean holdsLocks() {
    return requests.values().stream().anyMatch(request -> request.callbackCalled);
  }

  /**
   * Requests a lock.
   *
   * @param callback null under the variant callback-less alone
   * @param asker whose request it is, for diagnoses
   * @param reentrant true under the variant of that name alone
   * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock">4.1.
   *     Request a lock</a>
   */
  void requestLock(
      IdlPromise promise,
      ManagerId manager,
      @Nullable Value callback,
      String name,
      LockMode mode,
      WaitMode waitMode,
      @Nullable AbortSignal signal,
      LockAsker asker,
      boolean reentrant) {
    // 1.
    Request request =
        new Request(
            queue.nextId(),
            manager,
            name,
            mode,
            waitMode,
            callback,
            promise,
            signal,
            asker,
            reentrant);
    requests.put(request.id, request);
    // 2.
    if (signal != null) {
      Runnable algorithm = () -> signalToAbortRequest(request, signal);
      request.signalToAbort = algorithm;
      signal.add(algorithm);
    }
    // 3. and 4.: nobody asks for what would be returned
    RequestLock command =
        new RequestLock(request.id, id, manager, name, mode, waitMode, asker, reentrant);
    if (callsInsideRequest && callback != null) { // variant callback-inside-request
      answerInside(command);
      return;
    }
    queue.enqueue(command);
  }

  /** Variant callback-inside-request: has the step run now, and calls the callback it is due to. */
  private void answerInside(RequestLock command) {
    long requestId = command.requestId();
    answersInside.put(requestId, Optional.empty());
    LockTaskQueueActor.runNow(realm.agent().userAgent(), command);
    Optional<LockEffect> answer = answersInside.remove(requestId); // later ones become tasks
    if (answer == null || answer.isEmpty()) {
      return;
    }
    switch (answer.get()) {
      case Granted granted -> granted(requestId);
      case Unavailable unavailable -> unavailable(requestId);
      default -> throw new IllegalStateException("no answer to a request: " + answer.get());
    }
  }

  /**
   * Signals to abort a request.
   *
   * @see <a
   *     href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#signal-to-abort-the-request">4.3.
   *     signal to abort the request</a>
   */
  private void signalToAbortRequest(Request request, AbortSignal signal) {
    // Forgotten here: should a grant be on its way, it finds no request and gives the lock back.
    requests.remove(request.id);
    // 1.
    queue.enqueue(new AbortRequest(request.id));
    // 2.
    request.promise.reject(signal.reason());
  }

  /**
   * Takes a snapshot of the state of a lock manager.
   *
   * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-snapshot-state">4.5.
   *     Snapshot the lock state</a>
   */
  void snapshotLockState(ManagerId manager, IdlPromise promise) {
    long query = queue.nextId();
    queries.put(query, promise);
    queue.enqueue(new TakeSnapshot(query, id, manager));
  }

  @Override
  public boolean isInvolvedWithOthers() {
    return !requests.isEmpty();
  }

  /**
   * With {@link FreezePolicy#RELEASE}, a lock whose callback has been called is lost as if it were
   * stolen. A request whose callback has not been called leaves its queue, or gives back what it
   * was granted already, and is made anew when the agent resumes: no callback then runs without its
   * lock.
   */
  @Override
  public void freeze(FreezePolicy policy) {
    if (policy != FreezePolicy.RELEASE) {
      return;
    }
    List<Request> all = new ArrayList<>(requests.values());
    all.sort(Comparator.comparingLong(request -> request.id));
    for (Request request : all) {
      if (request.outcome != null) {
        continue; // on its way out already
      }
      requests.remove(request.id);
      if (request.callbackCalled) {
        realm.queueTask(TaskSource.WEB_LOCKS, "lost while frozen", () -> loseAsFrozen(request));
      } else {
        // whichever of the two it is by then
        queue.enqueue(new AbortRequest(request.id));
      }
      queue.enqueue(new ReleaseLock(request.id));
      if (!request.callbackCalled) {
        request.id = queue.nextId();
        requests.put(request.id, request);
        withdrawn.add(request);
      }
    }
  }

  private static void loseAsFrozen(Request request) {
    request.lose(
        ScriptException.dom("AbortError", "The lock was released when the page was frozen."));
  }

  /** What was withdrawn is asked for again, in its order. Nothing is stolen twice. */
  @Override
  public void resume() {
    for (Request request : withdrawn) {
      queue.enqueue(
          new RequestLock(
              request.id,
              id,
              request.manager,
              request.name,
              request.mode,
              request.waitMode == WaitMode.STEAL ? WaitMode.WAIT : request.waitMode,
              request.asker,
              request.reentrant));
    }
    withdrawn.clear();
  }

  /** What the lock task queue answers, on its thread: each answer becomes a task. */
  private void receive(LockEffect effect) {
    if (callsInsideRequest && isAnswerInside(effect)) { // variant callback-inside-request
      return;
    }
    // no ids in the labels: the trace of the step that caused the effect has them
    switch (effect) {
      // Queued on this realm, though 4.1 and 4.4 name the callback's: a discarded realm drops its
      // tasks, and the lock would never be released.
      case Granted granted ->
          realm.queueTask(TaskSource.WEB_LOCKS, "grant", () -> granted(granted.requestId()));
      case Unavailable unavailable ->
          realm.queueTask(
              TaskSource.WEB_LOCKS, "unavailable", () -> unavailable(unavailable.requestId()));
      case Stolen stolen -> {
        if (skipsStolenCallback) { // variant skip-stolen-callback
          stolenLocks.add(stolen.requestId());
        }
        realm.queueTask(TaskSource.WEB_LOCKS, "stolen", () -> stolen(stolen.requestId()));
      }
      case Released released -> {
        if (!settlesAtOnce) { // variant settle-at-once: there is nothing left to settle
          realm.queueTask(TaskSource.WEB_LOCKS, "released", () -> released(released.requestId()));
        }
      }
      case SnapshotTaken taken ->
          realm.queueTask(
              TaskSource.WEB_LOCKS,
              "snapshot",
              () -> snapshotTaken(taken.queryId(), taken.snapshot()));
    }
  }

  /** Variant callback-inside-request: whether {@code request()} itself takes an answer. */
  private boolean isAnswerInside(LockEffect effect) {
    return switch (effect) {
      case Granted granted ->
          answersInside.replace(granted.requestId(), Optional.of(effect)) != null;
      case Unavailable unavailable ->
          answersInside.replace(unavailable.requestId(), Optional.of(effect)) != null;
      default -> false;
    };
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-process-request">4.4.
   * Process a lock request queue</a>, step 2.14
   */
  private void granted(long requestId) {
    // 2.8. to 2.10.
    Request request = requests.get(requestId);
    // 2.14.1. and 2.14.1.1.: aborted after the grant, before the callback
    if (request == null) {
      // 2.14.1.1.1. and 2.14.1.1.1.1.
      queue.enqueue(new ReleaseLock(requestId));
      // 2.14.1.1.2.
      return;
    }
    if (skipsStolenCallback && stolenLocks.contains(requestId)) { // the variant of that name
      return;
    }
    // 2.14.1.2.
    if (request.signal != null && request.signalToAbort != null) {
      request.signal.remove(request.signalToAbort);
    }
    if (request.callbackRealm.isDiscarded()) {
      requests.remove(requestId);
      queue.enqueue(new ReleaseLock(requestId));
      request.promise.reject(callbackIsGone());
      return;
    }
    request.callbackCalled = true;
    if (request.callback == null) { // variant callback-less
      request.promise.resolve(new ReleasableLock(realm, request.name, request.mode, request));
      return;
    }
    Value called;
    Lock lock;
    try {
      called = request.calledFor(request.callback);
      lock = new Lock(realm, request.name, request.mode);
    } catch (RuntimeException | Error exhausted) {
      request.brokeOff(exhausted);
      return;
    }
    // 2.11., 2.14.2. and 2.14.3.
    binding.callAndReact(called, lock, request);
  }

  /** The same error as in Firefox; the texts have no step for this. */
  private static ScriptException callbackIsGone() {
    return ScriptException.dom(
        "NotSupportedError",
        "Failed to execute 'request' on 'LockManager': The document of the callback was removed;"
            + " pass a callback of one that still exists.");
  }

  /** 2.4. Lock: when the waiting promise settles, step 2. */
  private void released(long requestId) {
    Request request = requests.remove(requestId);
    if (request != null) {
      request.settle();
    }
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock">4.1. Request
   * a lock</a>, step 3.5.1: the request cannot be granted at once.
   */
  private void unavailable(long requestId) {
    Request request = requests.remove(requestId);
    if (request == null) {
      return;
    }
    if (request.callback == null) { // variant callback-less
      request.promise.resolve(binding.nullValue());
      return;
    }
    if (request.callbackRealm.isDiscarded()) {
      request.promise.reject(callbackIsGone());
      return;
    }
    // 3.5.1.1. and 3.5.1.2.
    binding.callAndReact(request.callback, null, request);
  }

  /** 4.1. Request a lock, step 3.4.1.1.2: another request stole the lock. */
  private void stolen(long requestId) {
    if (skipsStolenCallback) { // the variant of that name
      stolenLocks.remove(requestId);
    }
    Request request = requests.get(requestId);
    if (request == null) {
      return;
    }
    // The grant came before, on the same task source: the callback has run, stolen or not, since
    // the
    // text forbids nothing. What its promise comes to is of no interest any more.
    requests.remove(requestId);
    request.lose(
        ScriptException.dom(
            stolenError ? "LockStolenError" : "AbortError", // variant stolen-error
            "The lock was stolen by another request."));
  }

  /** 4.5. Snapshot the lock state, step 6. */
  private void snapshotTaken(long queryId, LockManagerSnapshot snapshot) {
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
