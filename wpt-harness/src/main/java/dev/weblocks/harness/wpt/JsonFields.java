package dev.weblocks.harness.wpt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the fields of objects in a report, which another machine or another person may
 * have written. All functions throw {@link WrongFieldException} for a value of another type.
 */
public final class JsonFields {

  /** Thrown for a field that does not have the needed value. The message is one line. */
  public static final class WrongFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public WrongFieldException(String message) {
      super(message);
    }
  }

  private JsonFields() {}

  public static String text(JsonNode node, String key) {
    return of(node, key, JsonNodeType.STRING).asText();
  }

  /** Returns the string; null if the field is missing or null. */
  public static @Nullable String textOrNull(JsonNode node, String key) {
    return isAbsent(node, key) ? null : text(node, key);
  }

  public static boolean flag(JsonNode node, String key) {
    return of(node, key, JsonNodeType.BOOLEAN).asBoolean();
  }

  /** Returns the count, which is 0 or more. */
  public static int count(JsonNode node, String key) {
    JsonNode value = of(node, key, JsonNodeType.NUMBER);
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 0) {
      throw wrong(key, "no count");
    }
    return value.asInt();
  }

  /** Returns the integer. */
  public static long integer(JsonNode node, String key) {
    JsonNode value = of(node, key, JsonNodeType.NUMBER);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw wrong(key, "no integer");
    }
    return value.asLong();
  }

  /** Returns the number of seconds, which is 0 or more, and less than 300 years. */
  public static double seconds(JsonNode node, String key) {
    double value = of(node, key, JsonNodeType.NUMBER).asDouble();
    if (!(value >= 0 && value <= 9e9)) {
      throw wrong(key, "no number of seconds");
    }
    return value;
  }

  /** Returns the value of an enumeration with this name, in any case of letters. */
  public static <E extends Enum<E>> E name(Class<E> type, JsonNode node, String key) {
    return name(type, key, text(node, key));
  }

  /** Returns the value of an enumeration with the name that a field has, in any case of letters. */
  public static <E extends Enum<E>> E name(Class<E> type, String key, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> wrong(key, "unknown: '" + text + "'"));
  }

  public static JsonNode list(JsonNode node, String key) {
    return of(node, key, JsonNodeType.ARRAY);
  }

  public static JsonNode object(JsonNode node, String key) {
    return of(node, key, JsonNodeType.OBJECT);
  }

  public static List<String> texts(JsonNode node, String key) {
    List<String> texts = new ArrayList<>();
    for (JsonNode each : list(node, key)) {
      if (!each.isTextual()) {
        throw wrong(key, "a list with other values than strings");
      }
      texts.add(each.asText());
    }
    return texts;
  }

  /** Throws if a number in a report differs from what the report has. */
  public static void requireEqual(String what, long stated, long found) {
    if (stated != found) {
      throw new WrongFieldException("it states " + what + " " + stated + ", and has " + found);
    }
  }

  /** Returns whether a field is missing or null. */
  public static boolean isAbsent(JsonNode node, String key) {
    return node.path(key).isMissingNode() || node.path(key).isNull();
  }

  private static JsonNode of(JsonNode node, String key, JsonNodeType type) {
    JsonNode value = node.path(key);
    if (value.getNodeType() != type) {
      throw wrong(
          key, value.isMissingNode() ? "missing" : "no " + type.name().toLowerCase(Locale.ROOT));
    }
    return value;
  }

  private static WrongFieldException wrong(String key, String how) {
    return new WrongFieldException("\"" + key + "\" is " + how);
  }
}
