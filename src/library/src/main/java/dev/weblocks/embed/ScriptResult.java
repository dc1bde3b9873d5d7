package dev.weblocks.embed;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.HostStages;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.global.GlobalScope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The result of script that a future of the embedder completes with. Used on the event loop of its
 * realm.
 *
 * @param conversion from the settled result to the value of the future
 */
record ScriptResult<T extends @Nullable Object>(
    Realm realm, Function<? super Value, ? extends T> conversion, CompletableFuture<T> future) {

  /** A function that calls another one, and passes on its result or its exception. */
  private static final Source CALL =
      Source.newBuilder(
              "js",
              "((fn, returned, threw, ...list) => { let value;"
                  + " try { value = fn(...list); } catch (error) { threw(error); return; }"
                  + " returned(value); })",
              "weblocks:call")
          .internal(true)
          .buildLiteral();

  /** Calls a function, and completes the future when its result has settled. */
  void call(Value function, @Nullable Object[] arguments) {
    if (!function.canExecute()) {
      throw new IllegalArgumentException("the value to call is no function: " + function);
    }
    RealmBinding binding = RealmBinding.of(realm);
    @Nullable Object[] all = new @Nullable Object[arguments.length + 3];
    all[0] = function;
    all[1] = binding.function("returned", values -> settle(values[0]));
    all[2] = binding.function("threw", values -> reject(values[0]));
    for (int i = 0; i < arguments.length; i++) {
      all[i + 3] =
          arguments[i] instanceof CompletionStage<?> stage
              ? HostStages.promise(realm, stage).promise()
              : arguments[i];
    }
    Value unused = realm.agent().call(realm.read(CALL), all);
  }

  /** Completes the future when a value has settled. */
  void await(Value value) {
    RealmBinding.of(realm).atomically(() -> settle(value));
  }

  /** Awaits a value as script does; a stage of the host counts as a promise. Returns null. */
  private @Nullable Object settle(Value value) {
    CompletionStage<?> stage = HostStages.of(value);
    IdlPromise promise;
    if (stage == null) {
      promise = RealmBinding.of(realm).newPromise();
      promise.resolve(value);
    } else {
      promise = HostStages.promise(realm, stage);
    }
    RealmBinding.of(realm).react(promise.promise(), this::fulfill, this::reject);
    return null;
  }

  private void fulfill(Value value) {
    if (HostStages.of(value) != null) { // the result of an async function
      Object unused = settle(value);
      return;
    }
    try {
      future.complete(conversion.apply(value));
    } catch (RuntimeException | Error failure) {
      future.completeExceptionally(failure);
    }
  }

  private @Nullable Object reject(Value reason) {
    future.completeExceptionally(
        new EvaluationException(
            ListenerReports.error(realm, GlobalScope.of(realm).informationOf(reason)),
            hostException(reason)));
    return null;
  }

  /** Returns the exception of the host that script has not caught; null for one of script. */
  private static @Nullable Throwable hostException(Value reason) {
    if (!reason.isException()) {
      return null;
    }
    try {
      throw reason.throwException();
    } catch (PolyglotException thrown) {
      return thrown.isHostException() ? thrown.asHostException() : null;
    }
  }
}
