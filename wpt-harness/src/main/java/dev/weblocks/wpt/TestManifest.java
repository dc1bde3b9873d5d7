package dev.weblocks.wpt;

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

/** The tests of a WPT directory, selected by what people type. Reads only the folders it must. */
public final class TestManifest {

  /** A selector that no test answers to. */
  public static final class NoSuchTestException extends Exception {
    private static final long serialVersionUID = 1L;

    NoSuchTestException(String message) {
      super(message);
    }
  }

  private static final int MAX_SUGGESTIONS = 3;

  private final Path root;
  private final TestDiscovery discovery;

  /** A manifest over a WPT root; nothing is read yet. */
  public TestManifest(Path root, WptHosts hosts) {
    this.root = root;
    this.discovery = new TestDiscovery(root, hosts);
  }

  /**
   * The tests that any selector names, each once, in the order of the selectors and then of ids.
   *
   * @param selectors directories, source files or test ids, with or without leading slash; none
   *     means all tests
   * @throws NoSuchTestException when a selector names no test; the message suggests near names
   */
  public List<WptTest> select(List<String> selectors) throws IOException, NoSuchTestException {
    Map<String, WptTest> selected = new LinkedHashMap<>();
    for (String selector : selectors.isEmpty() ? List.of("/") : selectors) {
      String path = normalize(selector);
      List<WptTest> candidates = discovery.under(deepestDirectory(path));
      boolean found = false;
      for (WptTest test : candidates) {
        if (names(path, test)) {
          selected.putIfAbsent(test.id(), test);
          found = true;
        }
      }
      if (!found) {
        throw new NoSuchTestException(noSuchTest(selector, path, candidates));
      }
    }
    return List.copyOf(selected.values());
  }

  private static String normalize(String selector) {
    String path = selector.startsWith("./") ? selector.substring(2) : selector;
    path = path.startsWith("/") ? path : "/" + path;
    while (path.length() > 1 && path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    return path;
  }

  private static boolean names(String path, WptTest test) {
    return path.equals("/")
        || test.id().equals(path)
        || test.source().equals(path)
        || test.source().startsWith(path + "/")
        || test.id().startsWith(path + "?")
        || test.id().startsWith(path + "#");
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

  private String noSuchTest(String selector, String path, List<WptTest> candidates) {
    if (!path.contains("..") && Files.exists(root.resolve(path.substring(1)))) {
      return "'" + selector + "' holds no test";
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
    return "no test is called '"
        + selector
        + "'"
        + (near.isEmpty() ? "; --list shows all" : "; near names: " + String.join(", ", near));
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
