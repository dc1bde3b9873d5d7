package dev.weblocks.idl;

import org.jspecify.annotations.Nullable;

/**
 * An argument of an operation, constructor, callback function or extended attribute.
 *
 * @param type its type. Extended attributes of a required argument belong to the type if they are
 *     applicable to types, as in the standard
 * @param defaultValue its default value, or null if none is written
 * @param extendedAttributes the extended attributes of the argument itself, not of its type
 * @see <a href="https://webidl.spec.whatwg.org/#idl-operations">Operations</a>
 */
public record Argument(
    String name,
    IdlType type,
    boolean optional,
    boolean variadic,
    @Nullable IdlLiteral defaultValue,
    ExtendedAttributes extendedAttributes,
    SourcePosition position) {

  /**
   * Returns whether a caller may omit the argument: it is {@code optional} or variadic.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-optional-argument">optional argument</a>
   */
  public boolean mayBeOmitted() {
    return optional || variadic;
  }

  Argument withType(IdlType newType) {
    return new Argument(
        name, newType, optional, variadic, defaultValue, extendedAttributes, position);
  }
}
