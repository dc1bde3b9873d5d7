package dev.weblocks.harness.wpt;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A selection among the tests of a WPT directory. Paths name directories, source files or test ids,
 * with or without leading slash; or they are globs over source files and ids. In a glob, {@code *}
 * stands for any text without a slash, <code>**</code> for any text, {@code {a,b}} for one of the
 * alternatives and {@code [ab]} for one of the characters. A question mark begins a variant.
 *
 * @param paths selected paths; empty for all tests
 * @param excluded paths to leave out
 * @param filters regular expressions; the id must contain a match of each
 * @param variants variants of which a test must have one: queries such as {@code ?1-10}, or globals
 *     of {@code .any.js} files such as {@code sharedworker}; empty for all
 */
public record TestSelection(
    List<String> paths, List<String> excluded, List<Pattern> filters, List<String> variants) {

  public TestSelection {
    paths = List.copyOf(paths);
    excluded = List.copyOf(excluded);
    filters = List.copyOf(filters);
    variants = List.copyOf(variants);
  }

  /** Returns whether a path names the source of a test itself, not by its directory or a glob. */
  public boolean names(WptTest test) {
    return paths.stream().anyMatch(path -> new PathPattern(path).path().equals(test.source()));
  }

  /** Returns the selection of all tests that paths name. */
  public static TestSelection of(List<String> paths) {
    return new TestSelection(paths, List.of(), List.of(), List.of());
  }
}
