package dev.weblocks.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Compares texts with files under version control. {@code scripts/rebaseline} rewrites the files,
 * so that the diff shows the changes.
 */
public final class Golden {

  private static final Path RESOURCES = Path.of("src/library/src/test/resources");

  private Golden() {}

  /**
   * Compares a text with a file.
   *
   * @param file under the folder of test resources
   */
  public static void check(String file, String actual) {
    checkFile(RESOURCES.resolve(file), actual);
  }

  /**
   * Compares a text with a file.
   *
   * @param path from the root of the repository
   */
  public static void checkFile(Path path, String actual) {
    String text = actual.endsWith("\n") ? actual : actual + "\n";
    try {
      if (Boolean.getBoolean("golden.rebaseline")) {
        Files.createDirectories(path.toAbsolutePath().getParent());
        // a rebaseline that is killed leaves each file whole: the old one or the new one
        Path part = path.resolveSibling("." + path.getFileName() + ".part");
        Files.write(
            part,
            text.getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.DSYNC);
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        return;
      }
      String expected = Files.exists(path) ? Files.readString(path) : "";
      assertEquals(
          expected, text, () -> path + " differs; if that is meant, run scripts/rebaseline");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
