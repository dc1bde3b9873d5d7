package dev.weblocks.html;

import dev.weblocks.encoding.Encoding;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.MimeType;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the encoding of a document or a classic script. Nothing is guessed from the text
 * itself.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding">HTML:
 *     determining the character encoding</a>
 */
final class EncodingSniffing {

  private EncodingSniffing() {}

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm">encoding
   * sniffing algorithm</a>, for documents of any type
   *
   * @param type null if the response names none; then the document is HTML
   * @param parent the encoding of the container document if it has the same origin; else null
   */
  static Encoding sniff(byte[] bytes, @Nullable MimeType type, @Nullable Encoding parent) {
    Encoding marked = bomSniff(bytes);
    if (marked != null) { // 1
      return marked;
    }
    Encoding declared = legacyExtract(type, null);
    if (declared != null) { // 4
      return declared;
    }
    if (type != null && type.isXml()) { // https://www.w3.org/TR/xml/#charencoding
      Encoding ofXml = MetaPrescan.xmlEncoding(bytes);
      return ofXml == null ? Encoding.UTF_8 : ofXml;
    }
    if (type != null
        && type.isJson()) { // https://datatracker.ietf.org/doc/html/rfc8259#section-8.1
      return Encoding.UTF_8;
    }
    if (type == null || type.essence().equals("text/html")) { // 5
      Encoding found = MetaPrescan.prescan(bytes);
      if (found != null) {
        return found;
      }
    }
    if (parent != null && parent != Encoding.UTF_16BE && parent != Encoding.UTF_16LE) { // 6
      return parent;
    }
    return Encoding.WINDOWS_1252; // 9, for a locale that the table does not list
  }

  /** <a href="https://encoding.spec.whatwg.org/#bom-sniff">BOM sniff</a>; null for none */
  private static @Nullable Encoding bomSniff(byte[] bytes) {
    int first = at(bytes, 0);
    int second = at(bytes, 1);
    if (first == 0xEF && second == 0xBB && at(bytes, 2) == 0xBF) {
      return Encoding.UTF_8;
    }
    if (first == 0xFE && second == 0xFF) {
      return Encoding.UTF_16BE;
    }
    return first == 0xFF && second == 0xFE ? Encoding.UTF_16LE : null;
  }

  private static int at(byte[] bytes, int index) {
    return index < bytes.length ? bytes[index] & 0xFF : -1;
  }

  /** Returns the encoding of a classic script with the given response. */
  static Encoding ofScript(FetchResponse response, Encoding fallback) {
    Encoding declared = legacyExtract(response.mimeType(), fallback);
    return declared == null ? fallback : declared;
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#legacy-extract-an-encoding">legacy extract an
   * encoding</a>
   */
  private static @Nullable Encoding legacyExtract(
      @Nullable MimeType type, @Nullable Encoding fallback) {
    String label = type == null ? null : type.parameters().get("charset");
    Encoding tentative = label == null ? null : Encoding.get(label); // 1 to 3
    return tentative == null ? fallback : tentative; // 4 and 5
  }
}
