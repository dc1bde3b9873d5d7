package dev.weblocks.idl;

/**
 * Thrown when IDL texts follow the grammar, but taken together are not a <a
 * href="https://webidl.spec.whatwg.org/#dfn-conforming-set-of-idl-fragments">conforming set of IDL
 * fragments</a>. The message begins with source, line and column, and may suggest a remedy.
 */
public final class IdlModelException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient SourcePosition position;

  IdlModelException(SourcePosition position, String problem) {
    super(position + ": " + problem);
    this.position = position;
  }

  /** Returns where the offending definition, member or type name begins. */
  public SourcePosition position() {
    return position;
  }
}
