package dev.weblocks.idl;

import dev.weblocks.idl.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokenizer of IDL text. Splits the text into the longest possible terminal symbols.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#idl-grammar">IDL grammar</a>
 */
final class Tokenizer {

  private static final Pattern INTEGER =
      Pattern.compile("-?(?:[1-9][0-9]*+|0[Xx][0-9A-Fa-f]++|0[0-7]*+)");
  private static final Pattern DECIMAL =
      Pattern.compile(
          "-?(?:(?:[0-9]++\\.[0-9]*+|\\.[0-9]++)(?:[Ee][+-]?[0-9]++)?|[0-9]++[Ee][+-]?[0-9]++)");
  private static final Pattern IDENTIFIER = Pattern.compile("[_-]?[A-Za-z][0-9A-Z_a-z-]*+");

  /** The keywords of the grammar; a keyword is an identifier only if it is escaped. */
  private static final Set<String> KEYWORDS =
      Set.of(
          """
          -Infinity ArrayBuffer BigInt64Array BigUint64Array ByteString DOMString DataView
          Float16Array Float32Array Float64Array FrozenArray Infinity Int16Array Int32Array
          Int8Array NaN ObservableArray Promise SharedArrayBuffer USVString Uint16Array
          Uint32Array Uint8Array Uint8ClampedArray any async_iterable async_sequence attribute
          bigint boolean byte callback const constructor deleter dictionary double enum false
          float getter includes inherit interface iterable long maplike mixin namespace null
          object octet optional or partial readonly record required sequence setlike setter
          short static stringifier symbol true typedef undefined unrestricted unsigned
          """
              .split("\\s+"));

  /** A limit, since the conversion of an integer takes quadratic time. No type needs more. */
  private static final int MAX_INTEGER = 1_000;

  private final String source;
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int line = 1;
  private int lineStart;

  private Tokenizer(String source, String text) {
    this.source = source;
    this.text = text;
  }

  /** Returns the tokens of a text; only the last one is of kind {@code END}. */
  static List<Token> tokenize(String source, String text) {
    return new Tokenizer(source, text).run();
  }

  private List<Token> run() {
    Matcher integer = INTEGER.matcher(text);
    Matcher decimal = DECIMAL.matcher(text);
    Matcher identifier = IDENTIFIER.matcher(text);
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\t' || c == '\n' || c == '\r' || c == ' ') {
        skipTo(at + 1);
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        skipTo(end < 0 ? text.length() : end);
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
          throw new IdlSyntaxException(
              position(), "\"*/\" after this \"/*\"", "the end of the text");
        }
        skipTo(end + 2);
      } else if (c == '"') {
        int end = text.indexOf('"', at + 1);
        if (end < 0) {
          throw new IdlSyntaxException(
              position(), "'\"' at the end of this string", "the end of the text");
        }
        add(Kind.STRING, text.substring(at + 1, end), end + 1);
      } else {
        int integerEnd = end(integer);
        int decimalEnd = end(decimal);
        int identifierEnd = end(identifier);
        if (identifierEnd > at) { // digits never begin one, so it never competes with a number
          String word = text.substring(at, identifierEnd);
          add(KEYWORDS.contains(word) ? Kind.TERMINAL : Kind.IDENTIFIER, word, identifierEnd);
        } else if (decimalEnd > integerEnd) {
          add(Kind.DECIMAL, text.substring(at, decimalEnd), decimalEnd);
        } else if (integerEnd > at) {
          if (integerEnd - at > MAX_INTEGER) {
            throw new IdlSyntaxException(
                position(),
                "an integer of at most " + MAX_INTEGER + " characters",
                "one of " + (integerEnd - at));
          }
          add(Kind.INTEGER, text.substring(at, integerEnd), integerEnd);
        } else {
          int end =
              text.startsWith("...", at) ? at + 3 : at + Character.charCount(text.codePointAt(at));
          add(Kind.TERMINAL, text.substring(at, end), end);
        }
      }
    }
    tokens.add(new Token(Kind.END, "", position()));
    return tokens;
  }

  /** Returns the end of a match at the current position, or -1 if there is none. */
  private int end(Matcher matcher) {
    matcher.region(at, text.length());
    return matcher.lookingAt() ? matcher.end() : -1;
  }

  private void add(Kind kind, String tokenText, int end) {
    tokens.add(new Token(kind, tokenText, position()));
    skipTo(end);
  }

  private void skipTo(int end) {
    for (int i = at; i < end; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    at = end;
  }

  private SourcePosition position() {
    return new SourcePosition(source, line, at - lineStart + 1);
  }
}
