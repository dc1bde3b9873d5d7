package dev.weblocks.harness.wpt;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a path by WPT's naming rules, and whether the file can be a test.
 *
 * @param path from the WPT root, with leading slash
 * @param extension with its dot, or empty
 * @param dashFlag part after the last dash, up to the next dot; null without a dash
 * @param flags the parts of the name between its first dot and the extension, separated by dots; if
 *     the name has a dash, the first dot after the last dash counts instead
 */
record SourceName(String path, String extension, @Nullable String dashFlag, List<String> flags) {

  private static final Set<String> NON_TEST_DIRECTORIES = Set.of("resources", "support", "tools");
  private static final Set<String> NON_TEST_FILES = Set.of("META.yml", "WEB_FEATURES.yml");
  private static final Pattern REFERENCE = Pattern.compile("(^|[-_])(not)?ref[0-9]*([-_]|$)");

  static SourceName of(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    String extension = dot > 0 ? file.substring(dot) : "";
    String name = file.substring(0, file.length() - extension.length());
    int dash = name.lastIndexOf('-');
    List<String> parts = List.of(name.substring(dash + 1).split("\\.", -1));
    return new SourceName(
        path, extension, dash < 0 ? null : parts.getFirst(), parts.subList(1, parts.size()));
  }

  private String file() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private String stem() {
    return file().substring(0, file().length() - extension.length());
  }

  /** Returns whether a directory never contains tests (path from the root, with leading slash). */
  static boolean isNonTestDirectory(String directory) {
    List<String> parts = List.of(directory.substring(1).split("/"));
    return parts.getFirst().equals("common")
        || parts.getLast().startsWith(".")
        || parts.stream().anyMatch(NON_TEST_DIRECTORIES::contains)
        || directory.equals("/css21/archive")
        || directory.equals("/css/CSS2/archive")
        || directory.equals("/css/common");
  }

  boolean isNonTest() {
    return path.lastIndexOf('/') == 0
        || file().startsWith("MANIFEST")
        || file().startsWith(".")
        || NON_TEST_FILES.contains(file())
        || extension.equals(".headers")
        || extension.equals(".ini");
  }

  boolean isScript(String flag) {
    return extension.equals(".js") && flags.contains(flag);
  }

  boolean isHtml() {
    return extension.equals(".html") || extension.equals(".htm");
  }

  boolean isMarkup() {
    return isHtml() || Set.of(".xhtml", ".xht", ".xml", ".svg").contains(extension);
  }

  boolean isManual() {
    return "manual".equals(dashFlag);
  }

  boolean isVisual() {
    return "visual".equals(dashFlag);
  }

  boolean isCrashtest() {
    return isMarkup() && ("crash".equals(dashFlag) || path.contains("/crashtests/"));
  }

  boolean isPrintReftest() {
    return isMarkup() && ("print".equals(dashFlag) || path.contains("/print/"));
  }

  boolean isReference() {
    return path.contains("/reference/") || REFERENCE.matcher(stem()).find();
  }
}
