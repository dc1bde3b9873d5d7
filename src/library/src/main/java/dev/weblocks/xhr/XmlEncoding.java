package dev.weblocks.xhr;

import dev.weblocks.encoding.Encoding;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parser of the encoding declaration of an XML document. It ignores byte order marks, which the
 * decoder handles.
 *
 * @see <a href="https://www.w3.org/TR/xml/#charencoding">XML: Character Encoding in Entities</a>
 */
final class XmlEncoding {

  /** The number of bytes to search: an XML declaration is at the very start, and short. */
  private static final int MOST = 1024;

  private static final Pattern DECLARATION =
      Pattern.compile(
          "^<\\?xml[\\t\\n\\r ][^>?]*[\\t\\n\\r ]encoding[\\t\\n\\r ]*=[\\t\\n\\r ]*"
              + "[\"']([A-Za-z0-9._-]+)[\"']");

  private XmlEncoding() {}

  /** Returns the declared encoding; null if there is none, or its label is unknown. */
  static @Nullable Encoding of(byte[] document) {
    String start =
        new String(document, 0, Math.min(MOST, document.length), StandardCharsets.ISO_8859_1);
    Matcher matcher = DECLARATION.matcher(start);
    return matcher.find() ? Encoding.get(matcher.group(1)) : null;
  }
}
