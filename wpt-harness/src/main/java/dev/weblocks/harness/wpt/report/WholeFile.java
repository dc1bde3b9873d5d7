package dev.weblocks.harness.wpt.report;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import org.jspecify.annotations.Nullable;

/** Functions that write text files atomically. */
public final class WholeFile {

  private static final int MAX_LINKS = 40;

  private WholeFile() {}

  /**
   * Writes the text atomically: readers get the old text or the new one. Symbolic links are kept
   * and their target is written. A file that is not regular (a device, a pipe) is written in place,
   * and so is an open file of the process, such as {@code /dev/stdout}.
   */
  static void save(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path target = target(file);
    if (isStream(target)) {
      // Appends, because a regular file behind a descriptor contains the output so far.
      Files.write(target, bytes, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      return;
    }
    Path temporary = createBeside(target);
    try {
      Files.write(temporary, bytes);
      replace(target, temporary);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** A writer whose file is put into place atomically on close, as by {@link #save}. */
  public static final class PendingFile extends FilterWriter {
    private final @Nullable Path temporary;
    private final Path target;
    private boolean closed;

    private PendingFile(Writer out, @Nullable Path temporary, Path target) {
      super(out);
      this.temporary = temporary;
      this.target = target;
    }

    @Override
    public void close() throws IOException {
      close(/* place= */ true);
    }

    /** Closes the writer without putting the file into place: the existing file is kept. */
    public void discard() throws IOException {
      close(/* place= */ false);
    }

    private void close(boolean place) throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        out.close();
        if (place && temporary != null) {
          replace(target, temporary);
        }
      } finally {
        if (temporary != null) {
          Files.deleteIfExists(temporary);
        }
      }
    }
  }

  /** Opens a writer. A stream, such as a pipe, is written directly, not on close. */
  public static PendingFile open(Path file) throws IOException {
    Path target = target(file);
    if (isStream(target)) {
      return new PendingFile(
          Files.newBufferedWriter(target, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
          null,
          target);
    }
    Path temporary = createBeside(target);
    return new PendingFile(Files.newBufferedWriter(temporary), temporary, target);
  }

  private static void replace(Path target, Path temporary) throws IOException {
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Resolves the symbolic links of a path, except those to open files of this process. */
  private static Path target(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target) && !isDescriptor(target); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Returns a path that is equal for all paths to the same file. */
  public static Path identity(Path file) throws IOException {
    Path target = target(file);
    Path directory = target.getParent();
    return directory == null || !Files.isDirectory(directory)
        ? target.normalize()
        : directory.toRealPath().resolve(target.getFileName()).normalize();
  }

  private static boolean isDescriptor(Path path) {
    Path plain = path.normalize();
    return plain.startsWith("/proc") || plain.startsWith("/dev/fd");
  }

  private static boolean isStream(Path target) {
    return Files.exists(target) && (isDescriptor(target) || !Files.isRegularFile(target));
  }

  /** Creates an empty file beside the target, with the permissions of an existing target. */
  private static Path createBeside(Path target) throws IOException {
    for (int i = 0; ; i++) {
      Path candidate = target.resolveSibling("." + target.getFileName() + "." + i + ".part");
      try {
        Files.createFile(candidate);
      } catch (FileAlreadyExistsException e) {
        continue; // belongs to another run
      }
      PosixFileAttributeView old = attributes(target);
      PosixFileAttributeView own = attributes(candidate);
      if (Files.exists(target) && old != null && own != null) {
        own.setPermissions(old.readAttributes().permissions());
      }
      return candidate;
    }
  }

  private static @Nullable PosixFileAttributeView attributes(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /**
   * Checks that {@link #save} can work, without changing anything.
   *
   * @throws IOException if it cannot; the message contains the reason
   */
  public static void requireWritable(Path file) throws IOException {
    Path target = target(file);
    Path directory = target.getParent();
    if (Files.isDirectory(target) || directory == null) {
      throw new IOException(file + " is a directory; name a file");
    }
    if (!Files.isDirectory(directory)) {
      throw new IOException("the directory " + directory + " does not exist");
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new IOException(file + " is not writable");
    }
    if (isStream(target)) {
      return;
    }
    try {
      Files.delete(createBeside(target));
    } catch (FileSystemException e) {
      String reason = e.getReason();
      if (reason != null) { // for example, the name is too long
        throw new IOException(reason, e);
      }
      throw new IOException("the directory " + directory + " is not writable", e);
    } catch (IOException e) {
      throw new IOException("the directory " + directory + " is not writable", e);
    }
  }
}
