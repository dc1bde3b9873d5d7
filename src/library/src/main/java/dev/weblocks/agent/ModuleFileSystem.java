package dev.weblocks.agent;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * The file system of a context, through which the engine loads modules; contains only modules. Data
 * URLs that the engine recognizes do not reach the file system.
 *
 * <p>Methods that read a module must throw only IOExceptions: script would see any other exception
 * as a Java object.
 */
public final class ModuleFileSystem implements FileSystem {

  private static final String SCRIPT = "application/javascript+module";
  private static final String JSON = "application/json";

  private final ModuleLoader loader;

  private ModuleFileSystem(ModuleLoader loader) {
    this.loader = loader;
  }

  /** Returns the I/O access for a context that gets its modules from a loader. */
  public static IOAccess access(ModuleLoader loader) {
    return IOAccess.newBuilder().fileSystem(new ModuleFileSystem(loader)).build();
  }

  /** The number of nested calls for which the stack must have room. */
  private static final int ROOM = 3000;

  /**
   * Throws an exception, which the engine converts to an Error, if the stack is nearly full. The
   * engine calls {@link #parsePath} first; a later overflow could reach script as a Java error.
   */
  private static void requireRoomOnStack() {
    try {
      int unused = descend(ROOM);
    } catch (StackOverflowError overflow) {
      throw new IllegalArgumentException("Maximum call stack size exceeded");
    }
  }

  private static int descend(int depth) {
    return depth == 0 ? 0 : descend(depth - 1) + 1;
  }

  @Override
  public Path parsePath(URI uri) {
    requireRoomOnStack();
    return ModulePath.of(loader, uri);
  }

  @Override
  public Path parsePath(String path) {
    requireRoomOnStack();
    return ModulePath.of(loader, path);
  }

  @Override
  public Path toAbsolutePath(Path path) {
    return path;
  }

  @Override
  public Path toRealPath(Path path, LinkOption... options) throws IOException {
    try {
      return ((ModulePath) path).found();
    } catch (IllegalStateException | StackOverflowError | OutOfMemoryError failure) {
      throw asIoException(failure);
    }
  }

  @Override
  public @Nullable String getMimeType(Path path) {
    try {
      return ((ModulePath) path).file().isJson() ? JSON : SCRIPT;
    } catch (IllegalStateException | StackOverflowError | OutOfMemoryError failure) {
      return null; // it will be read anyway, and fail then
    }
  }

  @Override
  public Charset getEncoding(Path path) {
    return StandardCharsets.UTF_16BE;
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    try {
      String text = ((ModulePath) path).file().text();
      byte[] bytes = new byte[2 * text.length()];
      ByteBuffer.wrap(bytes).asCharBuffer().put(text);
      return new Bytes(bytes);
    } catch (IllegalStateException | StackOverflowError | OutOfMemoryError failure) {
      throw asIoException(failure);
    }
  }

  private static IOException asIoException(Throwable failure) {
    return new IOException(
        switch (failure) {
          case StackOverflowError overflow -> "Maximum call stack size exceeded";
          case OutOfMemoryError outOfMemory -> "Out of memory";
          default -> "Internal error in module";
        });
  }

  @Override
  public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) {
    if (modes.contains(AccessMode.WRITE) || modes.contains(AccessMode.EXECUTE)) {
      throw readOnly();
    }
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
    return Map.of("isRegularFile", true, "isDirectory", false, "isSymbolicLink", false);
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) {
    throw readOnly();
  }

  @Override
  public void delete(Path path) {
    throw readOnly();
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) {
    throw readOnly();
  }

  private static SecurityException readOnly() {
    return new SecurityException("the module file system is read-only");
  }

  /** A file in memory. */
  private static final class Bytes implements SeekableByteChannel {
    private final byte[] bytes;
    private int position;
    private boolean closed;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer target) {
      if (position >= bytes.length) {
        return -1;
      }
      int count = Math.min(target.remaining(), bytes.length - position);
      target.put(bytes, position, count);
      position += count;
      return count;
    }

    @Override
    public int write(ByteBuffer source) {
      throw new NonWritableChannelException();
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public SeekableByteChannel position(long next) {
      position = (int) Math.min(next, bytes.length);
      return this;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public SeekableByteChannel truncate(long size) {
      throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
      return !closed;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
