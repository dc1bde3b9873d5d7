package dev.weblocks.file;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.graalvm.polyglot.Value;

/**
 * The {@code Blob} interface.
 *
 * @see <a href="https://w3c.github.io/FileAPI/#blob-section">File API</a>
 */
public sealed class Blob extends PlatformObject permits File {

  private final ByteSequence bytes;
  private final String type;

  /**
   * Creates a blob.
   *
   * @param type the MIME type as script sees it, empty for none
   */
  public Blob(Realm realm, ByteSequence bytes, String type) {
    super(realm);
    this.bytes = bytes;
    this.type = type;
  }

  private record Snapshot(ByteSequence bytes, String type) {}

  /** Returns the bytes, which never change. */
  public final ByteSequence bytes() {
    return bytes;
  }

  /** Returns the MIME type as script sees it; empty for none. */
  public final String type() {
    return type;
  }

  /** <a href="https://w3c.github.io/FileAPI/#constructorBlob">Blob()</a> */
  private static Blob construct(Realm realm, Arguments args) {
    List<Value> parts = args.isPresent(0) ? args.list(0) : List.of();
    DictionaryView options = args.dictionary(1);
    return new Blob(
        realm,
        processBlobParts(realm, parts, options, "Blob"),
        normalizedType(options.string("type")));
  }

  /** <a href="https://w3c.github.io/FileAPI/#process-blob-parts">process blob parts</a> */
  static ByteSequence processBlobParts(
      Realm realm, List<Value> parts, DictionaryView options, String constructed) {
    boolean isNative = options.string("endings").equals("native");
    List<ByteSequence> bytes = new ArrayList<>(parts.size());
    long room = ByteSequence.MAX_SIZE;
    for (Value element : parts) {
      ByteSequence part;
      if (element.isString()) {
        String string = element.asString();
        part = ByteSequence.utf8Encode(isNative ? convertLineEndingsToNative(string) : string);
      } else if (element.isHostObject()) {
        part = element.<Blob>asHostObject().bytes;
      } else {
        part = ByteSequence.of(RealmBinding.of(realm).bufferSources().bytes(element));
      }
      room -= part.size();
      if (room < 0) {
        throw ScriptException.rangeError(
            "Failed to construct '%s': The size would exceed %s bytes."
                .formatted(constructed, ByteSequence.MAX_SIZE));
      }
      bytes.add(part);
    }
    return ByteSequence.concatenate(bytes);
  }

  /**
   * <a href="https://w3c.github.io/FileAPI/#convert-line-endings-to-native">convert line endings to
   * native</a>. The native ending is always a line feed, so that scripts behave alike everywhere.
   */
  private static String convertLineEndingsToNative(String string) {
    return string.replace("\r\n", "\n").replace('\r', '\n');
  }

  /** Returns the normalized form of a type that script passed; empty if the type is invalid. */
  static String normalizedType(String type) {
    StringBuilder lower = new StringBuilder(type.length());
    for (int i = 0; i < type.length(); i++) {
      char each = type.charAt(i);
      if (each < ' ' || each > '~') {
        return "";
      }
      lower.append(each >= 'A' && each <= 'Z' ? (char) (each + ('a' - 'A')) : each);
    }
    return lower.toString();
  }

  /** <a href="https://w3c.github.io/FileAPI/#slice-blob">slice blob</a> */
  private Blob slice(Arguments args) {
    long start = args.isPresent(0) ? relative(args.number(0)) : 0;
    long end = args.isPresent(1) ? relative(args.number(1)) : bytes.size();
    String contentType = args.isPresent(2) ? normalizedType(args.string(2)) : "";
    return new Blob(realm(), bytes.slice(start, Math.max(start, end)), contentType);
  }

  /** Returns a position within the bytes; a negative argument counts from the end. */
  private long relative(double position) {
    long whole = (long) position;
    return whole < 0 ? Math.max(bytes.size() + whole, 0) : Math.min(whole, bytes.size());
  }

  /**
   * <a href="https://w3c.github.io/FileAPI/#blob-get-stream">get stream</a> and <a
   * href="https://streams.spec.whatwg.org/#readablestreamdefaultreader-read-all-bytes">read all
   * bytes</a> of the stream.
   */
  private IdlPromise readAll(String operation, Function<ByteSequence, Object> toValue) {
    IdlPromise promise = binding().promises().newPromise();
    realm()
        .queueTask(
            TaskSource.FILE_READING,
            "Blob." + operation + "()",
            () -> {
              Object value;
              try {
                value = toValue.apply(bytes);
              } catch (OutOfMemoryError tooLarge) {
                promise.reject(
                    ScriptException.dom(
                        "NotReadableError",
                        "Failed to execute '%s' on 'Blob': %s bytes do not fit into memory."
                            .formatted(operation, bytes.size())));
                return;
              }
              promise.resolve(value);
            });
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Blob", Blob.class)
        .constructor(Blob::construct)
        .getter("size", blob -> (double) blob.bytes.size())
        .getter("type", blob -> blob.type)
        .operation("slice", Blob::slice)
        .operation("text", (blob, args) -> blob.readAll("text", ByteSequence::utf8Decode))
        .operation(
            "arrayBuffer",
            (blob, args) ->
                blob.readAll(
                    "arrayBuffer",
                    bytes -> blob.binding().bufferSources().arrayBuffer(bytes.toByteArray())))
        .operation(
            "bytes",
            (blob, args) ->
                blob.readAll(
                    "bytes",
                    bytes -> blob.binding().bufferSources().uint8Array(bytes.toByteArray())))
        .serializable(
            blob -> new Snapshot(blob.bytes, blob.type),
            (realm, state) -> {
              Snapshot snapshot = (Snapshot) state;
              return new Blob(realm, snapshot.bytes(), snapshot.type());
            });
  }
}
