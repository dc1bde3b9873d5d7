package dev.weblocks.locks;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** Variant callback-less: what {@code await using} asks of a lock. */
final class AsyncDispose {

  private static final Source SOURCE = Resources.script(AsyncDispose.class, "async-dispose.js");

  /** The symbol that all realms of an agent share where the engine has none: a supplement of it. */
  private record OwnSymbol(Value symbol) {}

  private AsyncDispose() {}

  /**
   * Gives {@code ReleasableLock} its method. For a new realm, before page script runs. A context
   * that the embedder owns gets no symbol that it does not have.
   */
  static void define(Realm realm) {
    Agent agent = realm.agent();
    OwnSymbol known = agent.supplements().find(OwnSymbol.class);
    Value made =
        agent.ask(
            realm.read(SOURCE),
            RealmBinding.of(realm).exposed(),
            known == null ? null : known.symbol(),
            agent.ownsContext());
    if (known == null && !made.isNull()) {
      agent.supplements().put(OwnSymbol.class, new OwnSymbol(made));
    }
  }
}
