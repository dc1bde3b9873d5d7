package dev.weblocks.harness.wpt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files of a WPT directory, or of several overlaid ones, in memory. A file is copied when it is
 * first requested. One copy serves all tests of a run. Thread-safe.
 */
public final class WptFiles implements AutoCloseable {

  private final List<Path> roots;
  private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
  private final Object copying = new Object();

  /**
   * @param root the WPT directory, on any file system; files that change after the first request
   *     are not read again
   */
  public WptFiles(Path root) {
    this(List.of(root));
  }

  /**
   * @param roots the WPT directories, on any file system; a file is read from the first one that
   *     contains it
   */
  public WptFiles(List<Path> roots) {
    this.roots = List.copyOf(roots);
  }

  /**
   * Returns the content of a file.
   *
   * @param path from the WPT root, with leading slash
   * @return empty if there is no such file, or the path leaves the root
   * @throws IOException if the file exists but cannot be read
   */
  Optional<byte[]> read(String path) throws IOException {
    if (!path.startsWith("/")
        || path.endsWith("/")
        || List.of(path.split("/")).contains("..")
        || path.indexOf('\\') >= 0) {
      return Optional.empty();
    }
    Path copy;
    List<Path> originals;
    try {
      copy = memory.getPath(path);
      originals = roots.stream().map(root -> root.resolve(path.substring(1))).toList();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
    synchronized (copying) {
      if (!Files.exists(copy)) {
        Optional<Path> original = originals.stream().filter(Files::isRegularFile).findFirst();
        if (original.isEmpty()) {
          return Optional.empty();
        }
        Files.createDirectories(copy.getParent());
        Files.write(copy, Files.readAllBytes(original.get()));
      }
    }
    return Optional.of(Files.readAllBytes(copy));
  }

  boolean exists(String path) throws IOException {
    return read(path).isPresent();
  }

  /** Drops the copies. */
  @Override
  public void close() throws IOException {
    memory.close();
  }
}
