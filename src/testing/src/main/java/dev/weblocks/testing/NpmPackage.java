package dev.weblocks.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Assumptions;

/**
 * A package that {@code scripts/fetch-npm} has fetched into the user's cache: third-party code,
 * which runs unchanged and is never committed. {@code src/test/npm} pins its version.
 *
 * @param name its name in npm
 */
public record NpmPackage(String name) {

  private static final Path LOCK_FILE = Path.of("src/library/src/test/npm/package-lock.json");

  /** The number of characters of the lock file's hash that name the folder in the cache. */
  private static final int HASH_LENGTH = 16;

  /**
   * Returns the text of a file of the package. Skips the calling test if the packages were not
   * fetched.
   *
   * @param path relative to the package
   */
  public String read(String path) {
    Path file = home().resolve("node_modules").resolve(name).resolve(path);
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " has no " + path, e);
    }
  }

  /**
   * Returns the folder whose {@code node_modules} has the package and its dependencies. Skips the
   * calling test if the packages were not fetched.
   */
  public Path home() {
    Path home = Fetched.cache().resolve("npm").resolve(hash(LOCK_FILE).substring(0, HASH_LENGTH));
    Assumptions.assumeTrue(
        Files.isDirectory(home), "npm packages were not fetched (scripts/fetch-npm)");
    return home;
  }

  private static String hash(Path file) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("each JDK has SHA-256", e);
    }
  }
}
