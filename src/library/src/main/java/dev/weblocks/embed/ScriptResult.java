package dev.weblocks.embed;

import dev.weblocks.agent.EngineFailure;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.HostStages;
import dev.weblocks.binding.Reaction;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.model.UncaughtError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The result of script that a future of the embedder completes with. Used on the event loop of its
 * realm.
 *
 * @param conversion from the settled result to the value of the future
 */
record ScriptResult<T extends @Nullable Object>(
    Realm realm, Function<? super Value, ? extends T> conversion, CompletableFuture<T> future)
    implements Reaction {

  /** Calls a function, and completes the future when its result has settled. */
  void call(Value function, @Nullable Object[] arguments) {
    if (!function.canExecute()) {
      throw new IllegalArgumentException("the value to call is no function: " + function);
    }
    @Nullable Object[] passed = arguments.clone();
    for (int i = 0; i < passed.length; i++) {
      if (passed[i] instanceof CompletionStage<?> stage) {
        passed[i] = HostStages.promise(realm, stage).promise();
      }
    }
    inScript(() -> RealmBinding.of(realm).callbacks().callAndAwait(this, function, passed));
  }

  /** Completes the future when a value has settled. */
  void await(Value value) {
    inScript(() -> RealmBinding.of(realm).callbacks().await(this, value));
  }

  /** Runs steps that call script, and possibly promise jobs. */
  private void inScript(Runnable steps) {
    try {
      steps.run();
    } catch (RuntimeException | Error failure) {
      future.completeExceptionally(failure);
      if (!EngineFailure.isCauseOf(failure)) {
        throw failure;
      }
      realm.agent().endAfter("call", failure); // a promise job may have failed
    }
  }

  @Override
  public void settled(boolean fulfilled, Value value) {
    if (future.isDone()) {
      return; // the reaction was added again after an interruption, and both are called
    }
    try {
      if (!fulfilled) {
        future.completeExceptionally(failure(realm, value));
        return;
      }
      CompletionStage<?> stage = HostStages.of(value); // script cannot await one
      if (stage != null) {
        await(HostStages.promise(realm, stage).promise());
        return;
      }
    } catch (RuntimeException | Error failure) {
      future.completeExceptionally(failure);
      throw failure; // a defect
    }
    try {
      future.complete(conversion.apply(value));
    } catch (RuntimeException | Error failure) {
      future.completeExceptionally(failure);
    }
  }

  /** Returns the exception for an error of script. */
  static EvaluationException failure(Realm realm, Value reason) {
    return new EvaluationException(
        GlobalScope.of(realm).informationOf(reason).uncaught(UncaughtError.Kind.SCRIPT, realm),
        hostException(reason));
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
