package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The realms of an agent, and their creation. Used on the agent's event loop, unless noted
 * otherwise.
 */
final class AgentRealms {

  private static final Source NEW_GLOBAL =
      ScriptSource.internal(
          "(make => () => make({name: 'weblocks:realm', script: 'globalThis'}))"
              + "(loadWithNewGlobal)",
          "weblocks:new-global");

  private static final Source ENTER =
      ScriptSource.internal("(function (steps) { return steps() })", "weblocks:enter");

  private static final Source CURRENT_GLOBAL =
      ScriptSource.internal("globalThis", "weblocks:current-global");

  private final Agent agent;

  /** The realms that have not ended. Guarded by this. */
  private final List<Realm> realms = new ArrayList<>(1);

  private volatile @Nullable Value newGlobal;
  private boolean hasHadSeveral;

  AgentRealms(Agent agent) {
    this.agent = agent;
  }

  /** Removes a realm that ends before its agent. */
  synchronized void remove(Realm realm) {
    realms.remove(realm);
  }

  /** Returns the oldest realm; null if all have ended. Callable on any thread. */
  synchronized @Nullable Realm oldest() {
    return realms.isEmpty() ? null : realms.getFirst();
  }

  /** Ends all realms; removes none. Callable on any thread, after the last turn. */
  void endEach(Consumer<Runnable> runner) {
    for (int i = 0; ; i++) {
      Realm realm;
      synchronized (this) {
        if (i >= realms.size()) {
          return;
        }
        realm = realms.get(i);
      }
      realm.end(runner);
    }
  }

  /** Ends and removes all realms. Callable on any thread. */
  synchronized void endAll(Consumer<Runnable> runner) {
    realms.forEach(realm -> realm.end(runner)); // one made by a last turn
    realms.clear();
    newGlobal = null;
  }

  /** Returns whether script may encounter functions of more than one realm. */
  boolean hasHadSeveral() {
    return hasHadSeveral;
  }

  /**
   * Creates a realm. The first realm takes the context's own global object; each later one gets a
   * new global object with new intrinsics in the same context.
   */
  Realm create(EnvironmentSettings settings) {
    Context context = agent.context();
    Value global;
    Value make = newGlobal;
    if (!agent.ownsContext()) {
      global = context.eval("js", "globalThis");
    } else if (make == null) {
      // kept, since the engine's functions are removed before page script runs
      newGlobal = context.eval(NEW_GLOBAL);
      global = context.eval("js", "globalThis");
    } else {
      global = agent.call(make);
    }
    // an embedder's context has one realm of ours, and may forbid compiling strings to functions
    Value enter = agent.ownsContext() ? enterFunction(context, global) : context.eval(ENTER);
    if (agent.ownsContext() && make == null) {
      ModuleUris.prepare(enter);
    }
    Realm realm = new Realm(agent, settings, global, enter);
    synchronized (this) {
      realms.add(realm);
    }
    hasHadSeveral |= make != null;
    return realm;
  }

  /**
   * Returns a function of the realm of a global; it runs the steps passed to it in that realm. No
   * stack trace shows the function, as its source is internal. To reach the realm, the source is
   * evaluated inside a call of a function that the realm's {@code Function} constructor has made.
   */
  private static Value enterFunction(Context context, Value global) {
    Value first = global.getMember("Function").newInstance("steps", "return steps()");
    return first.execute((ProxyExecutable) none -> context.eval(ENTER));
  }

  /**
   * Returns the realm whose code is running, see {@link Agent#currentRealm}. Called inside a call
   * of script.
   */
  Realm current() {
    List<Realm> candidates;
    synchronized (this) {
      if (realms.size() == 1) {
        return realms.getFirst();
      }
      candidates = List.copyOf(realms);
    }
    Value global = agent.context().eval(CURRENT_GLOBAL);
    return candidates.stream()
        .filter(realm -> realm.global().equals(global))
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "no script of a realm of agent " + agent.name() + " is running"));
  }
}
