package dev.weblocks.harness.wpt;

import dev.weblocks.file.RegularFile;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The search for the tests below a WPT root, by the rules of WPT's own manifest: names, META lines
 * and the contents of pages. Left out, because they do not run in a user agent: the Python tests of
 * {@code webdriver/}, and all files of {@code conformance-checkers/} that need no person.
 */
public final class TestDiscovery {

  private final Path root;
  private final WptHosts hosts;
  private final Predicate<String> known;
  private final MissingHandlers missingHandlers;

  /**
   * @param root the WPT directory, on any file system
   * @param hosts for the origins of the tests' URLs
   */
  public TestDiscovery(Path root, WptHosts hosts) {
    this(root, hosts, source -> true);
  }

  /**
   * @param root the WPT directory, on any file system
   * @param hosts for the origins of the tests' URLs
   * @param known whether expectations cover a source, a path with leading slash. A test of another
   *     source is not supported if it names a Python handler without a replacement.
   */
  public TestDiscovery(Path root, WptHosts hosts, Predicate<String> known) {
    this.root = root;
    this.hosts = hosts;
    this.known = known;
    this.missingHandlers = new MissingHandlers(root);
  }

  /**
   * Returns the tests at or below a path, sorted by id.
   *
   * @param path from the WPT root, with leading slash; {@code /} for everything. A path that does
   *     not exist has no tests. A directory or file that cannot be read is a test that is not
   *     supported.
   * @throws IOException if the walk fails
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
              try {
                addTests(SourceName.of(source), file, tests);
              } catch (IOException e) {
                tests.add(unreadable(source, e));
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            tests.add(unreadable(pathOf(file), e));
            return FileVisitResult.CONTINUE;
          }
        });
    tests.sort(Comparator.comparing(WptTest::id));
    return tests;
  }

  /** Returns a test that does not run, so that one bad file does not prevent all others. */
  private WptTest unreadable(String path, IOException problem) {
    return new WptTest(
        path,
        path,
        TestKind.UNREADABLE,
        TestTimeout.NORMAL,
        hosts.origin(false, false) + path,
        path + " cannot be read: " + IoProblem.text(problem));
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
      tests.add(test(path, path, TestKind.MANUAL, TestTimeout.NORMAL, null));
    } else if (path.startsWith("/conformance-checkers/")) {
      return; // input of validators
    } else if (name.isVisual()) {
      tests.add(test(path, path, TestKind.VISUAL, TestTimeout.NORMAL, null));
    } else if (name.isCrashtest()) {
      String missing =
          missingHandler(path, RegularFile.read(file, RegularFile.MAX_TEXT), List.of());
      tests.add(test(path, path, TestKind.CRASHTEST, TestTimeout.NORMAL, missing));
    } else if (name.isPrintReftest()) {
      tests.add(test(path, path, TestKind.PRINT_REFTEST, TestTimeout.NORMAL, null));
    } else if (name.isScript("any")) {
      byte[] content = RegularFile.read(file, RegularFile.MAX_TEXT);
      TestMetadata metadata = TestMetadata.parse(content);
      addScriptTests(path, metadata.globals(), ".js", content, metadata, tests);
    } else if (name.isScript("worker")) {
      byte[] content = RegularFile.read(file, RegularFile.MAX_TEXT);
      TestMetadata metadata = TestMetadata.parse(content);
      addScriptTests(path, Set.of(TestKind.WORKER_SCRIPT), ".worker.js", content, metadata, tests);
    } else if (name.isScript("window")) {
      byte[] content = RegularFile.read(file, RegularFile.MAX_TEXT);
      TestMetadata metadata = TestMetadata.parse(content);
      addScriptTests(path, Set.of(TestKind.WINDOW_SCRIPT), ".window.js", content, metadata, tests);
    } else if (name.isMarkup()) {
      byte[] content = RegularFile.read(file, RegularFile.MAX_TEXT);
      addPageTests(name, content, PageFacts.read(content, name.isHtml()), tests);
    }
  }

  private void addScriptTests(
      String source,
      Set<TestKind> kinds,
      String sourceSuffix,
      byte[] content,
      TestMetadata metadata,
      List<WptTest> tests)
      throws IOException {
    String missing = missingHandler(source, content, metadata.all("script"));
    TestTimeout timeout = metadata.timeout(); // once: a file may have many META lines
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
        tests.add(test(page + variant, source, kind, timeout, missing));
      }
    }
  }

  private void addPageTests(SourceName name, byte[] content, PageFacts page, List<WptTest> tests)
      throws IOException {
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
    String missing =
        kind == TestKind.PAGE ? missingHandler(name.path(), content, page.scripts()) : null;
    for (String variant : page.variants()) {
      tests.add(test(name.path() + variant, name.path(), kind, page.timeout(), missing));
    }
  }

  private @Nullable String missingHandler(String source, byte[] content, List<String> scripts)
      throws IOException {
    return known.test(source) ? null : missingHandlers.first(source, content, scripts).orElse(null);
  }

  private WptTest test(
      String id,
      String source,
      TestKind kind,
      TestTimeout timeout,
      @Nullable String missingHandler) {
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
        reason(kind, source, flags, missingHandler));
  }

  private static @Nullable String reason(
      TestKind kind, String source, Set<String> flags, @Nullable String missingHandler) {
    if (flags.contains("h2")) {
      return "there is no HTTP/2 server";
    }
    boolean isPage = kind == TestKind.PAGE || kind == TestKind.CRASHTEST;
    if (isPage && !SourceName.of(source).isHtml()) {
      return "there is no parser for pages in XML";
    }
    String handler =
        missingHandler == null
            ? null
            : "the handler " + missingHandler + " has no implementation in Java";
    return kind.notSupportedReason().orElse(handler);
  }
}
