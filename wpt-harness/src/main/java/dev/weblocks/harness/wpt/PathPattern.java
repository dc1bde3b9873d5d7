package dev.weblocks.harness.wpt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.nio.file.FileSystem;
import java.nio.file.PathMatcher;
import java.util.function.Predicate;

/**
 * A selector of tests, as typed by users: a directory, a source file, an id, or a glob over those.
 */
final class PathPattern {

  /** An empty in-memory file system for path matching. */
  private static final FileSystem RULES = Jimfs.newFileSystem(Configuration.unix());

  private final String typed;
  private final String path;
  private final Predicate<WptTest> names;

  PathPattern(String typed) {
    this.typed = typed;
    this.path = normalize(typed);
    this.names = isGlob() ? glob() : this::namesLiterally;
  }

  private static String normalize(String selector) {
    String path = selector.startsWith("./") ? selector.substring(2) : selector;
    path = path.startsWith("/") ? path : "/" + path;
    while (path.length() > 1 && path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    return path;
  }

  String typed() {
    return typed;
  }

  /** Returns the path with a slash at the beginning and none at the end. */
  String path() {
    return path;
  }

  boolean isGlob() {
    return path.matches(".*[*\\[{].*");
  }

  /** Returns the directory before the first wildcard; the whole path if it is not a glob. */
  String literalBeginning() {
    return isGlob() ? path.substring(0, path.lastIndexOf('/', firstWildcard())) : path;
  }

  private int firstWildcard() {
    int at = 0;
    while ("*[{".indexOf(path.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  boolean names(WptTest test) {
    return names.test(test);
  }

  private boolean namesLiterally(WptTest test) {
    return path.equals("/")
        || test.id().equals(path)
        || test.source().equals(path)
        || test.source().startsWith(path + "/")
        || test.id().startsWith(path + "?")
        || test.id().startsWith(path + "#");
  }

  /** Returns a matcher with rules that do not depend on the machine's file system. */
  private Predicate<WptTest> glob() {
    String glob = "glob:" + path.replace("?", "\\?");
    PathMatcher matcher = RULES.getPathMatcher(glob);
    PathMatcher below = RULES.getPathMatcher(glob + "/**");
    return test ->
        matcher.matches(RULES.getPath(test.source()))
            || below.matches(RULES.getPath(test.source()))
            || matcher.matches(RULES.getPath(test.id()));
  }
}
