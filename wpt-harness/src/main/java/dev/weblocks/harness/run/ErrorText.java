package dev.weblocks.harness.run;

import dev.weblocks.fetch.TypeScript;
import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A formatter for uncaught errors. Its text has the message, the place, the source line with a
 * caret below, what to do about TypeScript, and the stack, with names of files instead of URLs.
 */
public final class ErrorText {

  private static final int WIDTH = 100;
  private static final String INDENTATION = "    ";

  private static final Pattern SYNTAX_ERROR =
      Pattern.compile(
          "(?<head>Uncaught (?:\\(in promise\\) )?SyntaxError: )(?<url>\\S+):(?<line>\\d+):\\d+"
              + " (?<what>[^\n]*)\n.*",
          Pattern.DOTALL);

  private final Site site;

  /** Creates a formatter for errors in resources of a site. */
  public ErrorText(Site site) {
    this.site = site;
  }

  /** Returns the text of an error, without a line end after the last line. */
  public String of(UncaughtError error) {
    if (error.kind() == UncaughtError.Kind.DEFECT) {
      return "internal error: " + error.message() + "\n" + String.valueOf(error.stack()).strip();
    }
    List<String> lines = new ArrayList<>();
    lines.add(site.withNames(message(error)));
    if (site.isPage(error.url())) {
      // the page is generated: a place in it means nothing to users
    } else if (error.line() > 0) {
      lines.add(site.name(error.url()) + ":" + error.line() + ":" + error.column());
      site.line(error.url(), error.line())
          .filter(line -> !line.isBlank())
          .ifPresent(line -> quote(line, error.column(), lines));
      String remedy = TypeScript.remedy(error.url());
      if (remedy != null && error.message().contains("SyntaxError: ")) {
        lines.add(site.name(error.url()) + " " + remedy);
      }
    } else if (!error.url().isEmpty()) {
      lines.add(site.name(error.url()));
    }
    stack(error.stack(), lines);
    return String.join("\n", lines);
  }

  /**
   * Returns the message. Removes place and line from the engine's message of a syntax error,
   * because they are shown separately.
   */
  private static String message(UncaughtError error) {
    Matcher syntaxError = SYNTAX_ERROR.matcher(error.message());
    return error.line() > 0
            && syntaxError.matches()
            && syntaxError.group("url").equals(error.url())
            && syntaxError.group("line").equals(Integer.toString(error.line()))
        ? syntaxError.group("head") + syntaxError.group("what")
        : error.message();
  }

  private static void quote(String line, int column, List<String> lines) {
    int at = Math.clamp(column - 1L, 0, line.length());
    int from =
        line.length() <= WIDTH ? 0 : Math.max(0, Math.min(at - WIDTH / 2, line.length() - WIDTH));
    int to = Math.min(line.length(), from + WIDTH);
    String shown = line.substring(from, to).replaceAll("[\\p{Cntrl}&&[^\t]]", " ").stripTrailing();
    StringBuilder caret = new StringBuilder();
    for (int i = from; i < at; i++) {
      caret.append(line.charAt(i) == '\t' ? '\t' : ' ');
    }
    lines.add(INDENTATION + shown);
    lines.add(INDENTATION + caret + "^");
  }

  private void stack(@Nullable String stack, List<String> lines) {
    if (stack != null) {
      // the stack repeats the message before the frames
      stack
          .lines()
          .dropWhile(line -> !line.startsWith("    at "))
          .filter(line -> !site.mentionsPage(line))
          .forEach(line -> lines.add(site.withNames(line)));
    }
  }
}
