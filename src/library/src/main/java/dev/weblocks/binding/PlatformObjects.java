package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The platform objects of one realm: their script objects, and the way back. Used on the event loop
 * of its agent.
 */
public final class PlatformObjects {

  private final RealmBinding binding;
  private final Agent agent;
  private final Value functions;
  private final Value wrap;
  private final Value wrapError;
  private final Value implementation;

  PlatformObjects(RealmBinding binding, Value functions) {
    this.binding = binding;
    this.agent = binding.realm().agent();
    this.functions = functions;
    this.wrap = functions.getMember("wrap");
    this.wrapError = functions.getMember("wrapError");
    this.implementation = functions.getMember("implementation");
  }

  Value wrap(PlatformObject object) {
    int id = binding.platform().interfaceId(object);
    return object instanceof DOMException exception
        ? agent.call(wrapError, id, exception, exception.title(), exception.copiedStack())
        : agent.call(wrap, id, object);
  }

  /**
   * Returns the implementation of a platform object of any realm of this agent; null for other
   * values.
   */
  public @Nullable PlatformObject implementation(Value value) {
    Value found = agent.call(implementation, value);
    return found.isNull() ? null : found.asHostObject();
  }

  /**
   * Returns a script function that tests whether a value is a platform object of any realm of this
   * agent. For internal scripts that call it often.
   */
  public Value platformObjectTest() {
    return functions.getMember("isPlatformObject");
  }

  /**
   * Returns the entries of a maplike or setlike object: a Map or a Set that no page can reach.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#js-maplike">Web IDL</a>
   */
  public Value entries(PlatformObject collection) {
    return agent.ask(functions.getMember("backingOf"), collection.object());
  }
}
