package dev.weblocks.encoding;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.utf8.Utf8;
import java.util.Arrays;

/** The decoder of whole texts in any encoding, for other packages. Used on the event loop. */
public final class Decoding {

  private Decoding() {}

  /**
   * Decodes bytes to text. A byte order mark at the start overrides the given encoding and is
   * removed. Each error becomes U+FFFD.
   *
   * @param bytes must not be changed afterwards
   * @param fallback the encoding if there is no byte order mark
   * @throws ScriptException a NotSupportedError if this JVM lacks the encoding
   * @see <a href="https://encoding.spec.whatwg.org/#decode">decode</a>
   */
  public static String decode(Realm realm, byte[] bytes, Encoding fallback) {
    Encoding encoding = fallback;
    int mark = 0;
    if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) { // 1, 2
      encoding = Encoding.UTF_8;
      mark = 3;
    } else if (startsWith(bytes, 0xFE, 0xFF)) {
      encoding = Encoding.UTF_16BE;
      mark = 2;
    } else if (startsWith(bytes, 0xFF, 0xFE)) {
      encoding = Encoding.UTF_16LE;
      mark = 2;
    }
    byte[] rest = mark == 0 ? bytes : Arrays.copyOfRange(bytes, mark, bytes.length);
    if (encoding == Encoding.UTF_8) {
      return Utf8.decodeWithoutBom(rest);
    }
    try { // 3, 4
      CharQueue output = new CharQueue(rest.length + 2);
      ByteQueue queue = new ByteQueue();
      queue.push(rest);
      encoding
          .newDecoder(realm.supplements().require(Indexes.class))
          .process(queue, output, true, false);
      return output.text(0);
    } catch (IndexUnavailableException missing) {
      realm.agent().reportDefect("text in " + encoding.standardName(), missing);
      throw ScriptException.dom(
          "NotSupportedError",
          "The encoding '" + encoding.standardName() + "' is not available here.");
    }
  }

  private static boolean startsWith(byte[] bytes, int... mark) {
    for (int i = 0; i < mark.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }
}
