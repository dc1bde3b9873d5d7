package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Callbacks;
import dev.weblocks.binding.EscapedExceptions;
import dev.weblocks.binding.HostStages;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Reaction;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.concurrent.CompletionStage;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The agent's part of a <a
 * href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-request">lock request</a> and of the
 * lock that it becomes. Used on the event loop.
 */
final class ClientRequest implements Reaction {
  private final LockClient client;

  /** The id of the request; replaced when the request is withdrawn and later made again. */
  RequestId id;

  final ManagerId manager;
  final LockOptions options;
  final IdlPromise promise;
  private final @Nullable AbortSignal signal;
  private final LockCallback callback;
  private @Nullable Runnable signalToAbort;
  private boolean granted;

  /** The value or reason of the waiting promise; null before it settles. */
  private @Nullable Value outcome;

  private boolean fulfilled;

  /**
   * @param callback null if script passed none
   */
  ClientRequest(
      LockClient client,
      RequestId id,
      ManagerId manager,
      LockOptions options,
      @Nullable Value callback,
      IdlPromise promise,
      @Nullable AbortSignal signal) {
    this.client = client;
    this.id = id;
    this.manager = manager;
    this.options = options;
    this.promise = promise;
    this.signal = signal;
    this.callback = client.rules().callbackOf(this, callback);
  }

  Realm realm() {
    return client.realm();
  }

  RealmBinding binding() {
    return client.binding();
  }

  ClientRules rules() {
    return client.rules();
  }

  LockCallback callback() {
    return callback;
  }

  boolean isGranted() {
    return granted;
  }

  void isNowGranted() {
    granted = true;
  }

  boolean hasOutcome() {
    return outcome != null;
  }

  void addAbortAlgorithm() {
    if (signal != null) {
      Runnable algorithm = () -> client.signalToAbortRequest(this, signal);
      signalToAbort = algorithm;
      signal.add(algorithm);
    }
  }

  void removeAbortAlgorithm() {
    if (signal != null && signalToAbort != null) {
      signal.remove(signalToAbort);
    }
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock">2.4. Lock</a>, when
   * the waiting promise settles: the lock task queue takes step 1, the release; step 2 follows in
   * {@link LockClient#released}. If an {@code ifAvailable} request got no lock, the settled promise
   * is the one that its callback returned.
   *
   * <p>In a context of the embedder, the waiting promise may have a completion stage as its value:
   * then it settles as that stage does.
   */
  @Override
  public void settled(boolean wasFulfilled, Value value) {
    CompletionStage<?> stage =
        wasFulfilled && !realm().agent().ownsContext() ? HostStages.of(value) : null;
    if (stage != null) {
      binding()
          .promises()
          .react(
              HostStages.promise(realm(), stage).promise(),
              result -> settled(true, result),
              reason -> settled(false, reason));
      return;
    }
    fulfilled = wasFulfilled;
    outcome = value;
    if (!granted) {
      settle();
    } else if (client.has(this)) {
      client.release(id);
      if (rules().settlesBeforeRelease()) {
        client.forget(this);
        settle();
      }
    }
  }

  /**
   * Releases the lock, since the callback was interrupted or ran out of memory. Rejects the promise
   * of the request in a task, because no more script may run in this turn.
   */
  @Override
  public void brokeOff(Throwable failure) {
    if (client.forget(this) && granted) {
      client.release(id);
    }
    client.queueTask(
        "callback did not complete", () -> promise.reject(Callbacks.brokenOff(failure)));
    if (!EscapedExceptions.isInterruption(failure)) {
      Callbacks.rethrow(failure);
    }
  }

  /** Settles the request with the outcome of the waiting promise; no-op while that is pending. */
  void settle() {
    Value known = outcome;
    if (known != null) {
      callback.settle(fulfilled, known);
    }
  }

  /** Reports to the {@link LockCallback} that the lock was stolen, or released by a page freeze. */
  void lose(ScriptException why) {
    callback.lost(why);
  }
}
