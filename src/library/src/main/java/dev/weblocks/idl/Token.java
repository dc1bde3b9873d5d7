package dev.weblocks.idl;

/**
 * A terminal symbol of the grammar.
 *
 * @param kind its kind
 * @param text the characters as written; for a string, those between the quotation marks
 */
record Token(Kind kind, String text, SourcePosition position) {

  enum Kind {
    INTEGER,
    DECIMAL,
    IDENTIFIER,
    STRING,
    /** A keyword or punctuation of the grammar, or any other single character. */
    TERMINAL,
    END
  }

  boolean is(String terminal) {
    return kind == Kind.TERMINAL && text.equals(terminal);
  }

  boolean isKeyword() {
    return kind == Kind.TERMINAL && Character.isLetter(text.charAt(0));
  }

  String inWords() {
    return switch (kind) {
      case INTEGER -> "the integer " + text;
      case DECIMAL -> "the decimal " + text;
      case IDENTIFIER -> "the identifier \"" + text + "\"";
      case STRING -> "the string \"" + text + "\"";
      case TERMINAL -> isKeyword() ? "the keyword \"" + text + "\"" : "\"" + text + "\"";
      case END -> "the end of the text";
    };
  }

  String asWritten() {
    return kind == Kind.STRING ? '"' + text + '"' : text;
  }
}
