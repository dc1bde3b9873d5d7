package dev.weblocks.fetch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A MIME type.
 *
 * @param essence type and subtype, in lower case
 * @param parameters by lower-case name, in order
 * @see <a href="https://mimesniff.spec.whatwg.org/#mime-type-representation">MIME Sniffing</a>
 */
public record MimeType(String essence, Map<String, String> parameters) {

  /** <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME types</a> */
  private static final Set<String> JAVASCRIPT =
      Set.of(
          """
          application/ecmascript application/javascript application/x-ecmascript
          application/x-javascript text/ecmascript text/javascript text/javascript1.0
          text/javascript1.1 text/javascript1.2 text/javascript1.3 text/javascript1.4
          text/javascript1.5 text/jscript text/livescript text/x-ecmascript text/x-javascript
          """
              .split("\\s+"));

  private static final String WHITESPACE = "\t\n\r ";

  /** <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME type</a> */
  boolean isJavaScript() {
    return isJavaScript(essence);
  }

  /** Returns whether an essence, in lower case, is that of a JavaScript MIME type. */
  public static boolean isJavaScript(String essence) {
    return JAVASCRIPT.contains(essence);
  }

  /** <a href="https://mimesniff.spec.whatwg.org/#json-mime-type">JSON MIME type</a> */
  public boolean isJson() {
    return essence.endsWith("+json")
        || essence.equals("application/json")
        || essence.equals("text/json");
  }

  /** <a href="https://mimesniff.spec.whatwg.org/#xml-mime-type">XML MIME type</a> */
  public boolean isXml() {
    return essence.endsWith("+xml")
        || essence.equals("text/xml")
        || essence.equals("application/xml");
  }

  /**
   * <a href="https://mimesniff.spec.whatwg.org/#parse-a-mime-type">parse a MIME type</a>; null for
   * failure
   */
  public static @Nullable MimeType parse(String raw) {
    String input = HttpText.trim(raw, WHITESPACE); // 1
    int slash = input.indexOf('/');
    if (slash < 0) {
      return null; // 5
    }
    int end = indexOf(input, ';', slash);
    String type = input.substring(0, slash); // 3
    String subtype = trimEnd(input.substring(slash + 1, end)); // 7, 8
    if (!HttpText.isToken(type) || !HttpText.isToken(subtype)) {
      return null; // 4, 9
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    int position = end;
    int equals = -1; // the next one after the position, searched for only behind the last one
    while (position < input.length()) { // 11
      position++; // 11.1
      while (position < input.length() && WHITESPACE.indexOf(input.charAt(position)) >= 0) {
        position++; // 11.2
      }
      if (equals < position) {
        equals = indexOf(input, '=', position);
      }
      int nameEnd = Math.min(indexOf(input, ';', position), equals);
      String name = input.substring(position, nameEnd); // 11.3
      position = nameEnd;
      if (position >= input.length()) {
        break; // 11.6
      }
      if (input.charAt(position) == ';') {
        continue; // 11.5.1
      }
      position++; // 11.5.2
      String value;
      if (position < input.length() && input.charAt(position) == '"') { // 11.8
        StringBuilder quoted = new StringBuilder();
        position++;
        while (position < input.length() && input.charAt(position) != '"') {
          if (input.charAt(position) == '\\' && position + 1 < input.length()) {
            position++;
          }
          quoted.append(input.charAt(position));
          position++;
        }
        value = quoted.toString();
        position = indexOf(input, ';', position);
      } else { // 11.9
        int valueEnd = indexOf(input, ';', position);
        value = trimEnd(input.substring(position, valueEnd));
        position = valueEnd;
        if (value.isEmpty()) {
          continue;
        }
      }
      if (HttpText.isToken(name) && value.chars().allMatch(MimeType::isQuotedStringCharacter)) {
        parameters.putIfAbsent(name.toLowerCase(Locale.ROOT), value); // 11.4, 11.10
      }
    }
    return new MimeType((type + "/" + subtype).toLowerCase(Locale.ROOT), parameters);
  }

  private static int indexOf(String text, char character, int from) {
    int index = text.indexOf(character, from);
    return index < 0 ? text.length() : index;
  }

  private static String trimEnd(String text) {
    int end = text.length();
    while (end > 0 && WHITESPACE.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end);
  }

  private static boolean isQuotedStringCharacter(int c) {
    return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xFF);
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-header-extract-mime-type">extract a MIME
   * type</a>; null for failure
   */
  public static @Nullable MimeType extract(HeaderList headers) {
    String charset = null; // 1
    String essence = null; // 2
    MimeType mimeType = null; // 3
    List<String> values = headers.getDecodeAndSplit("Content-Type"); // 4
    if (values == null) {
      return null; // 5
    }
    for (String value : values) { // 6
      MimeType temporary = parse(value); // 6.1
      if (temporary == null || temporary.essence.equals("*/*")) {
        continue; // 6.2
      }
      mimeType = temporary; // 6.3
      if (!temporary.essence.equals(essence)) { // 6.4
        charset = temporary.parameters.get("charset");
        essence = temporary.essence;
      } else if (charset != null) { // 6.5
        temporary.parameters.putIfAbsent("charset", charset);
      }
    }
    return mimeType;
  }

  /**
   * <a href="https://mimesniff.spec.whatwg.org/#serialize-a-mime-type">serialize a MIME type</a>
   */
  public String serialize() {
    StringBuilder text = new StringBuilder(essence);
    parameters.forEach((name, value) -> {
      text.append(';').append(name).append('=');
      if (HttpText.isToken(value)) {
        text.append(value);
      } else {
        text.append('"').append(value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      }
    });
    return text.toString();
  }
}
