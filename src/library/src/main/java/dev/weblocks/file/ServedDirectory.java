package dev.weblocks.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose files script may read. All code that reads files for script does so through
 * this class. A symbolic link is followed if it stays in the directory; a path that leads out of it
 * is as absent as a missing file. Thread-safe.
 */
public final class ServedDirectory {

  /** The maximum size of a file, in bytes. */
  public static final int MAX_BYTES = 1 << 28;

  private final Path root;

  /**
   * @param root the directory, on any file system; may itself be a symbolic link
   */
  public ServedDirectory(Path root) {
    this.root = root;
  }

  /** Returns whether a text can be the name of a file in a directory, on any system. */
  public static boolean isName(String text) {
    return !text.isEmpty()
        && !text.equals(".")
        && !text.equals("..")
        && text.chars().noneMatch(each -> each == '/' || each == '\\' || each == 0);
  }

  /**
   * Returns the real path of a file or directory.
   *
   * @param names the names from this directory on, decoded; empty for the directory itself
   * @return null if it does not exist or is not in this directory
   */
  public @Nullable Path find(List<String> names) {
    Path path = root;
    for (String name : names) {
      if (!isName(name)) {
        return null;
      }
      try {
        path = path.resolve(name);
      } catch (InvalidPathException noName) {
        return null;
      }
    }
    return realPath(path);
  }

  /** Returns the real path of a path; null if it does not exist or is not in this directory. */
  public @Nullable Path realPath(Path path) {
    try {
      Path real = path.toRealPath();
      return real.startsWith(root.toRealPath()) ? real : null;
    } catch (IOException absent) {
      return null;
    }
  }

  /**
   * Returns the content of a file.
   *
   * @throws NoSuchFileException if it does not exist or is not in this directory
   * @throws IOException if it cannot be read, or is larger than {@link #MAX_BYTES}
   */
  public byte[] read(Path file) throws IOException {
    Path real = realPath(file);
    if (real == null || !Files.isRegularFile(real)) {
      throw new NoSuchFileException(file.toString());
    }
    return RegularFile.read(real, MAX_BYTES);
  }
}
