package dev.weblocks.messaging;

import org.graalvm.polyglot.Value;

/**
 * The kind of an object according to the engine. A page cannot influence it by changing prototypes
 * or properties, and finding it runs no code of a page. {@code structured-clone.js} uses the
 * ordinals of the constants.
 *
 * <p>JavaScript has no operation that returns this kind. Most internal slots are visible through
 * methods that throw if a slot is missing. For iterators and generators each such method has side
 * effects, and proxies are not visible at all. But the engine's text for a value begins with the
 * class of the object, and that of a date with its year. For an object deep inside others the text
 * omits the contents, so it is short and costs the same for every object. An unknown text means
 * {@link #OTHER}, which is refused.
 */
enum ObjectKind {
  /** Anything else: a proxy, or an object with slots that structured serialization refuses. */
  OTHER,
  ORDINARY,
  /**
   * An object that the engine calls "Object": a BigInt object, {@code Object.prototype}, the groups
   * of a regular expression match, raw JSON, an iterator helper.
   */
  NAMED_OBJECT,
  BOOLEAN,
  NUMBER,
  STRING,
  DATE,
  REG_EXP,
  BUFFER,
  SHARED_BUFFER,
  MAP,
  SET;

  private static final String BEFORE = "{a: {a: {a: ";

  /**
   * Returns the kind of an object that is not an array, an error or an ArrayBuffer view.
   *
   * @param shown the value inside three nested objects without prototype, as in {@code {a: {a: {a:
   *     value}}}}
   */
  static ObjectKind of(Value value, Value shown) {
    String text = shown.toString();
    if (!text.startsWith(BEFORE)) {
      return OTHER;
    }
    int at = BEFORE.length();
    return switch (text.charAt(at)) {
      case '{' -> ORDINARY;
      case '/' -> REG_EXP;
      case 'O' -> when(text, "Object{", NAMED_OBJECT);
      case 'B' -> when(text, "Boolean{", BOOLEAN);
      case 'N' -> when(text, "Number{", NUMBER);
      case 'A' -> when(text, "ArrayBuffer{", BUFFER);
      case 'M' -> when(text, "Map(", MAP);
      case 'I' -> when(text, "Invalid Date}", DATE);
      case 'S' ->
          text.startsWith("Set(", at)
              ? SET
              : text.startsWith("String{", at)
                  ? STRING
                  : when(text, "SharedArrayBuffer{", SHARED_BUFFER);
      // a valid date, not an instant of Temporal, which Date's methods and isInstant() accept too
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-' ->
          value.isInstant() ? DATE : OTHER;
      default -> OTHER;
    };
  }

  private static ObjectKind when(String text, String begin, ObjectKind kind) {
    return text.startsWith(begin, BEFORE.length()) ? kind : OTHER;
  }
}
