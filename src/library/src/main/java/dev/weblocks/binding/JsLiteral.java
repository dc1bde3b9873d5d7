package dev.weblocks.binding;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The writer of Java data as a JavaScript expression: maps as objects, lists as arrays. */
final class JsLiteral {

  private final StringBuilder out = new StringBuilder();

  private JsLiteral() {}

  static String of(@Nullable Object value) {
    JsLiteral literal = new JsLiteral();
    literal.write(value);
    return literal.out.toString();
  }

  /** Returns a string as a literal. */
  static String text(String string) {
    return of(string);
  }

  /** Returns a name as the key of a property in an object literal. */
  static String key(String name) {
    return isIdentifier(name) ? name : of(name);
  }

  /** Returns the access to a property, without the object. */
  static String member(String name) {
    return isIdentifier(name) ? "." + name : "[" + of(name) + "]";
  }

  private static boolean isIdentifier(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z'
          || c >= 'A' && c <= 'Z'
          || c == '_'
          || i > 0 && c >= '0' && c <= '9')) {
        return false;
      }
    }
    return true;
  }

  /** An expression that is written unchanged. */
  record Raw(String code) {}

  private void write(@Nullable Object value) {
    switch (value) {
      case null -> out.append("null");
      case Raw raw -> out.append(raw.code());
      case String string -> writeString(string);
      case Boolean bool -> out.append(bool);
      case Number number -> out.append(number);
      case List<?> list -> {
        String separator = "[";
        for (Object item : list) {
          out.append(separator);
          write(item);
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case Map<?, ?> map -> {
        out.append("{__proto__:null");
        map.forEach((key, item) -> {
          out.append(',');
          writeString(String.valueOf(key));
          out.append(':');
          write(item);
        });
        out.append('}');
      }
      default ->
          throw new IllegalArgumentException(
              "cannot convert a " + value.getClass().getName() + " to a JavaScript literal");
    }
  }

  private void writeString(String string) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
