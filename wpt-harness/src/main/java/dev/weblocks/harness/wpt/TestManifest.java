package dev.weblocks.harness.wpt;

import dev.weblocks.fetch.TypeScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The tests of a WPT directory, selected by path patterns. Reads only the directories that a
 * selection needs.
 */
public final class TestManifest {

  /** Thrown for a selector that matches no test. */
  public static final class NoSuchTestException extends Exception {
    private static final long serialVersionUID = 1L;

    NoSuchTestException(String message) {
      super(message);
    }
  }

  private static final int MAX_SUGGESTIONS = 3;

  private final Path root;
  private final TestDiscovery discovery;

  /** Creates a manifest of a WPT directory. Reads nothing yet. */
  public TestManifest(Path root, WptHosts hosts) {
    this(root, new TestDiscovery(root, hosts));
  }

  /**
   * @param discovery of the same directory
   */
  public TestManifest(Path root, TestDiscovery discovery) {
    this.root = root;
    this.discovery = discovery;
  }

  /**
   * Returns the tests that match any selector, without duplicates, in the order of the selectors
   * and then of ids.
   *
   * @param selectors see {@link TestSelection#paths()}
   * @throws NoSuchTestException if a selector matches no test; it may suggest similar names
   */
  public List<WptTest> select(List<String> selectors) throws IOException, NoSuchTestException {
    return select(TestSelection.of(selectors));
  }

  /**
   * Returns the selected tests, without duplicates, in the order of the paths and then of ids.
   *
   * @throws NoSuchTestException if a part of the selection, or the whole, matches no test; the
   *     message names it, and may suggest similar names
   */
  public List<WptTest> select(TestSelection selection) throws IOException, NoSuchTestException {
    Map<String, WptTest> selected = new LinkedHashMap<>();
    for (String typed : selection.paths().isEmpty() ? List.of("/") : selection.paths()) {
      PathPattern pattern = pattern(typed);
      List<WptTest> candidates = discovery.under(deepestDirectory(pattern.literalBeginning()));
      boolean found = false;
      for (WptTest test : candidates) {
        if (pattern.names(test)) {
          selected.putIfAbsent(test.id(), test);
          found = true;
        }
      }
      if (!found) {
        throw new NoSuchTestException(noSuchTest(pattern, candidates));
      }
    }
    List<WptTest> tests = new ArrayList<>(selected.values());
    for (String typed : selection.excluded()) {
      PathPattern pattern = pattern(typed);
      if (!tests.removeIf(pattern::names)) {
        throw new NoSuchTestException(
            "--exclude " + typed + " matches none of these tests; --list shows them");
      }
    }
    for (Pattern filter : selection.filters()) {
      tests.removeIf(test -> !filter.matcher(test.id()).find());
      if (tests.isEmpty()) {
        throw new NoSuchTestException(
            "--filter " + filter + " matches no id of these tests; --list shows them");
      }
    }
    keepVariants(selection.variants(), tests);
    if (tests.isEmpty()) {
      throw new NoSuchTestException(
          selection.paths().isEmpty() && selection.excluded().isEmpty()
              ? "'" + root + "' contains no tests"
              : "the options exclude all tests of these paths; --list shows them");
    }
    return List.copyOf(tests);
  }

  private static void keepVariants(List<String> wanted, List<WptTest> tests)
      throws NoSuchTestException {
    if (wanted.isEmpty()) {
      return;
    }
    Set<String> missing = new LinkedHashSet<>(wanted);
    Set<String> there = new TreeSet<>();
    List<WptTest> kept = new ArrayList<>();
    for (WptTest test : tests) {
      Set<String> names = variantsOf(test);
      there.addAll(names);
      missing.removeAll(names);
      if (wanted.stream().anyMatch(names::contains)) {
        kept.add(test);
      }
    }
    if (!missing.isEmpty()) {
      String first = missing.iterator().next();
      List<String> near = near(first, there);
      throw new NoSuchTestException(
          "none of these tests has the variant '"
              + first
              + "'"
              + (there.isEmpty()
                  ? "; none has a variant"
                  : "; variants are, for example: "
                      + String.join(
                          ", ", near.isEmpty() ? there.stream().limit(8).toList() : near)));
    }
    tests.clear();
    tests.addAll(kept);
  }

  private static Set<String> variantsOf(WptTest test) {
    Set<String> names = new LinkedHashSet<>();
    if (test.kind().isAny()) {
      names.add(test.kind().label());
    }
    String variant = test.id().replaceFirst("^[^?#]*", "");
    if (!variant.isEmpty()) {
      names.add(variant);
      names.add(variant.substring(1));
    }
    return names;
  }

  private static PathPattern pattern(String typed) throws NoSuchTestException {
    try {
      return new PathPattern(typed);
    } catch (PatternSyntaxException e) {
      throw new NoSuchTestException("'" + typed + "' is not a pattern: " + e.getDescription());
    }
  }

  private String deepestDirectory(String path) {
    String directory = path.replaceFirst("[?#].*", "");
    while (!directory.isEmpty()
        && (List.of(directory.split("/")).contains("..")
            || !Files.isDirectory(root.resolve(directory.substring(1))))) {
      directory = directory.substring(0, directory.lastIndexOf('/'));
    }
    return directory.isEmpty() ? "/" : directory;
  }

  private String noSuchTest(PathPattern pattern, List<WptTest> candidates) {
    String selector = pattern.typed();
    String path = pattern.path();
    if (pattern.isGlob()) {
      return "no test matches '" + selector + "'; --list shows all";
    }
    if (!path.contains("..") && Files.exists(root.resolve(path.substring(1)))) {
      String remedy = TypeScript.remedy(path);
      return "'" + selector + "' contains no test" + (remedy == null ? "" : ": it " + remedy);
    }
    Set<String> names = new LinkedHashSet<>();
    for (WptTest test : candidates) {
      names.add(test.source());
      names.add(test.id());
      for (int at = test.source().indexOf('/', 1); at > 0; ) {
        names.add(test.source().substring(0, at + 1));
        at = test.source().indexOf('/', at + 1);
      }
    }
    List<String> near = near(path, names);
    return "unknown test '"
        + selector
        + "'"
        + (near.isEmpty() ? "; --list shows all" : "; similar names: " + String.join(", ", near));
  }

  private static List<String> near(String path, Set<String> names) {
    record Candidate(String name, int distance) {}
    List<Candidate> candidates = new ArrayList<>();
    int limit = Math.max(2, path.length() / 3);
    for (String name : names) {
      int distance =
          name.startsWith(path) ? 0 : EditDistance.between(path, stripSlash(name), limit);
      if (distance <= limit) {
        candidates.add(new Candidate(name, distance));
      }
    }
    return candidates.stream()
        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .limit(MAX_SUGGESTIONS)
        .map(Candidate::name)
        .toList();
  }

  private static String stripSlash(String name) {
    return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }
}
