package dev.weblocks.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The scanner for the specifiers in a module's text, so that imports can be fetched before the
 * engine loads them. The engine parses the text itself: a module whose specifier is overlooked here
 * is fetched later; text mistaken for a specifier causes an unnecessary fetch.
 *
 * @see <a href="https://tc39.es/ecma262/#sec-static-semantics-modulerequests">ModuleRequests</a>
 */
final class ModuleRequests {

  /**
   * A specifier.
   *
   * @param start index of its first character in the text
   * @param specifier as written, with escape sequences not decoded
   * @param type the value of the attribute {@code type}; empty without it; null if an {@code
   *     import()} call does not show it
   * @param dynamic whether it begins the argument of an {@code import()} call
   */
  record Request(int start, String specifier, @Nullable String type, boolean dynamic) {

    boolean json() {
      return "json".equals(type);
    }
  }

  /** An {@code import()} call after a specifier that is its first argument. */
  private static final Pattern REST_OF_CALL =
      Pattern.compile(
          ("_*(,_*({_*(?<w>['\"]?)with\\k<w>_*:_*{_*(?<t>['\"]?)type\\k<t>_*:_*(?<q>['\"])(?<type>\\w*)\\k<q>"
                  + "_*,?_*}_*,?_*}_*,?_*)?)?[)]")
              .replace("_*", "\\s*+")
              .replace("{", "\\{"));

  private static final Pattern CALL = Pattern.compile("\\bimport\\s*+[(/]");

  private enum Kind {
    END,
    WORD,
    STRING,
    TEMPLATE,
    NUMBER,
    REGULAR_EXPRESSION,
    PUNCTUATOR
  }

  private record Token(Kind kind, int start, int end) {}

  private record Open(char bracket, boolean beforeExpression) {}

  /** Words after which an expression begins. */
  private static final Set<String> BEFORE_EXPRESSION =
      Set.of(
          """
          await case delete do else extends in instanceof new of return throw typeof void yield
          default
          """
              .split("\\s+"));

  /** Keywords that are followed by parentheses and then by a statement. */
  private static final Set<String> WITH_HEAD = Set.of("if", "while", "for", "with");

  private final String text;
  private final List<Request> found = new ArrayList<>();
  private final List<Open> open = new ArrayList<>();
  private int position;
  private Token last = new Token(Kind.END, 0, 0);

  /** Whether a slash at the current position would begin a regular expression. */
  private boolean expressionFollows = true;

  private ModuleRequests(String text) {
    this.text = text;
  }

  /** Finds all specifiers of a module or script, in order. */
  static List<Request> of(String text) {
    if (!text.contains("import") && !text.contains("export")) {
      return List.of();
    }
    ModuleRequests run = new ModuleRequests(text);
    run.scan();
    return List.copyOf(run.found);
  }

  /**
   * Returns whether a script may have an {@code import()} call with a type: quickly, unlike a scan.
   */
  static boolean mayHaveTypedCall(String text) {
    return text.contains("with") && CALL.matcher(text).find();
  }

  private void scan() {
    if (text.startsWith("#!")) {
      skipLine();
    }
    Token before = last;
    Token token;
    while ((token = next()).kind != Kind.END) {
      if (token.kind == Kind.WORD && !is(before, ".")) {
        if (is(token, "import")) {
          token = importing();
        } else if (is(token, "export") && open.isEmpty()) {
          token = exporting();
        }
      }
      before = token;
    }
  }

  /** Finds the specifier after the keyword {@code import}, if any; returns the last token read. */
  private Token importing() {
    boolean topLevel = open.isEmpty();
    Token token = next();
    if (is(token, "(")) {
      Token argument = peek();
      if (argument.kind == Kind.STRING || argument.kind == Kind.TEMPLATE) {
        found.add(
            new Request(argument.start + 1, content(argument), typeInCall(argument.end), true));
      }
      return token;
    }
    if (!topLevel || is(token, ".")) {
      return token;
    }
    return token.kind == Kind.STRING ? specifier(token) : fromClause(token);
  }

  private @Nullable String typeInCall(int afterSpecifier) {
    Matcher rest = REST_OF_CALL.matcher(text).region(afterSpecifier, text.length());
    return rest.lookingAt() ? Objects.requireNonNullElse(rest.group("type"), "") : null;
  }

  private Token exporting() {
    Token token = next();
    return is(token, "{") || is(token, "*") ? fromClause(token) : token;
  }

  /** Finds the specifier after an import or export clause, if any; returns the last token read. */
  private Token fromClause(Token first) {
    Token token = first;
    while (token.kind == Kind.WORD
        || (token.kind == Kind.STRING && !open.isEmpty())
        || is(token, "{")
        || is(token, "}")
        || is(token, ",")
        || is(token, "*")) {
      if (is(token, "from") && open.isEmpty() && peek().kind == Kind.STRING) {
        return specifier(next());
      }
      if (is(token, "}") && open.isEmpty() && !is(peek(), "from")) {
        return token; // a list of local exports
      }
      token = next();
    }
    return token;
  }

  private Token specifier(Token token) {
    String type = "";
    Token at = token;
    if (is(peek(), "with")) {
      at = next();
      String previous = "";
      while (at.kind != Kind.END && !is(at, "}")) {
        at = next();
        if (at.kind == Kind.STRING) {
          type = previous.equals("type") ? content(at) : type;
          previous = content(at).equals("type") ? "type" : "";
        } else if (at.kind == Kind.WORD) {
          previous = text.substring(at.start, at.end);
        }
      }
    }
    found.add(new Request(token.start + 1, content(token), type, false));
    return at;
  }

  /** Returns the text between the quotation marks; of a template, up to its first expression. */
  private String content(Token quoted) {
    int ending = text.charAt(quoted.end - 1) == '{' ? 2 : 1;
    return text.substring(quoted.start + 1, Math.max(quoted.start + 1, quoted.end - ending));
  }

  private boolean is(Token token, String expected) {
    return token.end - token.start == expected.length()
        && (token.kind == Kind.WORD || token.kind == Kind.PUNCTUATOR)
        && text.startsWith(expected, token.start);
  }

  private Token peek() {
    int mark = position;
    Token lastBefore = last;
    boolean expression = expressionFollows;
    int depth = open.size();
    Open innermost = depth == 0 ? null : open.getLast();
    Token token = next();
    position = mark;
    last = lastBefore;
    expressionFollows = expression;
    // a token closes at most one bracket and then opens at most one
    while (open.size() > Math.max(0, depth - 1)) {
      open.removeLast();
    }
    if (innermost != null) {
      open.add(innermost);
    }
    return token;
  }

  private Token next() {
    skipBlanks();
    int start = position;
    if (start >= text.length()) {
      last = new Token(Kind.END, start, start);
      return last;
    }
    char c = text.charAt(start);
    Kind kind;
    if (c == '\'' || c == '"') {
      string(c);
      kind = Kind.STRING;
      expressionFollows = false;
    } else if (c == '`') {
      position++;
      template();
      kind = Kind.TEMPLATE;
    } else if (isWordPart(c) && !(c >= '0' && c <= '9')) {
      kind = word();
    } else if (c >= '0' && c <= '9') {
      number();
      kind = Kind.NUMBER;
      expressionFollows = false;
    } else if (c == '/' && expressionFollows) {
      regularExpression();
      kind = Kind.REGULAR_EXPRESSION;
      expressionFollows = false;
    } else {
      kind = punctuator(c);
    }
    last = new Token(kind, start, position);
    return last;
  }

  private void skipBlanks() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == '/' && text.startsWith("//", position)) {
        skipLine();
      } else if (c == '/' && text.startsWith("/*", position)) {
        int end = text.indexOf("*/", position + 2);
        position = end < 0 ? text.length() : end + 2;
      } else if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\uFEFF') {
        position++;
      } else {
        return;
      }
    }
  }

  private void skipLine() {
    while (position < text.length() && !isLineTerminator(text.charAt(position))) {
      position++;
    }
  }

  private static boolean isLineTerminator(char c) {
    return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029';
  }

  private static boolean isWordPart(char c) {
    return Character.isUnicodeIdentifierPart(c)
        || c == '$'
        || c == '#'
        || c == '\\'
        || Character.isSurrogate(c);
  }

  private void string(char quote) {
    position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '\\') {
        position++;
      } else if (c == quote || c == '\n' || c == '\r') {
        break;
      }
    }
    position = Math.min(position, text.length());
  }

  /** Reads template text after a grave accent or brace, up to the next expression or the end. */
  private void template() {
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '\\') {
        position++;
      } else if (c == '`') {
        expressionFollows = false;
        break;
      } else if (c == '$' && position < text.length() && text.charAt(position) == '{') {
        position++;
        open.add(new Open('`', false));
        expressionFollows = true;
        break;
      }
    }
    position = Math.min(position, text.length());
  }

  private Kind word() {
    int start = position;
    while (position < text.length() && isWordPart(text.charAt(position))) {
      position++;
    }
    expressionFollows =
        !is(last, ".") && BEFORE_EXPRESSION.contains(text.substring(start, position));
    return Kind.WORD;
  }

  private void number() {
    while (position < text.length()
        && (isWordPart(text.charAt(position)) || text.charAt(position) == '.')) {
      position++;
    }
  }

  private void regularExpression() {
    boolean inClass = false;
    position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '\\') {
        position++;
      } else if (c == '[') {
        inClass = true;
      } else if (c == ']') {
        inClass = false;
      } else if ((c == '/' && !inClass) || isLineTerminator(c)) {
        break;
      }
    }
    position = Math.min(position, text.length());
    while (position < text.length() && isWordPart(text.charAt(position))) {
      position++;
    }
  }

  private Kind punctuator(char c) {
    position++;
    switch (c) {
      case '(' -> {
        boolean head =
            last.kind == Kind.WORD && WITH_HEAD.contains(text.substring(last.start, last.end));
        open.add(new Open(c, head));
        expressionFollows = true;
      }
      case '[' -> {
        open.add(new Open(c, false));
        expressionFollows = true;
      }
      case '{' -> {
        // after an object literal, unlike after a block, the expression continues
        boolean object = expressionFollows && !beginsStatement();
        open.add(new Open(c, !object));
        expressionFollows = true;
      }
      case ')', ']', '}' -> {
        Open closed = open.isEmpty() ? null : open.removeLast();
        if (closed != null && closed.bracket == '`' && c == '}') {
          template();
          return Kind.TEMPLATE;
        }
        expressionFollows = closed == null || closed.beforeExpression;
      }
      case '+', '-' -> {
        boolean twice = position < text.length() && text.charAt(position) == c;
        if (twice) {
          position++; // postfix or prefix: expressionFollows stays as it is
        } else {
          expressionFollows = true;
        }
      }
      default -> expressionFollows = true;
    }
    return Kind.PUNCTUATOR;
  }

  private boolean beginsStatement() {
    @Nullable Token before = last;
    return before.kind == Kind.END
        || is(before, ";")
        || is(before, "{")
        || is(before, "}")
        || is(before, ")")
        || is(before, "else")
        || is(before, "do")
        || (is(before, ">") && before.start > 0 && text.charAt(before.start - 1) == '=');
  }
}
