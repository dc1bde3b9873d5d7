package dev.weblocks.harness.wpt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.weblocks.file.ServedDirectory;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files of a WPT directory, or of several overlaid ones, in memory. A file is copied when it is
 * first requested. One copy serves all tests of a run. Thread-safe.
 */
public final class WptFiles implements AutoCloseable {

  private final List<ServedDirectory> roots;
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
    this.roots = roots.stream().map(ServedDirectory::new).toList();
  }

  /**
   * Returns the content of a file.
   *
   * @param path from the WPT root, with leading slash
   * @return empty if there is no such file, or the path or a symbolic link leaves the root
   * @throws IOException if the file exists but cannot be read, or is too large
   */
  Optional<byte[]> read(String path) throws IOException {
    List<String> names = List.of(path.split("/", -1));
    List<String> inRoot = names.subList(1, names.size());
    if (!names.getFirst().isEmpty() || !inRoot.stream().allMatch(ServedDirectory::isName)) {
      return Optional.empty();
    }
    Path copy;
    try {
      copy = memory.getPath(path);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
    synchronized (copying) {
      if (!Files.exists(copy)) {
        byte[] original = original(inRoot);
        if (original == null) {
          return Optional.empty();
        }
        Files.createDirectories(copy.getParent());
        Files.write(copy, original);
      }
    }
    return Optional.of(Files.readAllBytes(copy));
  }

  private byte @Nullable [] original(List<String> names) throws IOException {
    for (ServedDirectory root : roots) {
      Path file = root.find(names);
      if (file != null && Files.isRegularFile(file)) {
        return root.read(file);
      }
    }
    return null;
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
