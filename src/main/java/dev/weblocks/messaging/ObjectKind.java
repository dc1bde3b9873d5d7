package dev.weblocks.messaging;

import org.graalvm.polyglot.Value;

/**
 * What the engine says an object is, whatever a page has done to its prototype or properties, and
 * without running any code of a page. {@code structured-clone.js} knows the constants by their
 * order.
 *
 * <p>JavaScript has no such question: most internal slots show only in a method that throws without
 * them, those of iterators and generators in none that has no effect, and proxies in nothing. The
 * engine's text for a value begins with the class of the object; deep inside other objects it
 * leaves the contents out, so that it is short and costs the same for every object. A text that is
 * not known means {@link #OTHER}, which is refused.
 */
enum ObjectKind {
  /** Anything else: a proxy, or an object with slots that structured serialization refuses. */
  OTHER,
  /** An ordinary object. */
  ORDINARY,
  /**
   * An object that the engine calls "Object": a BigInt object, {@code Object.prototype}, the groups
   * of a match, raw JSON, an iterator helper.
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
   * The kind of an object that is no array, no error and no view.
   *
   * @param shown an object without prototype whose only property {@code a} is such an object whose
   *     {@code a} is such an object whose {@code a} is the value
   */
  static ObjectKind of(Value value, Value shown) {
    if (value.isInstant()) {
      return DATE;
    }
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
      default -> OTHER;
    };
  }

  private static ObjectKind when(String text, String begin, ObjectKind kind) {
    return text.startsWith(begin, BEFORE.length()) ? kind : OTHER;
  }
}
