package dev.weblocks.harness.wpt;

import dev.weblocks.harness.wpt.handlers.Handlers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The search for Python handlers without a replacement in Java. Reads a test and the scripts that
 * it includes; a handler that only another page or a worker requests is not found.
 */
final class MissingHandlers {

  private static final Pattern NAME = Pattern.compile("[\\w./@-]*\\w\\.py(?![\\w.])");

  /** The directory of scripts that all tests include. They mention handlers only in comments. */
  private static final String SHARED = "/resources/";

  private final Path root;

  /**
   * @param root the WPT directory, on any file system
   */
  MissingHandlers(Path root) {
    this.root = root;
  }

  /**
   * Returns the first handler that a test names and that the WPT directory contains, but Java does
   * not replace; as a path with leading slash.
   *
   * @param source path of the test's file, with leading slash
   * @param scripts URLs of the scripts that it includes
   */
  Optional<String> first(String source, byte[] content, List<String> scripts) throws IOException {
    Optional<String> found = named(source, content);
    for (String script : scripts) {
      if (found.isPresent()) {
        break;
      }
      String path = resolve(source, script.replaceFirst("[?#].*", ""));
      if (!path.startsWith(SHARED) && isFile(path)) {
        found = named(source, Files.readAllBytes(root.resolve(path.substring(1))));
      }
    }
    return found;
  }

  private Optional<String> named(String source, byte[] content) {
    Matcher names = NAME.matcher(new String(content, StandardCharsets.ISO_8859_1));
    while (names.find()) {
      // A slash after an expression, as in `${base}/resources/a.py`, need not begin at the root.
      String relative = names.group().replaceFirst("^/+", "");
      for (String path : List.of(resolve(source, names.group()), resolve(source, relative))) {
        if (Handlers.at(path).isEmpty() && isFile(path)) {
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

  private boolean isFile(String path) {
    try {
      return Files.isRegularFile(root.resolve(path.substring(1)));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
