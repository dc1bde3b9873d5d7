package dev.weblocks.fetch;

import dev.weblocks.binding.RealmBinding;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why imports cannot be used. Each names the importing line, the specifier and the URL
 * that was tried, and says what to do.
 */
final class ImportFailures {

  private static final int MAX_LENGTH = 200;

  private static final Pattern WITHOUT_EXTENSION = Pattern.compile("[./][^?#]*/[^./?#]+");

  /** The end of the engine's message about text that is not JSON. */
  private static final Pattern POSITION = Pattern.compile(" in JSON at position (\\d+)$");

  private ImportFailures() {}

  /** Returns why an import of a module by another one fails; null if it does not. */
  static @Nullable String of(
      ModuleMap.Fetched importer,
      ModuleRequests.Request request,
      UrlRecord url,
      ModuleMap.Fetched module) {
    String text = importer.text();
    return text == null ? null : of(importer.baseUrl().href(), text, request, url, module);
  }

  /**
   * Returns why an {@code import()} call fails; null if it does not, or if that is not known.
   *
   * @param line the line of the call, which decides between several calls with the specifier
   */
  static @Nullable String ofCall(
      String importer,
      String text,
      int line,
      String specifier,
      UrlRecord url,
      ModuleMap.Fetched module) {
    List<ModuleRequests.Request> calls =
        ModuleRequests.of(text).stream()
            .filter(call -> call.dynamic() && call.specifier().equals(specifier))
            .toList();
    boolean alike = calls.stream().map(call -> String.valueOf(call.type())).distinct().count() == 1;
    return calls.stream()
        .filter(call -> alike || lineOf(text, call.start()) == line)
        .findFirst()
        .map(call -> of(importer, text, call, url, module))
        .orElse(null);
  }

  /**
   * Returns why an import fails, as part of a message; null if it does not fail, or if that is not
   * known because the type that it expects is not known.
   *
   * @param importer the URL of the importing script
   * @param text its text
   * @param module the imported module, after its fetch
   */
  private static @Nullable String of(
      String importer,
      String text,
      ModuleRequests.Request request,
      UrlRecord url,
      ModuleMap.Fetched module) {
    String specifier = request.specifier();
    String what =
        shown(importer)
            + ":"
            + lineOf(text, request.start())
            + " imports '"
            + shown(specifier)
            + "'";
    if (module.text() == null) {
      return what + ", but " + shown(url.href()) + " " + module.problem() + hint(specifier);
    }
    String type = request.type();
    if (type == null || type.equals(module.json() ? "json" : "")) {
      return null;
    }
    return what
        + (type.isEmpty() ? " without a type" : " with {type: '" + shown(type) + "'}")
        + ", but "
        + shown(url.href())
        + (module.json()
            ? " is JSON: write with {type: 'json'}"
            : " is JavaScript: leave out with");
  }

  /** Returns what to do about a specifier without a file name extension; empty for any other. */
  private static String hint(String specifier) {
    return WITHOUT_EXTENSION.matcher(specifier).matches()
        ? "; no other name was tried, since browsers and Node.js add no extension: write "
            + shown(specifier.replaceFirst(".*/", ""))
            + ".js if that is the file, or bundle a package that is written for bundlers"
        : "";
  }

  /**
   * Returns a {@code SyntaxError} whose message has the position in a JSON module; null if the text
   * of the module is JSON.
   */
  static @Nullable Value notJson(RealmBinding binding, UrlRecord url, String text) {
    try {
      Value unused = binding.parseJson(text);
      return null;
    } catch (PolyglotException thrown) {
      Value error = thrown.getGuestObject();
      if (error == null) {
        throw thrown;
      }
      if (error.hasMember("message")) {
        String message = error.getMember("message").asString();
        Matcher position = POSITION.matcher(message);
        String reason = message;
        String place = shown(url.href());
        if (position.find()) {
          int at = Math.min(Integer.parseInt(position.group(1)), text.length());
          int lineStart = text.lastIndexOf('\n', at - 1) + 1;
          reason = message.substring(0, position.start());
          place += ":" + lineOf(text, at) + ":" + (at - lineStart + 1);
        }
        error.putMember("message", place + " is not JSON: " + reason);
      }
      return error;
    }
  }

  /** Returns the number of the line of a position, from 1. */
  private static int lineOf(String text, int position) {
    return 1 + (int) text.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  /** Returns a text of script in one line of bounded length. */
  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
  }
}
