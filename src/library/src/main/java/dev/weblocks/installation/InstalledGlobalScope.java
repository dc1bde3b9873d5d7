package dev.weblocks.installation;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.workers.WorkerNavigator;
import org.graalvm.polyglot.Source;

/**
 * The platform object behind the global object of a context that the embedder owns. It is the event
 * target and holds the timers. Script cannot see its interface or prototype.
 */
final class InstalledGlobalScope extends GlobalScope {

  /** A function that returns whether the context can compile strings as code. */
  private static final Source COMPILE_NOTHING =
      ScriptSource.internal(
          "(function () { try { Function(''); return true } catch { return false } })",
          "weblocks:compile-nothing");

  private final WorkerNavigator navigator;
  private final boolean compilesStrings;

  InstalledGlobalScope(Realm realm) {
    super(realm);
    this.navigator = new WorkerNavigator(realm);
    this.compilesStrings = realm.agent().call(realm.evaluate(COMPILE_NOTHING)).asBoolean();
  }

  /** Throws if the context forbids {@code eval()}; timers must then not compile strings either. */
  @Override
  protected void ensureStringsMayBeCompiled() {
    if (!compilesStrings) {
      throw ScriptException.typeError(
          "This context does not compile strings as code. Pass a function to the timer.");
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("InstalledGlobalScope", InstalledGlobalScope.class)
        .getter("self", self -> self)
        .getter("navigator", self -> self.navigator);
  }
}
