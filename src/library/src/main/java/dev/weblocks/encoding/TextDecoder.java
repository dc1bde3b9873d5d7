package dev.weblocks.encoding;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.Locale;

/**
 * The {@code TextDecoder} interface.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#interface-textdecoder">Encoding Standard</a>
 */
final class TextDecoder extends PlatformObject {

  private final Indexes indexes;
  private final Encoding encoding;
  private final boolean fatal;
  private final boolean ignoreByteOrderMark;

  private Decoder decoder;
  private ByteQueue queue = new ByteQueue();
  private boolean byteOrderMarkSeen;
  private boolean doNotFlush;

  private TextDecoder(
      Realm realm, Indexes indexes, Encoding encoding, boolean fatal, boolean ignoreByteOrderMark) {
    super(realm);
    this.indexes = indexes;
    this.encoding = encoding;
    this.fatal = fatal;
    this.ignoreByteOrderMark = ignoreByteOrderMark;
    this.decoder = encoding.newDecoder(indexes);
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#dom-textdecoder">new TextDecoder(label, options)</a>
   */
  private static TextDecoder create(Realm realm, Indexes indexes, Arguments args) {
    String label = args.string(0);
    Encoding encoding = Encoding.get(label); // 1
    if (encoding == null || encoding == Encoding.REPLACEMENT) { // 2
      throw refused("The encoding label provided ('" + label + "') is invalid.");
    }
    DictionaryView options = args.dictionary(1);
    try {
      return new TextDecoder(
          realm, indexes, encoding, options.bool("fatal"), options.bool("ignoreBOM")); // 3 to 5
    } catch (IndexUnavailableException missing) {
      realm.agent().reportDefect("TextDecoder for " + encoding.standardName(), missing);
      throw refused("The encoding '" + encoding.standardName() + "' is not available here.");
    }
  }

  private static ScriptException refused(String why) {
    return ScriptException.rangeError("Failed to construct 'TextDecoder': " + why);
  }

  /**
   * <a href="https://encoding.spec.whatwg.org/#dom-textdecoder-decode">decode(input, options)</a>
   */
  private String decode(Arguments args) {
    if (!doNotFlush) { // 1
      decoder = encoding.newDecoder(indexes);
      queue = new ByteQueue();
      byteOrderMarkSeen = false;
    }
    doNotFlush = args.dictionary(1).bool("stream"); // 2
    if (args.isPresent(0)) { // 3
      queue.push(args.bytes(0));
    }
    CharQueue output = new CharQueue(queue.size() + 2); // 4
    if (!decoder.process(queue, output, !doNotFlush, fatal)) { // 5
      if (!doNotFlush) {
        queue = new ByteQueue(); // release the rest now, which the next call would drop
      }
      throw ScriptException.typeError(
          "Failed to execute 'decode' on 'TextDecoder': The encoded data was not valid.");
    }
    return serialize(output);
  }

  /** <a href="https://encoding.spec.whatwg.org/#concept-td-serialize">serialize I/O queue</a> */
  private String serialize(CharQueue output) {
    boolean skip = false;
    if (encoding.hasByteOrderMark()
        && !ignoreByteOrderMark
        && !byteOrderMarkSeen
        && !output.isEmpty()) {
      byteOrderMarkSeen = true;
      skip = output.startsWithByteOrderMark();
    }
    return output.text(skip ? 1 : 0);
  }

  static void define(Implementations implementations, Indexes indexes) {
    implementations
        .implement("TextDecoder", TextDecoder.class)
        .constructor((realm, args) -> create(realm, indexes, args))
        .operation("decode", TextDecoder::decode);
    implementations
        .mixin("TextDecoderCommon", TextDecoder.class)
        .getter("encoding", self -> self.encoding.standardName().toLowerCase(Locale.ROOT))
        .getter("fatal", self -> self.fatal)
        .getter("ignoreBOM", self -> self.ignoreByteOrderMark);
  }
}
