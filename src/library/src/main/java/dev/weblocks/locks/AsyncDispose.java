package dev.weblocks.locks;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** The support for {@code await using} with locks, under the variant callback-less. */
final class AsyncDispose {

  private static final Source SOURCE = Resources.script(AsyncDispose.class, "async-dispose.js");

  /** The substitute for a missing {@code Symbol.asyncDispose}; all realms of an agent share it. */
  private record OwnSymbol(Value symbol) {}

  private AsyncDispose() {}

  /**
   * Defines {@code [Symbol.asyncDispose]()} of {@code ReleasableLock} in a new realm, before page
   * script runs. If the embedder owns the context, a missing symbol is not added to it.
   */
  static void define(Realm realm) {
    Agent agent = realm.agent();
    OwnSymbol known = agent.supplements().find(OwnSymbol.class);
    Value made =
        agent.ask(
            realm.read(SOURCE),
            RealmBinding.of(realm).global().exposed(),
            known == null ? null : known.symbol(),
            agent.ownsContext());
    if (known == null && !made.isNull()) {
      agent.supplements().put(OwnSymbol.class, new OwnSymbol(made));
    }
  }
}
