package dev.weblocks.html;

import dev.weblocks.encoding.Encoding;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search for an encoding declaration in the first 1024 bytes of an HTML document.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding">prescan
 *     a byte stream to determine its encoding</a>
 */
final class MetaPrescan {

  private static final int END_CONDITION = 1024;

  /** The end of the bytes, which ends the search. */
  @SuppressWarnings("serial") // has no state
  private static final class EndOfBytes extends RuntimeException {
    EndOfBytes() {
      super(null, null, false, false);
    }
  }

  private record Attribute(String name, String value) {}

  private final byte[] bytes;
  private int position;

  private MetaPrescan(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the declared encoding; null for none. */
  static @Nullable Encoding prescan(byte[] bytes) {
    try {
      return new MetaPrescan(bytes).search();
    } catch (EndOfBytes end) {
      return xmlEncoding(bytes);
    }
  }

  private int at(int index) {
    if (index >= Math.min(bytes.length, END_CONDITION)) {
      throw new EndOfBytes();
    }
    return bytes[index] & 0xFF;
  }

  private int here() {
    return at(position);
  }

  private static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  }

  private static boolean isSpace(int c) {
    return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' ';
  }

  private boolean pointsTo(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (lower(at(position + i)) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Runs steps 3 to 5 of the prescan; throws at the end of the bytes. */
  private @Nullable Encoding search() {
    if (pointsTo("<\0?\0x\0")) { // 3
      return Encoding.UTF_16LE;
    }
    if (pointsTo("\0<\0?\0x")) {
      return Encoding.UTF_16BE;
    }
    for (; ; position++) { // 4 and 5
      if (here() != '<') {
        continue;
      }
      if (pointsTo("<!--")) {
        position += 4;
        while (here() != '>' || at(position - 1) != '-' || at(position - 2) != '-') {
          position++;
        }
      } else if (pointsTo("<meta") && (isSpace(at(position + 5)) || at(position + 5) == '/')) {
        position += 5;
        Encoding found = meta();
        if (found != null) {
          return found;
        }
      } else if (isLetter(at(position + 1))
          || at(position + 1) == '/' && isLetter(at(position + 2))) {
        while (!isSpace(here()) && here() != '>') {
          position++;
        }
        while (getAnAttribute() != null) {}
      } else if (at(position + 1) == '!' || at(position + 1) == '/' || at(position + 1) == '?') {
        while (here() != '>') {
          position++;
        }
      }
    }
  }

  private static boolean isLetter(int c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
  }

  /** Runs the steps for a meta element; null if it declares no encoding. */
  private @Nullable Encoding meta() {
    Set<String> attributeList = new HashSet<>(); // 2
    boolean gotPragma = false; // 3
    boolean needPragma = false; // 4, null while the charset is
    Encoding charset = null; // 5
    boolean isKnown = true;
    Attribute attribute;
    while ((attribute = getAnAttribute()) != null) { // 6
      if (!attributeList.add(attribute.name())) { // 7 and 8
        continue;
      }
      switch (attribute.name()) { // 9
        case "http-equiv" -> gotPragma |= attribute.value().equals("content-type");
        case "content" -> {
          Encoding extracted = extractCharacterEncoding(attribute.value());
          if (extracted != null && charset == null && isKnown) {
            charset = extracted;
            needPragma = true;
          }
        }
        case "charset" -> {
          charset = Encoding.get(attribute.value());
          isKnown = charset != null;
          needPragma = false;
        }
        default -> {}
      }
    }
    if (charset == null || needPragma && !gotPragma) { // 11 to 13
      return null;
    }
    return switch (charset) {
      case UTF_16BE, UTF_16LE -> Encoding.UTF_8; // 14
      case X_USER_DEFINED -> Encoding.WINDOWS_1252; // 15
      default -> charset; // 16
    };
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing">get
   * an attribute</a>; null for none
   */
  private @Nullable Attribute getAnAttribute() {
    while (isSpace(here()) || here() == '/') { // 1
      position++;
    }
    if (here() == '>') { // 2
      return null;
    }
    StringBuilder name = new StringBuilder(); // 3
    while (here() != '=' || name.isEmpty()) { // 4 and 5
      if (isSpace(here())) {
        skipSpaces(); // 6
        break;
      }
      if (here() == '/' || here() == '>') {
        return new Attribute(name.toString(), "");
      }
      name.append((char) lower(here()));
      position++;
    }
    if (here() != '=') { // 7
      return new Attribute(name.toString(), "");
    }
    position++; // 8
    skipSpaces(); // 9
    StringBuilder value = new StringBuilder();
    int quote = here();
    if (quote == '"' || quote == '\'') { // 10
      for (position++; here() != quote; position++) {
        value.append((char) lower(here()));
      }
      position++;
    } else {
      for (; !isSpace(here()) && here() != '>'; position++) { // 11 and 12
        value.append((char) lower(here()));
      }
    }
    return new Attribute(name.toString(), value.toString());
  }

  private void skipSpaces() {
    while (isSpace(here())) {
      position++;
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements">extracting
   * a character encoding from a meta element</a>
   *
   * @param s in lower case
   */
  private static @Nullable Encoding extractCharacterEncoding(String s) {
    int at = 0; // 1
    do {
      at = s.indexOf("charset", at); // 2
      if (at < 0) {
        return null;
      }
      at = pastSpaces(s, at + "charset".length()); // 3
    } while (at >= s.length() || s.charAt(at) != '='); // 4
    at = pastSpaces(s, at + 1); // 5
    if (at == s.length()) { // 6
      return null;
    }
    char quote = s.charAt(at);
    if (quote == '"' || quote == '\'') {
      int end = s.indexOf(quote, at + 1);
      return end < 0 ? null : Encoding.get(s.substring(at + 1, end));
    }
    int end = at;
    while (end < s.length() && !isSpace(s.charAt(end)) && s.charAt(end) != ';') {
      end++;
    }
    return Encoding.get(s.substring(at, end));
  }

  private static int pastSpaces(String s, int from) {
    int at = from;
    while (at < s.length() && isSpace(s.charAt(at))) {
      at++;
    }
    return at;
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/parsing.html#xml-encoding">get an XML
   * encoding</a>; null for failure
   */
  static @Nullable Encoding xmlEncoding(byte[] bytes) {
    StringBuilder start = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, END_CONDITION); i++) {
      start.append((char) (bytes[i] & 0xFF));
    }
    int end = start.indexOf(">");
    if (end < 0 || !start.toString().startsWith("<?xml")) { // 1 to 3
      return null;
    }
    String declaration = start.substring(0, end);
    int at = declaration.indexOf("encoding"); // 4
    if (at < 0) {
      return null;
    }
    at = pastControls(declaration, at + "encoding".length()); // 5 and 6
    if (at == declaration.length() || declaration.charAt(at) != '=') { // 7
      return null;
    }
    at = pastControls(declaration, at + 1); // 8 and 9
    if (at == declaration.length()
        || declaration.charAt(at) != '"' && declaration.charAt(at) != '\'') { // 10 and 11
      return null;
    }
    int close = declaration.indexOf(declaration.charAt(at), at + 1); // 12 and 13
    if (close < 0) {
      return null;
    }
    String potential = declaration.substring(at + 1, close); // 14
    Encoding encoding =
        potential.chars().anyMatch(c -> c <= ' ') ? null : Encoding.get(potential); // 15 and 16
    return encoding == Encoding.UTF_16BE || encoding == Encoding.UTF_16LE // 17
        ? Encoding.UTF_8
        : encoding;
  }

  private static int pastControls(String s, int from) {
    int at = from;
    while (at < s.length() && s.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }
}
