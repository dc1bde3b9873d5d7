package dev.weblocks.fetch;

import dev.weblocks.binding.RealmBinding;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
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
    return text == null
        ? null
        : of(place(importer.baseUrl().href(), text, request), request, url, module);
  }

  /**
   * Returns why an {@code import()} call fails; null if it does not, or if several calls of its
   * kind differ. Names the line if the script has one such call.
   *
   * @param ofType accepts the type of the call
   */
  static @Nullable String ofCall(
      String importer,
      String text,
      String specifier,
      Predicate<String> ofType,
      UrlRecord url,
      ModuleMap.Fetched module) {
    List<ModuleRequests.Request> calls =
        ModuleRequests.of(text).stream()
            .filter(call -> call.dynamic() && call.specifier().equals(specifier))
            .toList();
    if (calls.stream().anyMatch(call -> call.type() == null)) {
      return null;
    }
    List<ModuleRequests.Request> alike =
        calls.stream().filter(call -> ofType.test(Objects.requireNonNull(call.type()))).toList();
    return alike.stream().map(ModuleRequests.Request::type).distinct().count() != 1
        ? null
        : of(
            alike.size() == 1 ? place(importer, text, alike.getFirst()) : shown(importer),
            alike.getFirst(),
            url,
            module);
  }

  private static String place(String importer, String text, ModuleRequests.Request request) {
    return shown(importer) + ":" + lineOf(text, request.start());
  }

  /**
   * Returns why an import fails, as part of a message; null if it does not fail, or if that is not
   * known because the type that it expects is not known.
   *
   * @param importer the importing script, with the line if that is known
   * @param module the imported module, after its fetch
   */
  private static @Nullable String of(
      String importer, ModuleRequests.Request request, UrlRecord url, ModuleMap.Fetched module) {
    String specifier = request.specifier();
    String what = importer + " imports '" + shown(specifier) + "'";
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
      Value unused = binding.values().parseJson(text);
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
