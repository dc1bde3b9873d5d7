package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.List;
import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The global object of one realm: its indexed and named properties, and its uses by other realms.
 * Used on the event loop of its agent.
 */
public final class GlobalObject {

  private final RealmBinding binding;
  private final Agent agent;
  private final Value functions;

  GlobalObject(RealmBinding binding, Value functions) {
    this.binding = binding;
    this.agent = binding.realm().agent();
    this.functions = functions;
  }

  /**
   * Returns the object whose own properties are the interface objects and the members of the
   * global. It is the global itself, unless the embedder owns the context: then it is a separate
   * object, from which an installation takes properties.
   */
  public Value exposed() {
    return functions.getMember("exposed");
  }

  /** Returns an operation of this realm's global, for calls by another realm. */
  Value operationFor(Realm caller, String name) {
    Seam seam = new Seam(binding.realm(), caller, binding);
    return call(
        "operationFor",
        name,
        seam,
        new HostFunction(binding.realm(), "take failure", none -> seam.takeFailure()));
  }

  /** Makes the global the script object of an implementation. Called once per realm. */
  public void brand(PlatformObject implementation) {
    implementation.becomes(binding.realm().global());
    if (!agent.ownsContext()) {
      call("adoptGlobal", binding.platform().interfaceId(implementation), implementation);
      return;
    }
    boolean window = binding.realm().settings().globalNames().contains("Window");
    if (window) {
      binding.scripts().areInWindow();
    }
    agent.call(
        functions.getMember("brandGlobal"),
        binding.platform().interfaceId(implementation),
        implementation,
        window ? "WindowProperties" : null);
  }

  /**
   * Returns a cross-origin object. Script can use only the listed attributes and operations of
   * {@code members}; any other access calls its {@code deny} operation, which throws.
   */
  public Value crossOriginObject(
      PlatformObject members, List<String> attributes, List<String> operations) {
    return call(
        "crossOriginObject",
        members.object(),
        binding.values().toScript(attributes),
        binding.values().toScript(operations));
  }

  /** Sets the windows that script finds in the global by index. */
  public void setChildren(List<? extends PlatformObject> children) {
    call(
        "setChildren",
        children.size(),
        binding
            .values()
            .function(
                "window", values -> binding.values().toScript(children.get(values[0].asInt()))));
  }

  /**
   * Sets the named properties of the global.
   *
   * @param lookUp returns the object of a name, null for none; called only if the global neither
   *     has nor inherits a property of this name
   */
  public void setNamedObjects(Function<String, @Nullable PlatformObject> lookUp) {
    call(
        "setNamedObjects",
        binding
            .values()
            .function(
                "window", values -> binding.values().toScript(lookUp.apply(values[0].asString()))));
  }

  /** Calls a function of the prelude for global objects. */
  Value call(String function, @Nullable Object... arguments) {
    return agent.call(functions.getMember(function), arguments);
  }
}
