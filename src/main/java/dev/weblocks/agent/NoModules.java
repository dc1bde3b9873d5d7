package dev.weblocks.agent;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;
import org.graalvm.polyglot.io.IOAccess;

/**
 * The file system of a context without module scripts: {@code import()} rejects with a TypeError,
 * as where a module cannot be fetched. The engine makes other errors of whatever a file system
 * throws, so here each module is there and throws when it is evaluated. Modules in data URLs never
 * come here; the engine runs them.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#hostloadimportedmodule">HostLoadImportedModule</a>
 */
public final class NoModules implements FileSystem {

  /** For contexts whose script gets at no file. */
  public static final IOAccess IO_ACCESS =
      IOAccess.newBuilder().fileSystem(new NoModules()).build();

  /** Makes a genuine TypeError, whatever a page has put in the place of the built-in. */
  private static final String MODULE =
      """
      try {
        null.module;
      } catch (error) {
        error.message = %s;
        error.stack = 'TypeError: ' + error.message;
        throw error;
      }
      """;

  private NoModules() {}

  @Override
  public Path parsePath(URI uri) {
    return parsePath(uri.toString());
  }

  /** The specifier in digits, since not each one is a path. */
  @Override
  public Path parsePath(String specifier) {
    return Path.of(
        "/" + HexFormat.of().formatHex(specifier.getBytes(StandardCharsets.UTF_16BE)) + ".mjs");
  }

  private static String specifierOf(Path path) {
    String name = path.getFileName().toString();
    return new String(
        HexFormat.of().parseHex(name, 0, name.length() - ".mjs".length()),
        StandardCharsets.UTF_16BE);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    String message = "Failed to fetch dynamically imported module: " + specifierOf(path);
    return new Text(MODULE.formatted(quoted(message)).getBytes(StandardCharsets.UTF_8));
  }

  private static String quoted(String text) {
    StringBuilder literal = new StringBuilder("'");
    for (char each : text.toCharArray()) {
      literal.append("\\u%04x".formatted((int) each));
    }
    return literal.append('\'').toString();
  }

  @Override
  public String getMimeType(Path path) {
    return "application/javascript+module";
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
  public Path toAbsolutePath(Path path) {
    return path;
  }

  @Override
  public Path toRealPath(Path path, LinkOption... options) {
    return path;
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
    return new SecurityException("there are no files");
  }

  /** A file in memory. */
  private static final class Text implements SeekableByteChannel {
    private final byte[] bytes;
    private int position;
    private boolean closed;

    Text(byte[] bytes) {
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
