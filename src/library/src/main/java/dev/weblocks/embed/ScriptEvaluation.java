package dev.weblocks.embed;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.console.ConsoleTexts;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.GlobalScope;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The evaluation of a script of the embedder. Used on the event loop of its realm. */
record ScriptEvaluation(
    Realm realm, EvaluationOptions options, CompletableFuture<EvaluatedValue> outcome) {

  private static final Source AWAIT =
      Source.newBuilder("js", "(async (value) => await value)", "weblocks:await")
          .internal(true)
          .buildLiteral();

  void run(String code) {
    boolean ran =
        RealmBinding.of(realm)
            .scripts()
            .run(
                Source.newBuilder("js", code, options.name).buildLiteral(),
                options.await ? this::await : this::complete,
                this::fail);
    if (!ran) {
      fail(new ErrorInformation("Uncaught: the script was stopped", "", 0, 0, null));
    }
  }

  private void fail(Value exception) {
    fail(GlobalScope.of(realm).informationOf(exception));
  }

  private void fail(ErrorInformation error) {
    outcome.completeExceptionally(new EvaluationException(ListenerReports.error(realm, error)));
  }

  /**
   * Awaits the value in an internal async function, and reacts to the promise of that function:
   * {@link RealmBinding#react} changes the promise, which must not be one of the page.
   */
  private void await(Value value) {
    RealmBinding binding = RealmBinding.of(realm);
    binding.react(realm.agent().call(realm.evaluate(AWAIT), value), this::complete, this::fail);
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
