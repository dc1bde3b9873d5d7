package dev.weblocks.embed;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.console.ConsoleTexts;
import dev.weblocks.global.GlobalScope;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * The evaluation of a script of the embedder, which reports its value. On the event loop of its
 * realm.
 */
final class ScriptEvaluation {

  private static final Source AWAIT =
      Source.newBuilder("js", "(async (value) => await value)", "weblocks:await")
          .internal(true)
          .buildLiteral();

  private ScriptEvaluation() {}

  static void run(
      Realm realm,
      String name,
      String code,
      boolean await,
      String keepAs,
      CompletableFuture<Evaluation> outcome) {
    RealmBinding binding = RealmBinding.of(realm);
    boolean ran =
        binding
            .scripts()
            .run(
                Source.newBuilder("js", code, name).buildLiteral(),
                value -> {
                  if (await) {
                    tellAwaited(realm, value, keepAs, outcome);
                  } else {
                    tell(realm, value, keepAs, outcome);
                  }
                });
    if (!ran) {
      outcome.complete(new Evaluation.Failed());
    }
  }

  /** Awaits the value in an internal function, so that the promise of the page is not changed. */
  private static void tellAwaited(
      Realm realm, Value value, String keepAs, CompletableFuture<Evaluation> outcome) {
    Value awaited = realm.agent().call(realm.evaluate(AWAIT), value);
    RealmBinding.of(realm)
        .react(
            awaited,
            fulfilled -> tell(realm, fulfilled, keepAs, outcome),
            reason -> {
              GlobalScope.of(realm).reportException(reason);
              outcome.complete(new Evaluation.Failed());
            });
  }

  private static void tell(
      Realm realm, Value value, String keepAs, CompletableFuture<Evaluation> outcome) {
    if (!keepAs.isEmpty()) {
      realm.global().putMember(keepAs, value);
    }
    RealmBinding binding = RealmBinding.of(realm);
    outcome.complete(
        new Evaluation.Done(
            ConsoleTexts.of(realm, value), value.isNull() && binding.isUndefined(value)));
  }
}
