package dev.weblocks.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The cache folders of the scripts that fetch files. */
public final class Fetched {

  private static final String COMMIT = "commit = ";

  private Fetched() {}

  /** Returns the folder of Weblocks in the user's cache; it may not exist. */
  public static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg == null || xdg.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return base.resolve("weblocks");
  }

  /**
   * Returns the folder of the pinned web-platform-tests. Skips the calling test if they were not
   * fetched.
   */
  public static Path wpt() {
    Path root = cache().resolve("wpt").resolve(pinnedCommit());
    assumeTrue(Files.isDirectory(root), "WPT files were not fetched (scripts/fetch-wpt)");
    return root;
  }

  private static String pinnedCommit() {
    try {
      return Files.readAllLines(Path.of("wpt-subset/pin")).stream()
          .filter(line -> line.startsWith(COMMIT))
          .map(line -> line.substring(COMMIT.length()).strip())
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
