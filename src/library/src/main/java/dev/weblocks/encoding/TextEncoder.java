package dev.weblocks.encoding;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.BufferSources;
import dev.weblocks.binding.DictionaryValue;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.utf8.Utf8;
import org.graalvm.polyglot.Value;

/**
 * The {@code TextEncoder} interface.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#interface-textencoder">Encoding Standard</a>
 */
final class TextEncoder extends PlatformObject {

  private TextEncoder(Realm realm) {
    super(realm);
  }

  /** <a href="https://encoding.spec.whatwg.org/#dom-textencoder-encode">encode(input)</a> */
  private Value encode(Arguments args) {
    String input = args.string(0);
    if (input.length() > Integer.MAX_VALUE / 3 && utf8Length(input) > Integer.MAX_VALUE - 8) {
      throw ScriptException.rangeError(
          "Failed to execute 'encode' on 'TextEncoder': Array buffer allocation failed");
    }
    return binding().bufferSources().uint8Array(Utf8.encode(input));
  }

  private static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      length += utf8Units(text.charAt(i));
    }
    return length;
  }

  /** Returns the UTF-8 length of a code unit in bytes; half a surrogate pair counts as two. */
  private static int utf8Units(char unit) {
    if (unit < 0x80) {
      return 1;
    }
    return unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto">encodeInto(source,
   * destination)</a>
   */
  private static DictionaryValue encodeInto(Arguments args) {
    String source = args.string(0);
    Value destination = args.any(1);
    BufferSources buffers = RealmBinding.of(args.realm()).bufferSources();
    buffers.requireMutable(
        destination,
        "Failed to execute 'encodeInto' on 'TextEncoder': parameter 2 ('destination')");
    int room = buffers.length(destination); // 0 if the Uint8Array is detached or out of bounds
    int read = 0; // 1
    int written = 0; // 2
    while (read < source.length()) { // 6
      char unit = source.charAt(read);
      int units = Character.isHighSurrogate(unit) ? 2 : 1;
      int bytes = units == 2 ? 4 : utf8Units(unit);
      if (room - written < bytes) {
        break;
      }
      read += units;
      written += bytes;
    }
    if (written > 0) {
      byte[] bytes = Utf8.encode(source.substring(0, read));
      buffers.write(destination, 0, bytes);
    }
    return DictionaryValue.of("TextEncoderEncodeIntoResult", read, written); // 7
  }

  static void define(Implementations implementations) {
    implementations
        .implement("TextEncoder", TextEncoder.class)
        .constructor((realm, args) -> new TextEncoder(realm))
        .operation("encode", TextEncoder::encode)
        .operation("encodeInto", (self, args) -> encodeInto(args));
    implementations
        .mixin("TextEncoderCommon", TextEncoder.class)
        .getter("encoding", self -> "utf-8");
  }
}
