package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** The state that all realms of an agent share; {@code agent-kit.js} creates it. */
final class AgentKit {
  private static final Source KIT = Resources.script(Platform.class, "agent-kit.js");

  final Value value;
  final Value failure;
  private int calls;

  private AgentKit(Value value) {
    this.value = value;
    this.failure = value.getMember("failure");
  }

  /** Returns the state of the realm's agent; the first call makes it, before page script runs. */
  static AgentKit of(Realm realm) {
    return realm
        .agent()
        .supplements()
        .get(AgentKit.class, () -> new AgentKit(realm.agent().call(realm.evaluate(KIT))));
  }

  /** Returns a new number, which identifies one call of a callback. */
  int nextCall() {
    calls++;
    return calls;
  }
}
