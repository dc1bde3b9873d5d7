package dev.weblocks.harness.wpt;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The search for the tests below a WPT root, by the rules of WPT's own manifest: names, META lines
 * and the contents of pages. Not supported: Python tests of {@code webdriver/} and {@code
 * conformance-checkers/}, which do not run in a user agent.
 */
public final class TestDiscovery {

  private final Path root;
  private final WptHosts hosts;

  /**
   * @param root the WPT directory, on any file system
   * @param hosts for the origins of the tests' URLs
   */
  public TestDiscovery(Path root, WptHosts hosts) {
    this.root = root;
    this.hosts = hosts;
  }

  /**
   * Returns the tests at or below a path, sorted by id.
   *
   * @param path from the WPT root, with leading slash; {@code /} for everything. A path that does
   *     not exist has no tests.
   * @throws IOException if a directory or file cannot be read
   */
  public List<WptTest> under(String path) throws IOException {
    Path start = root.resolve(path.substring(1));
    List<WptTest> tests = new ArrayList<>();
    if (!Files.exists(start)) {
      return tests;
    }
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return isBelowNonTestDirectory(pathOf(dir))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String source = pathOf(file);
            if (!isBelowNonTestDirectory(source.substring(0, source.lastIndexOf('/')))) {
              addTests(SourceName.of(source), file, tests);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    tests.sort(Comparator.comparing(WptTest::id));
    return tests;
  }

  private static boolean isBelowNonTestDirectory(String directory) {
    return directory.length() > 1 && SourceName.isNonTestDirectory(directory);
  }

  private String pathOf(Path file) {
    StringBuilder path = new StringBuilder();
    for (Path part : root.relativize(file)) {
      if (!part.toString().isEmpty()) {
        path.append('/').append(part);
      }
    }
    return path.toString();
  }

  private void addTests(SourceName name, Path file, List<WptTest> tests) throws IOException {
    if (name.isNonTest()) {
      return;
    }
    String path = name.path();
    if (name.isManual()) {
      tests.add(test(path, path, TestKind.MANUAL, TestTimeout.NORMAL));
    } else if (name.isVisual()) {
      tests.add(test(path, path, TestKind.VISUAL, TestTimeout.NORMAL));
    } else if (name.isCrashtest()) {
      tests.add(test(path, path, TestKind.CRASHTEST, TestTimeout.NORMAL));
    } else if (name.isPrintReftest()) {
      tests.add(test(path, path, TestKind.PRINT_REFTEST, TestTimeout.NORMAL));
    } else if (name.isScript("any")) {
      TestMetadata metadata = TestMetadata.parse(Files.readAllBytes(file));
      addScriptTests(path, metadata.globals(), ".js", metadata, tests);
    } else if (name.isScript("worker")) {
      TestMetadata metadata = TestMetadata.parse(Files.readAllBytes(file));
      addScriptTests(path, Set.of(TestKind.WORKER_SCRIPT), ".worker.js", metadata, tests);
    } else if (name.isScript("window")) {
      TestMetadata metadata = TestMetadata.parse(Files.readAllBytes(file));
      addScriptTests(path, Set.of(TestKind.WINDOW_SCRIPT), ".window.js", metadata, tests);
    } else if (name.isMarkup()) {
      addPageTests(name, PageFacts.read(Files.readAllBytes(file), name.isHtml()), tests);
    }
  }

  private void addScriptTests(
      String source,
      Set<TestKind> kinds,
      String sourceSuffix,
      TestMetadata metadata,
      List<WptTest> tests) {
    for (TestKind kind : kinds) {
      String page = source;
      if (kind.isAny()) {
        page = page.replace(".any.", ".");
        if (kind.suffix().startsWith(".https.")) { // the suffix contains the flag
          page = page.replace(".https.", ".");
        }
      }
      page = page.substring(0, page.length() - sourceSuffix.length()) + kind.suffix();
      for (String variant : metadata.variants()) {
        tests.add(test(page + variant, source, kind, metadata.timeout()));
      }
    }
  }

  private void addPageTests(SourceName name, PageFacts page, List<WptTest> tests) {
    TestKind kind;
    if (page.manualFlags() && !name.isReference()) {
      kind = TestKind.MANUAL;
    } else if (page.testharness()) {
      kind = TestKind.PAGE;
    } else if (page.reference()) {
      kind = TestKind.REFTEST;
    } else if (page.specLink() && !name.isReference()) {
      kind = TestKind.VISUAL;
    } else {
      return;
    }
    for (String variant : page.variants()) {
      tests.add(test(name.path() + variant, name.path(), kind, page.timeout()));
    }
  }

  private WptTest test(String id, String source, TestKind kind, TestTimeout timeout) {
    String page = id.replaceFirst("[?#].*", "");
    String file = page.substring(page.lastIndexOf('/') + 1);
    List<String> parts = List.of(file.split("\\.", -1));
    Set<String> flags = new TreeSet<>(parts.subList(1, Math.max(1, parts.size() - 1)));
    boolean https =
        flags.contains("https")
            || flags.contains("serviceworker")
            || flags.contains("serviceworker-module");
    return new WptTest(
        id,
        source,
        kind,
        timeout,
        hosts.origin(https, flags.contains("www")) + id,
        reason(kind, source, flags));
  }

  private static @Nullable String reason(TestKind kind, String source, Set<String> flags) {
    if (flags.contains("h2")) {
      return "there is no HTTP/2 server";
    }
    boolean isPage = kind == TestKind.PAGE || kind == TestKind.CRASHTEST;
    if (isPage && !SourceName.of(source).isHtml()) {
      return "there is no parser for pages in XML";
    }
    return kind.notSupportedReason().orElse(null);
  }
}
