package dev.weblocks.locks.earlydraft;

import dev.weblocks.agent.Freezable;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Callbacks;
import dev.weblocks.binding.Callbacks.Completion;
import dev.weblocks.binding.DictionaryValue;
import dev.weblocks.binding.EscapedExceptions;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Effect;
import dev.weblocks.lockmanager.earlydraft.Effect.Aborted;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleaseDone;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleased;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.earlydraft.Effect.StateTaken;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.earlydraft.ParallelSteps;
import dev.weblocks.lockmanager.earlydraft.QueriedState;
import dev.weblocks.lockmanager.earlydraft.RequestSource;
import dev.weblocks.lockmanager.earlydraft.Scope;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.locks.HeldLocks;
import dev.weblocks.locks.OpenRequests;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.LockMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * An environment as a client of the lock states. Stores the open requests with their callbacks,
 * promises and signals. A supplement of the realm; on the event loop, except {@link #receive}.
 */
final class LockClient implements Freezable, HeldLocks.Holder {

  /** The agent's part of a lock request and of the lock that it becomes. */
  private final class Request {
    final RequestLock command;

    /** The id of the request; replaced when the request is given up and later made again. */
    long id;

    final Value callback;

    /** The realm of the callback; the callback is not called after the realm is discarded. */
    final Realm callbackRealm;

    /**
     * The promise that {@code acquire()} returned. It adopts the promise <i>p</i> of the draft,
     * unless the request is aborted or its lock is lost first.
     */
    final IdlPromise returned;

    final @Nullable AbortSignal signal;
    @Nullable Runnable onAbort;
    boolean callbackCalled;

    Request(
        RequestLock command, Value callback, IdlPromise returned, @Nullable AbortSignal signal) {
      this.command = command;
      this.id = command.requestId();
      this.callback = callback;
      this.callbackRealm = binding.callbacks().associatedRealm(callback);
      this.returned = returned;
      this.signal = signal;
    }

    void ignoreSignal() {
      if (signal != null && onAbort != null) {
        signal.remove(onAbort);
      }
    }
  }

  private final Realm realm;
  private final RealmBinding binding;
  private final ParallelStepsActor actor;
  private final ParallelSteps steps;
  private final ClientId id;

  /** Waiting requests, and held locks whose waiting promise has not settled. */
  private final OpenRequests<Long, Request> requests;

  /** Promises of queries and forced releases. */
  private final Map<Long, IdlPromise> answers = new HashMap<>();

  /** The requests that were given up when the agent froze; they are made again when it resumes. */
  private final List<Request> givenUp = new ArrayList<>();

  private LockClient(Realm realm) {
    this.realm = realm;
    this.binding = RealmBinding.of(realm);
    this.actor = ParallelStepsActor.of(realm.agent().userAgent());
    this.steps = actor.steps();
    this.requests = new OpenRequests<>(realm);
    this.id = new ClientId(realm.settings().id());
    steps.register(id, this::receive);
    // with the document, or with the agent after its script has stopped
    realm.onDiscard(() -> {
      forgetAll();
      steps.begin(new EndClient(id));
    });
    realm.agent().freezing().add(realm, this);
    realm.supplements().put(HeldLocks.Holder.class, this);
  }

  private void forgetAll() {
    requests.clear();
    answers.clear();
    givenUp.clear();
  }

  static LockClient of(Realm realm) {
    return realm.supplements().get(LockClient.class, () -> new LockClient(realm));
  }

  /** Returns the waiting requests and held locks. */
  OpenRequests<?, ?> requests() {
    return requests;
  }

  private @Nullable Request take(long requestId) {
    return requests.remove(requestId);
  }

  @Override
  public boolean holdsLocks() {
    return requests.all().stream().anyMatch(request -> request.callbackCalled);
  }

  /** Requests a lock; returns {@code returned}, the promise that {@code acquire()} returns. */
  // Early draft, "Algorithm: request a lock"
  IdlPromise requestLock(
      IdlPromise returned, // 1.
      ManagerId origin,
      Value callback,
      Scope scope,
      LockMode mode,
      boolean ifAvailable,
      @Nullable AbortSignal signal,
      RequestSource source) {
    boolean aborted = signal != null && signal.isAborted(); // from the start
    Request request =
        new Request(
            new RequestLock(steps.nextId(), id, origin, scope, mode, ifAvailable, aborted, source),
            callback,
            returned,
            signal);
    requests.put(request.id, request); // before it can be granted
    // the lock states run steps 2 to 6, and 8.1 if the request is grantable at once
    Unavailable missed = actor.requestLock(request.command);
    if (missed != null) {
      take(request.id);
      if (request.callbackRealm.isDiscarded()) {
        returned.reject(callbackIsGone());
        return returned;
      }
      Completion r = binding.callbacks().invoke(callback, null); // 5.1.
      resolve(returned, r); // 5.2.
      return returned; // 5.3.
    }
    if (signal != null && !aborted) { // 7.
      Runnable abort = () -> steps.begin(new AbortRequest(request.id)); // 7.1.
      request.onAbort = abort;
      signal.add(abort);
    }
    // the results of parallel steps arrive in receive(); the constructor handles the end
    return returned; // 10.
  }

  // Early draft, "LockManager.prototype.queryState()", step 4
  void queryState(ManagerId origin, IdlPromise promise) {
    long query = steps.nextId();
    answers.put(query, promise);
    steps.begin(new QueryState(query, id, origin));
  }

  // Early draft, "LockManager.prototype.forceRelease(scope)", step 5
  void forceRelease(ManagerId origin, Scope scope, IdlPromise promise, RequestSource source) {
    long release = steps.nextId();
    answers.put(release, promise);
    steps.begin(new ForceRelease(release, id, origin, scope, source));
  }

  /** Queues a task that handles an effect. Called on the thread that runs the lock step. */
  private void receive(Effect effect) {
    // no ids in the labels: the trace of the step that caused the effect has them
    switch (effect) {
      case Granted granted ->
          realm.queueTask(TaskSource.WEB_LOCKS, "grant", () -> granted(granted.requestId()));
      case Aborted aborted ->
          realm.queueTask(TaskSource.WEB_LOCKS, "abort", () -> aborted(aborted.requestId()));
      case ForceReleased released ->
          realm.queueTask(
              TaskSource.WEB_LOCKS, "forced release", () -> releasedByForce(released.requestId()));
      case ForceReleaseDone done ->
          realm.queueTask(
              TaskSource.WEB_LOCKS,
              "forced release done",
              () -> answer(done.releaseId(), binding.values().undefined()));
      case StateTaken taken ->
          realm.queueTask(
              TaskSource.WEB_LOCKS,
              "state",
              () -> answer(taken.queryId(), dictionary(taken.state())));
      case Unavailable unavailable ->
          throw new IllegalStateException(
              "a sink must not get the effect that requestLock() returns: " + unavailable);
    }
  }

  /** Runs the agent's steps for a granted request: 8.3 and those from 8.7 on. */
  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void granted(long requestId) {
    Request request = requests.get(requestId);
    if (request == null) {
      return; // given up
    }
    request.ignoreSignal(); // an abort after the grant has no effect
    if (request.callbackRealm.isDiscarded()) {
      take(requestId);
      steps.begin(new GiveUp(requestId));
      request.returned.reject(callbackIsGone());
      return;
    }
    request.callbackCalled = true;
    IdlPromise waiting;
    IdlPromise p;
    Completion r;
    try {
      waiting = binding.promises().newPromise(); // 8.3.
      p = binding.promises().newPromise();
      Lock lock = new Lock(realm, request.command.scope(), request.command.mode());
      r =
          binding
              .callbacks()
              .invoke(request.callback, lock); // 8.7., with the checkpoint at its end
    } catch (RuntimeException | Error failure) { // interrupted, or out of memory
      if (requests.remove(requestId, request)) {
        steps.begin(new GiveUp(requestId));
      }
      realm.queueTask(
          TaskSource.WEB_LOCKS,
          "callback did not complete",
          () -> request.returned.reject(Callbacks.brokenOff(failure)));
      if (!EscapedExceptions.isInterruption(failure)) {
        throw failure;
      }
      return;
    }
    binding
        .promises()
        .atomically(() -> { // no script runs between the next steps
          binding
              .promises()
              .react(
                  waiting.promise(),
                  value -> waitingPromiseSettles(request),
                  reason -> waitingPromiseSettles(request));
          binding
              .promises()
              .react(p.promise(), request.returned::resolve, request.returned::reject);
          resolve(waiting, r); // 8.8.
          resolve(p, r); // 8.9.
        });
    Callbacks.rethrow(r.failure());
  }

  /** Returns the error for a callback of a removed document, as in Firefox; not in the draft. */
  private static ScriptException callbackIsGone() {
    return ScriptException.dom(
        "NotSupportedError",
        "The document of the callback was removed; pass a callback of one that still exists.");
  }

  private static void resolve(IdlPromise promise, Completion completion) {
    if (completion.isAbrupt()) {
      promise.reject(completion.value());
    } else {
      promise.resolve(completion.value());
    }
  }

  // Early draft, "Lock": When lock's waiting promise settles
  private void waitingPromiseSettles(Request request) {
    if (requests.remove(request.id, request)) {
      steps.waitingPromiseSettles(request.id);
    }
  }

  // Early draft, "Algorithm: request a lock", steps run in parallel
  private void aborted(long requestId) {
    Request request = take(requestId);
    if (request != null) {
      request.ignoreSignal();
      request.returned.reject( // 7.4.
          ScriptException.dom("AbortError", "The request was aborted by its signal."));
    }
  }

  /** Rejects the promise of a lock that was released by force; the draft leaves this open. */
  private void releasedByForce(long requestId) {
    // The grant came before, on the same task source: the callback has been called.
    Request request = take(requestId);
    if (request != null) {
      request.returned.reject(ScriptException.dom("AbortError", "The lock was released by force."));
    }
  }

  /** Resolves the promise of a query or of a forced release. */
  private void answer(long answerId, Object value) {
    IdlPromise promise = answers.remove(answerId);
    if (promise != null) {
      promise.resolve(value);
    }
  }

  private static DictionaryValue dictionary(QueriedState state) {
    return DictionaryValue.of("LockState", list(state.held()), list(state.pending()));
  }

  private static List<DictionaryValue> list(List<QueriedState.Entry> entries) {
    return entries.stream()
        .map(entry ->
            DictionaryValue.of("LockRequest", entry.mode().idlValue(), entry.scope().names()))
        .toList();
  }

  @Override
  public boolean isInvolvedWithOthers() {
    return !requests.isEmpty();
  }

  /**
   * Releases locks and gives up requests, only with {@link FrozenLocks#RELEASE}. A lock whose
   * callback has been called is lost as if it were released by force. Other requests are given up
   * and made again when the agent resumes, so no callback runs without its lock.
   */
  @Override
  public void freeze(FrozenLocks policy) {
    if (policy != FrozenLocks.RELEASE) {
      return;
    }
    List<Request> all = new ArrayList<>(requests.all());
    all.sort(Comparator.comparingLong(request -> request.id));
    for (Request request : all) {
      take(request.id);
      steps.begin(new GiveUp(request.id));
      if (request.callbackCalled) {
        realm.queueTask(
            TaskSource.WEB_LOCKS,
            "lost while frozen",
            () ->
                request.returned.reject(
                    ScriptException.dom(
                        "AbortError", "The lock was released when the page was frozen.")));
      } else {
        request.id = steps.nextId();
        requests.put(request.id, request);
        givenUp.add(request);
      }
    }
  }

  /** Makes the given-up requests again, in their order. */
  @Override
  public void resume() {
    for (Request request : givenUp) {
      Unavailable unused =
          actor.requestLock(
              new RequestLock(
                  request.id,
                  id,
                  request.command.origin(),
                  request.command.scope(),
                  request.command.mode(),
                  /* ifAvailable= */ false,
                  request.signal != null && request.signal.isAborted(), // just before freezing
                  request.command.source()));
    }
    givenUp.clear();
  }
}
