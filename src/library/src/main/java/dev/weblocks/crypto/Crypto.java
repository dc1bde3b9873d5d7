package dev.weblocks.crypto;

import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import java.util.HexFormat;
import java.util.Set;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * The {@code Crypto} interface. Each realm has one instance.
 *
 * @see <a href="https://w3c.github.io/webcrypto/#crypto-interface">Web Cryptography</a>
 */
final class Crypto extends PlatformObject {

  private static final int MAX_BYTES = 65_536;

  private static final Set<String> INTEGER_TYPES =
      Set.of(
          """
          Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
          BigInt64Array BigUint64Array
          """
              .split("\\s+"));

  private record ViewType(String name, long byteLength) {}

  private final Value viewType;

  /** Creates the instance of a realm. Must be called before any page script runs there. */
  Crypto(Realm realm, Source viewType) {
    super(realm);
    this.viewType = realm.agent().call(realm.evaluate(viewType));
  }

  private RandomSource random() {
    return realm().agent().userAgent().configuration().random();
  }

  private ViewType typeOf(Value view) {
    ViewType[] detected = new ViewType[1];
    Value tell =
        binding()
            .values()
            .function(
                "view type",
                parts -> {
                  detected[0] =
                      new ViewType(
                          parts[0].isString() ? parts[0].asString() : "DataView",
                          parts[1].asLong());
                  return null;
                });
    realm().agent().call(viewType, view, tell);
    return detected[0];
  }

  /**
   * <a href="https://w3c.github.io/webcrypto/#Crypto-method-getRandomValues">getRandomValues()</a>
   */
  private Value getRandomValues(Value array) {
    binding()
        .bufferSources()
        .requireMutable(
            array, "Failed to execute 'getRandomValues' on 'Crypto': parameter 1 ('array')");
    ViewType type = typeOf(array);
    // 1.
    if (!INTEGER_TYPES.contains(type.name())) {
      throw ScriptException.dom(
          "TypeMismatchError",
          "Failed to execute 'getRandomValues' on 'Crypto': The provided ArrayBufferView is a "
              + type.name()
              + ", which is not an integer array type");
    }
    // 2.
    if (type.byteLength() > MAX_BYTES) {
      throw ScriptException.dom(
          "QuotaExceededError",
          "Failed to execute 'getRandomValues' on 'Crypto': The ArrayBufferView's byte length ("
              + type.byteLength()
              + ") exceeds the number of bytes of entropy available via this API ("
              + MAX_BYTES
              + ")");
    }
    // 3.
    if (type.byteLength() > 0) {
      byte[] bytes = new byte[(int) type.byteLength()];
      random().nextBytes(bytes);
      binding().bufferSources().write(array, 0, bytes);
    }
    // 4.
    return array;
  }

  /**
   * <a href="https://w3c.github.io/webcrypto/#Crypto-method-randomUUID">randomUUID()</a> and <a
   * href="https://w3c.github.io/webcrypto/#dfn-generate-a-random-uuid">generate a random UUID</a>
   */
  private String randomUuid() {
    // 1., 2.
    byte[] bytes = new byte[16];
    random().nextBytes(bytes);
    // 3., 4.
    bytes[6] = (byte) (bytes[6] & 0x0f | 0x40);
    // 5., 6.
    bytes[8] = (byte) (bytes[8] & 0x3f | 0x80);
    // 7.
    HexFormat hex = HexFormat.of();
    return String.join(
        "-",
        hex.formatHex(bytes, 0, 4),
        hex.formatHex(bytes, 4, 6),
        hex.formatHex(bytes, 6, 8),
        hex.formatHex(bytes, 8, 10),
        hex.formatHex(bytes, 10, 16));
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .getter("crypto", global -> global.realm().supplements().require(Crypto.class));
    implementations
        .implement("Crypto", Crypto.class)
        .operation("getRandomValues", (crypto, args) -> crypto.getRandomValues(args.any(0)))
        .operation("randomUUID", (crypto, args) -> crypto.randomUuid());
  }
}
