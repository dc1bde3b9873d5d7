package dev.weblocks.harness.wpt;

import dev.weblocks.file.ServedDirectory;
import dev.weblocks.harness.wpt.handlers.Handlers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search for Python handlers without a replacement in Java. Reads a test and the scripts that
 * it includes; a handler that only another page or a worker requests is not found.
 */
final class MissingHandlers {

  private static final String EXTENSION = ".py";

  /** The directory of scripts that all tests include. They mention handlers only in comments. */
  private static final String SHARED = "/resources/";

  private final ServedDirectory root;
  private final Map<String, List<String>> namesInScripts = new HashMap<>(); // by path

  /**
   * @param root the WPT directory, on any file system
   */
  MissingHandlers(Path root) {
    this.root = new ServedDirectory(root);
  }

  /**
   * Returns the first handler that a test names and that the WPT directory contains, but Java does
   * not replace; as a path with leading slash.
   *
   * @param source path of the test's file, with leading slash
   * @param scripts URLs of the scripts that it includes
   */
  Optional<String> first(String source, byte[] content, List<String> scripts) throws IOException {
    Optional<String> found = missing(source, names(content));
    for (String script : scripts) {
      if (found.isPresent()) {
        break;
      }
      String path = resolve(source, script.replaceFirst("[?#].*", ""));
      if (!path.startsWith(SHARED)) {
        found = missing(source, namesIn(path));
      }
    }
    return found;
  }

  private List<String> namesIn(String script) throws IOException {
    List<String> names = namesInScripts.get(script);
    if (names == null) {
      Path file = file(script);
      names = file == null ? List.of() : names(root.read(file));
      namesInScripts.put(script, names);
    }
    return names;
  }

  /** Returns the distinct names of Python files in a text. Takes time linear in its length. */
  private static List<String> names(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    Set<String> names = new LinkedHashSet<>();
    int searched = 0;
    for (int at = text.indexOf(EXTENSION); at >= 0; at = text.indexOf(EXTENSION, at + 1)) {
      int end = at + EXTENSION.length();
      if (at > 0
          && isWord(text.charAt(at - 1))
          && (end == text.length() || !isWord(text.charAt(end)) && text.charAt(end) != '.')) {
        int begin = at;
        while (begin > searched && isInPath(text.charAt(begin - 1))) {
          begin--;
        }
        names.add(text.substring(begin, end));
        searched = end;
      }
    }
    return List.copyOf(names);
  }

  private static boolean isWord(char each) {
    return each < 128 && Character.isLetterOrDigit(each) || each == '_';
  }

  private static boolean isInPath(char each) {
    return isWord(each) || "./@-".indexOf(each) >= 0;
  }

  private Optional<String> missing(String source, List<String> names) {
    for (String name : names) {
      // A slash after an expression, as in `${base}/resources/a.py`, need not begin at the root.
      String relative = name.replaceFirst("^/+", "");
      for (String path : List.of(resolve(source, name), resolve(source, relative))) {
        if (Handlers.at(path).isEmpty() && file(path) != null) {
          return Optional.of(path);
        }
      }
    }
    return Optional.empty();
  }

  /** Resolves a path against that of a file, as in a URL. */
  private static String resolve(String source, String name) {
    Deque<String> segments = new ArrayDeque<>();
    String directory = source.substring(0, source.lastIndexOf('/') + 1);
    for (String segment : (name.startsWith("/") ? name : directory + name).split("/")) {
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    return "/" + String.join("/", segments);
  }

  private @Nullable Path file(String path) {
    Path file = root.find(List.of(path.substring(1).split("/", -1)));
    return file != null && Files.isRegularFile(file) ? file : null;
  }
}
