package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.MergedInterface;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The set of serializable or of transferable interfaces, with the steps of each. Immutable. */
public final class Cloning {

  record Steps(
      Function<Object, Object> leave, BiFunction<Realm, Object, ? extends PlatformObject> arrive) {}

  private record Entry(String interfaceName, Steps steps) {}

  private final Map<Class<?>, Entry> byClass = new HashMap<>();
  private final Map<String, Steps> byName = new HashMap<>();

  private Cloning() {}

  /**
   * Collects the interfaces that have the given extended attribute, {@code Serializable} or {@code
   * Transferable}, with the steps that copy or move their objects.
   *
   * @throws IllegalStateException if IDL and code differ
   */
  static Cloning of(
      IdlModel model,
      String extendedAttribute,
      Implementations implementations,
      Function<Implementations.Interface<?>, @Nullable Steps> stepsOf) {
    Cloning made = new Cloning();
    for (MergedInterface each : model.interfaces()) {
      Implementations.Interface<?> implementation = implementations.byInterface.get(each.name());
      Steps steps = implementation == null ? null : stepsOf.apply(implementation);
      if ((steps != null) != each.extendedAttributes().has(extendedAttribute)) {
        throw new IllegalStateException(
            "IDL and code differ: "
                + each.name()
                + (steps == null ? " has no steps for [" : " is not marked [")
                + extendedAttribute
                + "]");
      }
      if (steps != null && implementation != null) {
        made.byClass.put(implementation.type, new Entry(each.name(), steps));
        made.byName.put(each.name(), steps);
      }
    }
    return made;
  }

  /** Returns whether the interface of an object is in this set. */
  public boolean includes(PlatformObject object) {
    return byClass.containsKey(object.getClass());
  }

  /** Returns the state of an object for another realm; null if its interface is not in this set. */
  public @Nullable SerializedPlatformObject leave(PlatformObject object) {
    Entry entry = byClass.get(object.getClass());
    return entry == null
        ? null
        : new SerializedPlatformObject(entry.interfaceName(), entry.steps().leave().apply(object));
  }

  /** Creates an object from its state, in a realm that must expose the object's interface. */
  public PlatformObject arrive(Realm realm, SerializedPlatformObject serialized) {
    Steps steps = byName.get(serialized.interfaceName());
    if (steps == null) {
      throw new IllegalArgumentException(
          "unknown interface '" + serialized.interfaceName() + "' in a serialized value");
    }
    return steps.arrive().apply(realm, serialized.state());
  }
}
