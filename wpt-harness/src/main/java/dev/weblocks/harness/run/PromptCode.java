package dev.weblocks.harness.run;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * A converter of input at a prompt to scripts. It uses the engine's parser, in a context that never
 * runs code. Not thread-safe.
 */
public final class PromptCode implements AutoCloseable {

  /** The result of parsing the input so far. */
  public sealed interface Reading {
    /** The input is incomplete. */
    record Incomplete() implements Reading {}

    /**
     * The input is complete; it may still fail with a syntax error.
     *
     * @param code a classic script
     * @param await whether its value is a promise to wait for
     */
    record Ready(String code, boolean await) implements Reading {}
  }

  private enum Verdict {
    GOOD,
    UNFINISHED,
    UNFINISHED_TEXT,
    BAD
  }

  private static final Pattern MENTIONS_AWAIT = Pattern.compile("\\bawait\\b");

  private static final Pattern FOR_AWAIT = Pattern.compile("\\bfor\\s+await\\b");

  /** Input that begins with a declaration; does not match {@code let} as an identifier. */
  private static final Pattern DECLARATION =
      Pattern.compile("(?s)\\s*(let|const|var)(?=\\s+[\\p{L}$_\\[{]|\\s*[\\[{])(.*)");

  private static final Pattern TRAILING_SEMICOLON = Pattern.compile("(?s)\\s*;?\\s*$");

  private final Context parser =
      Context.newBuilder("js")
          .option("engine.WarnInterpreterOnly", "false")
          .option("js.ecmascript-version", "staging")
          .build();

  /**
   * Parses the input. Input with top-level {@code await} becomes an async function. {@code let} and
   * {@code const} at the beginning become {@code var}, so that a name may be declared again. An
   * object literal is not parsed as a block.
   */
  public Reading read(String text) {
    if (MENTIONS_AWAIT.matcher(text).find() && awaitsOutsideOfFunctions(text)) {
      Reading awaiting = readAwaiting(text);
      if (awaiting != null) {
        return awaiting;
      }
    }
    if (text.stripLeading().startsWith("{")) {
      String literal = "(" + TRAILING_SEMICOLON.matcher(text).replaceFirst("") + "\n)";
      if (verdict(literal) == Verdict.GOOD) {
        return new Reading.Ready(literal, false);
      }
    }
    Matcher declaration = DECLARATION.matcher(text);
    if (declaration.matches() && !declaration.group(1).equals("var")) {
      String again =
          text.substring(0, declaration.start(1)) + "var" + text.substring(declaration.end(1));
      if (verdict(again) == Verdict.GOOD) {
        return new Reading.Ready(again, false);
      }
    }
    return switch (verdict(text)) {
      case UNFINISHED -> new Reading.Incomplete();
      case UNFINISHED_TEXT ->
          verdict(text + "`") != Verdict.UNFINISHED_TEXT
              ? new Reading.Incomplete() // a template continues on the next line
              : new Reading.Ready(text, false);
      case BAD ->
          text.contains("/*") && verdict(text + "*/") != Verdict.BAD
              ? new Reading.Incomplete()
              : new Reading.Ready(text, false);
      case GOOD -> new Reading.Ready(text, false);
    };
  }

  /**
   * Returns whether the text is invalid in a static block, where {@code await} is permitted only in
   * functions. Replaces {@code for await} first, since the parser accepts it in a static block.
   */
  private boolean awaitsOutsideOfFunctions(String text) {
    String plain = FOR_AWAIT.matcher(text).replaceAll("await 0; for");
    return verdict("class _ { static {\n" + plain + "\n} }") != Verdict.GOOD;
  }

  /** Parses the input as the body of an async function. Returns null if it is invalid there. */
  private @Nullable Reading readAwaiting(String text) {
    String bare = TRAILING_SEMICOLON.matcher(text).replaceFirst("");
    Matcher declaration = DECLARATION.matcher(bare);
    // a name assigned without a declaration becomes a property of the global object
    String assignment =
        declaration.matches() ? "(async () => { void (" + declaration.group(2) + "\n) })()" : text;
    List<String> ways =
        List.of("(async () => (" + bare + "\n))()", assignment, "(async () => {" + text + "\n})()");
    for (String way : ways) {
      if (!way.equals(text) && verdict(way) == Verdict.GOOD) {
        return new Reading.Ready(way, true);
      }
    }
    return switch (verdict("(async () => {" + text)) {
      case UNFINISHED -> new Reading.Incomplete();
      case UNFINISHED_TEXT ->
          verdict("(async () => {" + text + "`") == Verdict.UNFINISHED
              ? new Reading.Incomplete()
              : null;
      default -> null;
    };
  }

  private Verdict verdict(String code) {
    try {
      parser.parse(Source.newBuilder("js", code, "prompt").buildLiteral());
      return Verdict.GOOD;
    } catch (PolyglotException failure) {
      if (!failure.isSyntaxError()) {
        return Verdict.BAD;
      }
      return failure.isIncompleteSource()
          ? Verdict.UNFINISHED
          : String.valueOf(failure.getMessage()).contains("Missing close quote")
              ? Verdict.UNFINISHED_TEXT
              : Verdict.BAD;
    }
  }

  @Override
  public void close() {
    parser.close();
  }
}
