package dev.weblocks.binding;

import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The exception that Java code throws to make script throw. The binding creates the JavaScript
 * exception in the realm of the function that script called.
 */
public final class ScriptException extends RuntimeException {

  private static final long serialVersionUID = 1;

  enum Kind {
    TYPE_ERROR,
    RANGE_ERROR,
    DOM_EXCEPTION,
    VALUE
  }

  private final Kind kind;
  private final String name;
  private final transient @Nullable Value value;

  private ScriptException(Kind kind, String name, String message, @Nullable Value value) {
    super(message, null, false, false);
    this.kind = kind;
    this.name = name;
    this.value = value;
  }

  /** Returns a {@code TypeError}. */
  public static ScriptException typeError(String message) {
    return new ScriptException(Kind.TYPE_ERROR, "TypeError", message, null);
  }

  /** Returns a {@code RangeError}. */
  public static ScriptException rangeError(String message) {
    return new ScriptException(Kind.RANGE_ERROR, "RangeError", message, null);
  }

  /**
   * Returns a {@code DOMException}.
   *
   * @param name one of the names of the standard, such as {@code AbortError}
   * @see <a href="https://webidl.spec.whatwg.org/#idl-DOMException-error-names">Web IDL</a>
   */
  public static ScriptException dom(String name, String message) {
    return new ScriptException(Kind.DOM_EXCEPTION, name, message, null);
  }

  /** Returns an exception that makes script throw the given value. */
  public static ScriptException of(Value value) {
    return new ScriptException(Kind.VALUE, "", "a script value", value);
  }

  Kind kind() {
    return kind;
  }

  String errorName() {
    return name;
  }

  String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  Value thrownValue() {
    if (value == null) {
      throw new IllegalStateException("an exception of kind " + kind + " has no value");
    }
    return value;
  }
}
