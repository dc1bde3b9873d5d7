package dev.weblocks.embed;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Reaction;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.console.ConsoleTexts;
import dev.weblocks.global.ErrorInformation;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The evaluation of a script of the embedder. Used on the event loop of its realm. */
record ScriptEvaluation(
    Realm realm, EvaluationOptions options, CompletableFuture<EvaluatedValue> outcome) {

  void run(String code) {
    boolean ran =
        RealmBinding.of(realm)
            .scripts()
            .run(
                Source.newBuilder("js", code, options.name).buildLiteral(),
                options.await ? this::await : this::complete,
                this::fail);
    if (!ran) {
      outcome.completeExceptionally(
          new EvaluationException(
              ListenerReports.error(
                  realm,
                  new ErrorInformation("Uncaught: the script was stopped", "", 0, 0, null))));
    }
  }

  private void await(Value value) {
    RealmBinding.of(realm).callbacks().await(Reaction.of(this::complete, this::fail), value);
  }

  private void fail(Value exception) {
    outcome.completeExceptionally(ScriptResult.failure(realm, exception));
  }

  private void complete(Value value) {
    if (!options.keepAs.isEmpty()) {
      realm.global().putMember(options.keepAs, value);
    }
    outcome.complete(
        new EvaluatedValue(
            primitive(value),
            ConsoleTexts.of(realm, value),
            value.isNull() && RealmBinding.of(realm).isUndefined(value)));
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
