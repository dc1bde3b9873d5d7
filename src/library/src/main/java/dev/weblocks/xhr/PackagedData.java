package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.encoding.Decoding;
import dev.weblocks.encoding.Encoding;
import dev.weblocks.fetch.MimeType;
import dev.weblocks.file.Blob;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conversion of the bytes of a blob to the result of a reader. */
final class PackagedData {

  enum Type {
    ARRAY_BUFFER,
    BINARY_STRING,
    DATA_URL,
    TEXT
  }

  /** The read methods of {@code FileReader} and {@code FileReaderSync}, with their result types. */
  static final Map<String, Type> OPERATIONS =
      Map.of(
          "readAsArrayBuffer", Type.ARRAY_BUFFER,
          "readAsBinaryString", Type.BINARY_STRING,
          "readAsDataURL", Type.DATA_URL,
          "readAsText", Type.TEXT);

  private PackagedData() {}

  /**
   * <a href="https://w3c.github.io/FileAPI/#blob-package-data">package data</a>
   *
   * @param encodingName the label that script has passed; null for none
   * @return a value of the realm, or a {@link String}
   * @throws ScriptException a NotReadableError if the result does not fit into memory
   */
  static Object packageData(Realm realm, Blob blob, Type type, @Nullable String encodingName) {
    try {
      byte[] bytes = blob.bytes().toByteArray();
      return switch (type) {
        case ARRAY_BUFFER -> RealmBinding.of(realm).bufferSources().arrayBuffer(bytes);
        case BINARY_STRING -> new String(bytes, StandardCharsets.ISO_8859_1);
        case DATA_URL ->
            "data:"
                + (blob.type().isEmpty() ? "application/octet-stream" : blob.type())
                + ";base64,"
                + Base64.getEncoder().encodeToString(bytes);
        case TEXT -> Decoding.decode(realm, bytes, encoding(blob.type(), encodingName));
      };
    } catch (OutOfMemoryError tooLarge) {
      throw ScriptException.dom(
          "NotReadableError",
          "The blob could not be read: " + blob.bytes().size() + " bytes do not fit into memory.");
    }
  }

  /** Returns the encoding for text: the given one, that of the MIME type, or UTF-8. */
  private static Encoding encoding(String mimeType, @Nullable String encodingName) {
    Encoding encoding = encodingName == null ? null : Encoding.get(encodingName);
    if (encoding == null) {
      MimeType type = MimeType.parse(mimeType);
      String charset = type == null ? null : type.parameters().get("charset");
      encoding = charset == null ? null : Encoding.get(charset);
    }
    return encoding == null ? Encoding.UTF_8 : encoding;
  }
}
