package dev.weblocks.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Functions that read files that other people may have made. They refuse a pipe and a device, since
 * reading these may never end, and a file that is larger than a limit, since memory ends.
 */
public final class RegularFile {

  /** The maximum size of a script, a test or a file of settings, in bytes. */
  public static final int MAX_TEXT = 1 << 26;

  private RegularFile() {}

  /**
   * Opens a file. An open file of this process, such as {@code /dev/stdin}, may be a pipe.
   *
   * @throws IOException if it is absent, is not a regular file, or cannot be read; a {@link
   *     FileSystemException} has the reason
   */
  public static InputStream open(Path file) throws IOException {
    requireRegular(file);
    return Files.newInputStream(file);
  }

  private static void requireRegular(Path file) throws IOException {
    if (!Files.isRegularFile(file) && !isDescriptor(file)) {
      throw problem(file);
    }
  }

  /**
   * Returns the content of a file, as by {@link #open}.
   *
   * @param most the maximum size, in bytes; larger files are refused
   */
  public static byte[] read(Path file, int most) throws IOException {
    requireRegular(file);
    long size = Files.size(file); // 0 for a pipe
    if (size <= most) {
      try (InputStream in = open(file)) {
        byte[] bytes = in.readNBytes(most + 1); // the file may grow meanwhile
        if (bytes.length <= most) {
          return bytes;
        }
        size = bytes.length;
      }
    }
    throw new FileSystemException(
        file.toString(),
        null,
        size + " bytes are more than may be read of one file (" + most + "); split it");
  }

  private static IOException problem(Path file) {
    if (Files.isDirectory(file)) {
      return new FileSystemException(file.toString(), null, "it is a directory");
    }
    if (Files.exists(file)) {
      return new FileSystemException(file.toString(), null, "it is a pipe or a device, not a file");
    }
    if (Files.isSymbolicLink(file)) {
      try {
        Path unused = file.toRealPath();
      } catch (NoSuchFileException dangling) {
        return new FileSystemException(
            file.toString(), null, "the symbolic link leads to a file that does not exist");
      } catch (IOException loop) {
        return loop;
      }
    }
    return new NoSuchFileException(file.toString());
  }

  private static boolean isDescriptor(Path file) {
    return file.startsWith("/dev/fd")
        || file.startsWith("/proc/self/fd")
        || file.equals(file.getFileSystem().getPath("/dev/stdin"));
  }
}
