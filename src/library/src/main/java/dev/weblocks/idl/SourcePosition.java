package dev.weblocks.idl;

/**
 * A place in an IDL text.
 *
 * @param source name of the text, as given to {@link IdlParser#parse}
 * @param line line, counted from 1; a line ends with a line feed
 * @param column column, counted from 1 in UTF-16 code units; a tab counts as one
 */
public record SourcePosition(String source, int line, int column) {

  /** Returns {@code source:line:column}, the form that error messages begin with. */
  @Override
  public String toString() {
    return source + ":" + line + ":" + column;
  }
}
