package dev.weblocks.fetch;

import dev.weblocks.file.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of {@code multipart/form-data} in browsers: names are in UTF-8, with quotes and line
 * ends percent-encoded.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7578">RFC 7578</a>
 */
final class Multipart {

  /**
   * A part.
   *
   * @param filename null if the part is not a file
   * @param type the type of the file; {@code text/plain} if the part has no Content-Type
   */
  record Part(String name, @Nullable String filename, String type, ByteSequence body) {}

  /** The whole input, one character per byte. */
  private final String text;

  private final ByteSequence bytes;
  private int position;

  // of the part that is being read
  private @Nullable String name;
  private @Nullable String filename;
  private String type = "";

  private Multipart(ByteSequence bytes) {
    this.bytes = bytes;
    this.text = new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
  }

  /** Returns a text with all line ends replaced by CRLF. */
  static String withCrlf(String value) {
    return value.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
  }

  /** Returns a name with quotes and line ends percent-encoded. */
  static String escape(String value) {
    return value.replace("\n", "%0A").replace("\r", "%0D").replace("\"", "%22");
  }

  /**
   * Returns all parts; null if the input is malformed.
   *
   * @throws OutOfMemoryError if a second copy of the bytes does not fit into memory
   */
  static @Nullable List<Part> parse(ByteSequence bytes, String boundary) {
    return new Multipart(bytes).parts("--" + boundary);
  }

  private @Nullable List<Part> parts(String delimiter) {
    List<Part> parts = new ArrayList<>();
    while (take(delimiter)) {
      if (take("--")) {
        return parts;
      }
      skipTabAndSpace();
      if (!take("\r\n") || !takeHeaders() || name == null) {
        return null;
      }
      int end = text.indexOf("\r\n" + delimiter, position);
      if (end < 0) {
        return null;
      }
      parts.add(new Part(name, filename, type, bytes.slice(position, end)));
      position = end + 2;
    }
    return null;
  }

  private boolean take(String expected) {
    if (!text.startsWith(expected, position)) {
      return false;
    }
    position += expected.length();
    return true;
  }

  private void skipTabAndSpace() {
    while (position < text.length() && "\t ".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  /** Reads the headers of a part and the empty line after them; false if they are malformed. */
  private boolean takeHeaders() {
    name = null;
    filename = null;
    type = "text/plain";
    while (!take("\r\n")) {
      int end = text.indexOf("\r\n", position);
      int colon = text.indexOf(':', position);
      if (end < 0 || colon < 0 || colon > end) {
        return false;
      }
      String headerName = HttpText.trimTabOrSpace(text.substring(position, colon));
      String value = HttpText.trimTabOrSpace(text.substring(colon + 1, end));
      position = end + 2;
      if (!HttpText.isToken(headerName)) {
        return false;
      }
      switch (headerName.toLowerCase(Locale.ROOT)) {
        case "content-disposition" -> {
          if (!takeDisposition(value)) {
            return false;
          }
        }
        case "content-type" -> type = value.chars().allMatch(each -> each < 0x80) ? value : "";
        default -> {
          // irrelevant for a form
        }
      }
    }
    return true;
  }

  /** Reads a Content-Disposition; returns false unless it is {@code form-data} with a name. */
  private boolean takeDisposition(String value) {
    int at = value.indexOf(';');
    if (at < 0 || !HttpText.trimTabOrSpace(value.substring(0, at)).equalsIgnoreCase("form-data")) {
      return false;
    }
    while (at >= 0 && at < value.length()) {
      int equals = value.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      String parameter =
          HttpText.trimTabOrSpace(value.substring(at + 1, equals)).toLowerCase(Locale.ROOT);
      String content;
      if (value.startsWith("\"", equals + 1)) {
        int quote = value.indexOf('"', equals + 2);
        if (quote < 0) {
          return false;
        }
        content = value.substring(equals + 2, quote);
        at = value.indexOf(';', quote);
      } else {
        at = value.indexOf(';', equals);
        content =
            HttpText.trimTabOrSpace(value.substring(equals + 1, at < 0 ? value.length() : at));
      }
      if (parameter.equals("name")) {
        name = unescape(content);
      } else if (parameter.equals("filename")) {
        filename = unescape(content);
      }
    }
    return name != null;
  }

  private static String unescape(String content) {
    return ByteSequence.of(
            content
                .replaceAll("(?i)%0A", "\n")
                .replaceAll("(?i)%0D", "\r")
                .replace("%22", "\"")
                .getBytes(StandardCharsets.ISO_8859_1))
        .utf8DecodeWithoutBom();
  }
}
