package dev.weblocks.idl;

/**
 * Thrown when an IDL text does not follow the grammar. The message contains source, line and
 * column, the expected tokens and the token found.
 */
public final class IdlSyntaxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient SourcePosition position;
  private final String expected;
  private final String found;

  IdlSyntaxException(SourcePosition position, String expected, String found) {
    super(position + ": expected " + expected + " but found " + found);
    this.position = position;
    this.expected = expected;
    this.found = found;
  }

  /** Returns where the offending token begins. */
  public SourcePosition position() {
    return position;
  }

  /** Returns a description of the tokens that the grammar allows instead of the one found. */
  public String expected() {
    return expected;
  }

  /** Returns a description of the offending token. */
  public String found() {
    return found;
  }
}
