package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Cloning;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.LazyFunctions;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.binding.SerializedPlatformObject;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.model.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * Structured serialization in one realm. Used on the event loop of its agent.
 *
 * <p>All types of JavaScript that the standard names are cloned, except SharedArrayBuffer. That
 * type needs a cross-origin isolated agent, and agents here are not isolated: two contexts cannot
 * share the memory of a buffer. Proxies, and objects with other internal slots, are refused. The
 * exception is the iterator of {@code matchAll()}, which cannot be distinguished from an ordinary
 * object.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
public final class StructuredClone {

  private final Realm realm;
  private final Agent agent;
  private final RealmBinding binding;
  private final LazyFunctions functions;

  private StructuredClone(Realm realm, Source source) {
    this.realm = realm;
    this.agent = realm.agent();
    this.binding = RealmBinding.of(realm);
    this.functions = new LazyFunctions(realm, source, this::steps);
  }

  /** Returns the arguments of {@code structured-clone.js}. */
  private @Nullable Object[] steps() {
    int maxSize = agent.userAgent().configuration().limits().messageSize();
    return new @Nullable Object[] {
      binding.objects().platformObjectTest(),
      binding.values().proxyTest(),
      binding.errors().functions(),
      function(values -> kindOf(values[0], values[1]).ordinal()),
      function(values -> binding.platform().transfer().includes(implementation(values[0]))),
      function(values -> binding.platform().serialization().leave(implementation(values[0]))),
      function(values -> leave(values[0])),
      function(values -> arrive(values[0], binding.platform().serialization())),
      function(values -> arrive(values[0], binding.platform().transfer())),
      function(values -> {
        discard(values[0].asHostObject());
        return null;
      }),
      function(values -> new SerializedValue.Bytes(bytesOf(values[0]), values[1].asInt())),
      maxSize,
      function(values -> {
        String message = "The message is larger than " + maxSize + " bytes, which is the limit.";
        agent.userAgent().reachedLimits().add(agent, Limit.MESSAGE_SIZE, message);
        return message;
      })
    };
  }

  private Value function(Function<Value[], @Nullable Object> steps) {
    return binding.values().function("structured clone", steps);
  }

  private PlatformObject implementation(Value value) {
    PlatformObject implementation = binding.objects().implementation(value);
    if (implementation == null) {
      throw new IllegalArgumentException(value + " is not a platform object");
    }
    return implementation;
  }

  /** Returns the transferred state of an object, or the message of a DataCloneError. */
  private @Nullable Object leave(Value object) {
    try {
      return binding.platform().transfer().leave(implementation(object));
    } catch (ScriptException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  /** Closes a transferred port that will not arrive. */
  private static void discard(SerializedPlatformObject object) {
    if (object.state() instanceof PortHandle port) {
      port.close();
    }
  }

  /** Returns the received object in this realm, or the message of a DataCloneError. */
  private Object arrive(Value state, Cloning cloning) {
    SerializedPlatformObject serialized = state.asHostObject();
    if (!binding.platform().isExposed(serialized.interfaceName(), binding.realm().settings())) {
      return "The interface " + serialized.interfaceName() + " is not exposed here.";
    }
    try {
      return cloning.arrive(binding.realm(), serialized).object();
    } catch (ScriptException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  /**
   * Prepares a realm for structured cloning. Has to be called before any page script runs there.
   *
   * @param source the source of {@code structured-clone.js}
   */
  static void install(Realm realm, Source source) {
    StructuredClone made = new StructuredClone(realm, source);
    realm.supplements().put(StructuredClone.class, made);
    made.binding
        .platform()
        .features()
        .probe(
            realm.agent(),
            "kinds of objects",
            () -> {
              String kind = made.failedProbe();
              return kind == null ? null : "it does not show " + kind + " as such";
            },
            "structuredClone() and messages refuse or change such objects");
  }

  public static StructuredClone of(Realm realm) {
    return realm.supplements().require(StructuredClone.class);
  }

  /**
   * Returns the first kind of object that is not recognised; null if there is none. The kinds are
   * found by the engine's texts of values, which another engine may change. Called where no page
   * script has run, but perhaps script of the embedder.
   */
  @Nullable String failedProbe() {
    try {
      Value failed =
          agent.call(
              realm.evaluate(Resources.script(StructuredClone.class, "clone-probe.js")),
              (ProxyExecutable) this::firstUnknown);
      return failed.isNull() ? null : failed.asString();
    } catch (PolyglotException replaced) {
      return null; // the embedder has replaced a constructor of its context
    }
  }

  private @Nullable String firstUnknown(Value... table) {
    for (int i = 0; i < table.length; i += 3) {
      Value value = table[i + 2].getMember("value");
      ObjectKind kind = kindOf(value, table[i + 2].getMember("shown"));
      if (!kind.name().equals(table[i + 1].asString())) {
        return table[i].asString();
      }
    }
    return null;
  }

  private ObjectKind kindOf(Value value, Value shown) {
    return binding.values().isProxy(value) ? ObjectKind.OTHER : ObjectKind.of(value, shown);
  }

  private Value call(String function, @Nullable Object... arguments) {
    return agent.call(functions.get(function), arguments);
  }

  /**
   * Returns the result of a script function. A string is an error message; it is thrown as a
   * DataCloneError.
   */
  private static Value checked(Value outcome, String operation) {
    if (outcome.isString()) {
      throw ScriptException.dom("DataCloneError", operation + ": " + outcome.asString());
    }
    return outcome;
  }

  /**
   * Serializes a value.
   *
   * @param operation the start of exception messages, such as {@code Failed to execute
   *     'postMessage' on 'BroadcastChannel'}
   * @throws ScriptException a DataCloneError
   * @throws org.graalvm.polyglot.PolyglotException the exception of a getter
   * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html#structuredserialize">
   *     StructuredSerialize</a>
   */
  public SerializedValue structuredSerialize(Value value, String operation) {
    return handedOver(checked(call("structuredSerialize", value, false, true), operation));
  }

  /**
   * Serializes a value for storage.
   *
   * @param operation the start of exception messages
   * @throws ScriptException a DataCloneError
   * @throws org.graalvm.polyglot.PolyglotException the exception of a getter
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeforstorage">
   *     StructuredSerializeForStorage</a>
   */
  public SerializedValue structuredSerializeForStorage(Value value, String operation) {
    return handedOver(checked(call("structuredSerialize", value, true, true), operation));
  }

  /**
   * Serializes a value; the objects in the transfer list move into the result and are detached.
   *
   * @param transferList a converted {@code sequence<object>}, as {@link Arguments#any} returns it
   * @param operation the start of exception messages
   * @throws ScriptException a DataCloneError
   * @throws org.graalvm.polyglot.PolyglotException the exception of a getter
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializewithtransfer">
   *     StructuredSerializeWithTransfer</a>
   */
  public SerializedValue structuredSerializeWithTransfer(
      Value value, Value transferList, String operation) {
    return handedOver(
        checked(call("structuredSerializeWithTransfer", value, transferList, true), operation));
  }

  private SerializedValue handedOver(Value record) {
    SerializedValue[] made = new SerializedValue[1];
    call(
        "handOver",
        record,
        (ProxyExecutable)
            parts -> {
              made[0] =
                  new SerializedValue(
                      bytesOf(parts[0]),
                      all(parts[1], Value::asString),
                      all(parts[2], Value::<SerializedValue.Bytes>asHostObject),
                      all(parts[3], Value::<SerializedPlatformObject>asHostObject),
                      all(parts[4], this::takeHolder));
              return null;
            });
    made[0].depart(); // until here its ports were closed with this realm
    return made[0];
  }

  private static <T> List<T> all(Value list, Function<Value, T> convert) {
    int size = (int) list.getArraySize();
    List<T> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(convert.apply(list.getArrayElement(i)));
    }
    return all;
  }

  private static byte[] bytesOf(Value buffer) {
    byte[] bytes = new byte[Math.toIntExact(buffer.getBufferSize())];
    if (bytes.length > 0) {
      buffer.readBuffer(0, bytes, 0, bytes.length);
    }
    return bytes;
  }

  private SerializedValue.Bytes takeBytes(Value buffer) {
    return new SerializedValue.Bytes(bytesOf(buffer), call("maxLengthOf", buffer).asInt());
  }

  private SerializedValue.Holder takeHolder(Value holder) {
    return holder.isHostObject()
        ? new SerializedValue.TransferredObject(holder.asHostObject())
        : takeBytes(holder);
  }

  /**
   * Deserializes a value in this realm.
   *
   * @throws ScriptException a DataCloneError
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserialize">
   *     StructuredDeserialize</a>
   */
  public Value structuredDeserialize(SerializedValue serialized) {
    return structuredDeserializeWithTransfer(serialized).value();
  }

  /**
   * Deserializes a value, with the objects that were transferred, in this realm.
   *
   * @throws ScriptException a DataCloneError
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserializewithtransfer">
   *     StructuredDeserializeWithTransfer</a>
   */
  public DeserializedValue structuredDeserializeWithTransfer(SerializedValue serialized) {
    DeserializedValue[] made = new DeserializedValue[1];
    ScriptException[] failure = new ScriptException[1];
    serialized.addressTo(realm); // for the case that this agent ends in the middle
    // one call into the context, so that no microtask runs between its parts
    binding
        .promises()
        .atomically(() -> {
          try {
            made[0] = deserialized(takenOver(serialized), "Failed to deserialize a message");
          } catch (ScriptException refused) {
            failure[0] = refused;
          }
        });
    if (failure[0] != null) {
      throw failure[0];
    }
    return made[0];
  }

  private DeserializedValue deserialized(Value record, String operation) {
    Value result = checked(call("structuredDeserializeWithTransfer", record), operation);
    return new DeserializedValue(
        result.getMember("value"), all(result.getMember("transferred"), Function.identity()));
  }

  private Value takenOver(SerializedValue serialized) {
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(arrayBufferOf(new SerializedValue.Bytes(serialized.code(), -1)));
    parts.add(serialized.strings().size());
    parts.add(serialized.buffers().size());
    parts.add(serialized.states().size());
    parts.add(serialized.holders().size());
    parts.addAll(serialized.strings());
    serialized.buffers().forEach(buffer -> parts.add(arrayBufferOf(buffer)));
    parts.addAll(serialized.states());
    for (SerializedValue.Holder holder : serialized.holders()) {
      parts.add(
          switch (holder) {
            case SerializedValue.Bytes bytes -> arrayBufferOf(bytes);
            case SerializedValue.TransferredObject object -> object.state();
          });
    }
    return call("takeOver", parts.toArray());
  }

  /** Returns a new ArrayBuffer with the given bytes. */
  private Value arrayBufferOf(SerializedValue.Bytes from) {
    byte[] bytes = from.bytes();
    Value buffer = call("allocate", bytes.length, from.maxByteLength());
    if (buffer.isNull()) {
      throw ScriptException.dom(
          "DataCloneError", "An ArrayBuffer of " + bytes.length + " bytes could not be allocated.");
    }
    binding.bufferSources().write(buffer, 0, bytes);
    return buffer;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/structured-data.html#dom-structuredclone">structuredClone()</a>
   */
  private static Value structuredClone(GlobalScope global, Arguments args) {
    boolean isWindow = args.realm().settings().globalNames().contains("Window");
    String operation =
        "Failed to execute 'structuredClone' on '"
            + (isWindow ? "Window" : "WorkerGlobalScope")
            + "'";
    Value transferList = args.dictionary(1).any("transfer");
    Value serialized =
        checked(
            of(args.realm())
                .call("structuredSerializeWithTransfer", args.any(0), transferList, false),
            operation); // 1
    return of(global.realm()).deserialized(serialized, operation).value(); // 2, 3
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .operation("structuredClone", StructuredClone::structuredClone);
  }
}
