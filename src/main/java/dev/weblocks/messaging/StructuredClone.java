package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.HostFunction;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Structured serialization in one realm. On the event loop of its agent.
 *
 * <p>All types of JavaScript that the standard names are cloned, except SharedArrayBuffer; platform
 * objects are refused with a DataCloneError.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
public final class StructuredClone {

  private final Realm realm;
  private final Value serialize;
  private final Value deserialize;

  private StructuredClone(Realm realm, Source source) {
    this.realm = realm;
    RealmBinding binding = RealmBinding.of(realm);
    Value functions =
        realm
            .agent()
            .call(
                realm.evaluate(source),
                new HostFunction(realm, "clone", values -> binding.isPlatformObject(values[0])),
                new HostFunction(
                    realm,
                    "clone",
                    values -> {
                      throw ScriptException.dom("DataCloneError", values[0].asString());
                    }));
    this.serialize = functions.getMember("serialize");
    this.deserialize = functions.getMember("deserialize");
  }

  /**
   * Prepares a realm. To be called before any page script runs there.
   *
   * @param source of {@code structured-clone.js}
   */
  static void install(Realm realm, Source source) {
    realm.supplements().put(StructuredClone.class, new StructuredClone(realm, source));
  }

  public static StructuredClone of(Realm realm) {
    return realm.supplements().require(StructuredClone.class);
  }

  /**
   * Serializes a value.
   *
   * @throws org.graalvm.polyglot.PolyglotException a DataCloneError, or what a getter threw
   * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html#structuredserialize">
   *     StructuredSerialize</a>
   */
  public SerializedValue serialize(Value value) {
    Value list = realm.agent().call(serialize, value);
    int size = (int) list.getArraySize();
    List<@Nullable Object> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(primitive(list.getArrayElement(i)));
    }
    return new SerializedValue(items);
  }

  private static Object primitive(Value value) {
    if (value.isString()) {
      return value.asString();
    }
    if (value.isBoolean()) {
      return value.asBoolean();
    }
    return value.fitsInInt() ? (Object) value.asInt() : (Object) value.asDouble();
  }

  /**
   * Makes the value in this realm.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserialize">
   *     StructuredDeserialize</a>
   */
  public Value deserialize(SerializedValue serialized) {
    return realm.agent().call(deserialize, serialized.items().toArray());
  }
}
