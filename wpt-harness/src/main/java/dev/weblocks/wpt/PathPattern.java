package dev.weblocks.wpt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.nio.file.FileSystem;
import java.nio.file.PathMatcher;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/** A name of tests that people type: a directory, a source file, an id, or a glob over those. */
final class PathPattern {

  /** Holds no files. */
  private static final FileSystem RULES = Jimfs.newFileSystem(Configuration.unix());

  private final String typed;
  private final String path;
  private final Predicate<WptTest> names;

  /**
   * A pattern.
   *
   * @throws PatternSyntaxException if it is a glob that cannot be read
   */
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

  /** As it was typed. */
  String typed() {
    return typed;
  }

  /** With a slash at the beginning and none at the end. */
  String path() {
    return path;
  }

  boolean isGlob() {
    return path.matches(".*[*\\[{].*");
  }

  /** What stands before the first wildcard, up to a slash; all of a name that is no glob. */
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

  /** By the rules of a file system that are the same on every machine. */
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
