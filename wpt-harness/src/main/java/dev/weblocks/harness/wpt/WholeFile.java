package dev.weblocks.harness.wpt;

import java.io.BufferedWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.concurrent.atomic.AtomicBoolean;
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
  public static void save(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path target = target(file);
    if (isStream(target)) {
      // Appends, because a regular file behind a descriptor contains the output so far.
      Files.write(target, bytes, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      return;
    }
    try (Part part = createBeside(target)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        part.channel.write(left);
      }
      part.replace(target);
    }
  }

  /**
   * A file that becomes the target when it is complete. It is locked as long as its process writes
   * it: one that a killed process has left can be locked, and is removed.
   */
  private record Part(Path path, FileChannel channel, AtomicBoolean placed)
      implements AutoCloseable {

    /** Puts the file into place. Its data are on the disk first, or a crash may leave it empty. */
    void replace(Path target) throws IOException {
      channel.force(/* metaData= */ true);
      placed.set(true); // before the move: afterwards the name may belong to another run
      try {
        Files.move(
            path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(path, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }

    /** Removes the file, unless it has been put into place. */
    @Override
    public void close() throws IOException {
      try (channel) {
        if (!placed.get()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  /** A writer whose file is put into place atomically on close, as by {@link #save}. */
  public static final class PendingFile extends FilterWriter {
    private final @Nullable Part part;
    private final Path target;
    private boolean closed;

    private PendingFile(Writer out, @Nullable Part part, Path target) {
      super(out);
      this.part = part;
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
      if (part == null) {
        out.close();
        return;
      }
      try (part) { // stays open, and locked, until it is in place
        out.flush();
        if (place) {
          part.replace(target);
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
    Part part = createBeside(target);
    return new PendingFile(
        new BufferedWriter(Channels.newWriter(part.channel, StandardCharsets.UTF_8)), part, target);
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
  private static Part createBeside(Path target) throws IOException {
    for (int i = 0; ; i++) {
      Path candidate = part(target, i);
      removeUnlocked(candidate);
      FileChannel channel;
      try {
        channel =
            FileChannel.open(candidate, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        continue; // belongs to another run
      }
      boolean unused = lock(channel);
      if (!Files.exists(candidate)) { // taken for a file that was left over
        channel.close();
        continue;
      }
      Part part = new Part(candidate, channel, new AtomicBoolean());
      try {
        PosixFileAttributeView old = attributes(target);
        PosixFileAttributeView own = attributes(candidate);
        if (Files.exists(target) && old != null && own != null) {
          own.setPermissions(old.readAttributes().permissions());
        }
      } catch (IOException e) {
        part.close();
        throw e;
      }
      return part;
    }
  }

  private static Path part(Path target, int number) {
    return target.resolveSibling("." + target.getFileName() + "." + number + ".part");
  }

  /** Removes what a killed process has left beside a file that it was about to write. */
  public static void removeLeftOver(Path file) throws IOException {
    removeUnlocked(part(target(file), 0));
  }

  private static void removeUnlocked(Path part) {
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      if (lock(channel)) {
        Files.deleteIfExists(part);
      }
    } catch (IOException inUseOrForeign) {
      // stays; another name is tried
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ofThisProcess) {
      return false;
    } catch (IOException noLocks) { // a file system without locks: what is left over stays
      return false;
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
      createBeside(target).close();
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
