package dev.weblocks.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory; deleted with its contents on close. */
public final class TemporaryDirectory implements AutoCloseable {

  private static final int ATTEMPTS = 10;
  private static final int PAUSE_MILLIS = 100;

  private final Path path;

  /** Creates an empty directory whose name begins with a prefix. */
  public TemporaryDirectory(String prefix) throws IOException {
    path = Files.createTempDirectory(prefix);
  }

  /** Returns the absolute path. */
  public Path path() {
    return path;
  }

  /**
   * Deletes the directory. Retries for a second, since a process that was killed may still be
   * writing; ignores files that cannot be deleted.
   */
  @Override
  public void close() {
    for (int i = 0; i < ATTEMPTS; i++) {
      try (Stream<Path> all = Files.walk(path)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
        return;
      } catch (IOException | UncheckedIOException changing) {
        if (!Files.exists(path)) {
          return;
        }
        try {
          Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
