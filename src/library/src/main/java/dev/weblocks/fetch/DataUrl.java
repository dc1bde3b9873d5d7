package dev.weblocks.fetch;

import dev.weblocks.file.ByteSequence;
import dev.weblocks.global.ForgivingBase64;
import dev.weblocks.url.PercentEncoding;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@code data:} URL.
 *
 * @param mimeType the type of the body
 * @see <a href="https://fetch.spec.whatwg.org/#data-url-struct">data: URL struct</a>
 */
record DataUrl(MimeType mimeType, ByteSequence body) {

  private static final MimeType DEFAULT_TYPE =
      new MimeType("text/plain", Map.of("charset", "US-ASCII"));

  /**
   * Processes a URL of scheme "data"; returns null on failure.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#data-url-processor">data: URL processor</a>
   */
  static @Nullable DataUrl process(UrlRecord url) {
    String serialized = UrlSerializer.serialize(url, true); // 2
    String input = serialized.substring("data:".length()); // 3
    int comma = input.indexOf(','); // 5, 7
    if (comma < 0) {
      return null;
    }
    String mimeType = HttpText.trim(input.substring(0, comma), "\t\n\f\r "); // 6
    byte[] body = PercentEncoding.percentDecode(input.substring(comma + 1)); // 9, 10
    int marker = base64Marker(mimeType);
    if (marker >= 0) { // 11
      body = ForgivingBase64.decodeBytes(isomorphicDecode(body)); // 11.1, 11.2
      if (body == null) {
        return null; // 11.3
      }
      mimeType = mimeType.substring(0, marker); // 11.4 to 11.6
    }
    if (mimeType.startsWith(";")) { // 12
      mimeType = "text/plain" + mimeType;
    }
    MimeType record = MimeType.parse(mimeType); // 13
    return new DataUrl(record == null ? DEFAULT_TYPE : record, ByteSequence.of(body)); // 14, 15
  }

  /** Returns the index of a final ";base64" (spaces may follow the semicolon); -1 for none. */
  private static int base64Marker(String mimeType) {
    int word = mimeType.length() - "base64".length();
    if (word < 1 || !mimeType.regionMatches(true, word, "base64", 0, "base64".length())) {
      return -1;
    }
    int before = word - 1;
    while (before > 0 && mimeType.charAt(before) == ' ') {
      before--;
    }
    return mimeType.charAt(before) == ';' ? before : -1;
  }

  /** <a href="https://infra.spec.whatwg.org/#isomorphic-decode">isomorphic decode</a> */
  private static String isomorphicDecode(byte[] bytes) {
    char[] units = new char[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      units[i] = (char) (bytes[i] & 0xFF);
    }
    return new String(units);
  }
}
