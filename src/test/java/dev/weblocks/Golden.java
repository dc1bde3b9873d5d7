package dev.weblocks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares texts with files under version control. {@code scripts/rebaseline} writes the files
 * anew; what changed is then seen in the diff.
 */
public final class Golden {

  private static final Path RESOURCES = Path.of("src/test/resources");

  private Golden() {}

  /**
   * Compares a text with a file.
   *
   * @param file under the folder of test resources
   */
  public static void check(String file, String actual) {
    Path path = RESOURCES.resolve(file);
    String text = actual.endsWith("\n") ? actual : actual + "\n";
    try {
      if (Boolean.getBoolean("golden.rebaseline")) {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        return;
      }
      String expected = Files.exists(path) ? Files.readString(path) : "";
      assertEquals(
          expected, text, () -> file + " differs; if that is meant, run scripts/rebaseline");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
