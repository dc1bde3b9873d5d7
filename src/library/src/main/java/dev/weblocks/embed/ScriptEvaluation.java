package dev.weblocks.embed;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.binding.Reaction;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.console.ConsoleTexts;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.model.UncaughtError;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The evaluation of a script of the embedder. Used on the event loop of its realm. */
record ScriptEvaluation(
    Realm realm, EvaluationOptions options, CompletableFuture<EvaluatedValue> outcome) {

  void run(String code) {
    try {
      boolean ran =
          RealmBinding.of(realm)
              .scripts()
              .run(
                  ScriptSource.classic(code, options.name),
                  value -> guarded(() -> use(value)),
                  thrown -> guarded(() -> fail(thrown)));
      if (!ran) {
        outcome.completeExceptionally(
            new EvaluationException(
                new ErrorInformation("Uncaught: the script was stopped", "", 0, 0, null)
                    .uncaught(UncaughtError.Kind.SCRIPT, realm)));
      }
    } catch (RuntimeException | Error failure) {
      if (!(failure instanceof PolyglotException thrown)
          || !(thrown.isCancelled() || thrown.isExit())) { // otherwise the end of the agent does it
        failWithDefect(failure);
      }
      throw failure;
    }
  }

  /** Runs steps with values of script. The outcome fails with them, also in a promise job. */
  private void guarded(Runnable steps) {
    try {
      steps.run();
    } catch (PolyglotException thrown) {
      if (thrown.isCancelled() || thrown.isExit()) {
        throw thrown; // the end of the agent completes the outcome
      }
      fail(thrown);
      if (thrown.getGuestObject() == null) {
        throw thrown;
      }
    } catch (RuntimeException | Error failure) {
      failWithDefect(failure);
      throw failure;
    }
  }

  private void use(Value value) {
    if (!options.await) {
      complete(value);
      return;
    }
    RealmBinding.of(realm)
        .callbacks()
        .await(
            Reaction.of(
                result -> guarded(() -> complete(result)), reason -> guarded(() -> fail(reason))),
            value);
  }

  private void fail(PolyglotException thrown) {
    Value exception = thrown.getGuestObject();
    if (exception == null) {
      failWithDefect(thrown);
    } else {
      fail(exception);
    }
  }

  private void fail(Value exception) {
    outcome.completeExceptionally(ScriptResult.failure(realm, exception));
  }

  private void failWithDefect(Throwable failure) {
    outcome.completeExceptionally(
        new EvaluationException(
            FailureReports.defect(realm.agent().name(), "evaluate", failure), failure));
  }

  private void complete(Value value) {
    if (!options.keepAs.isEmpty()) {
      realm.global().putMember(options.keepAs, value);
    }
    outcome.complete(
        new EvaluatedValue(
            primitive(value),
            ConsoleTexts.of(realm, value),
            value.isNull() && RealmBinding.of(realm).values().isUndefined(value)));
  }

  private static @Nullable Object primitive(Value value) {
    if (value.isString()) {
      return value.asString();
    }
    if (value.isBoolean()) {
      return value.asBoolean();
    }
    if (!value.isNumber()) {
      return null;
    }
    if (value.getMetaObject().getMetaSimpleName().equals("bigint")) {
      return value.asBigInteger();
    }
    if (value.fitsInInt()) {
      return value.asInt();
    }
    return value.asDouble();
  }
}
