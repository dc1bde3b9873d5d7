package dev.weblocks.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of the host's files that resolves package names in imports of ES modules. An
 * embedder needs this for {@code node_modules}, since the engine does not support the {@code
 * exports} of packages.
 *
 * @param folder the {@code node_modules} folder
 */
record NodeModules(Path folder, FileSystem files) implements FileSystem {

  private static final ObjectMapper JSON = new ObjectMapper();

  NodeModules(Path folder) {
    this(folder, FileSystem.newReadOnlyFileSystem(FileSystem.newDefaultFileSystem()));
  }

  @Override
  public Path parsePath(String path) {
    if (!path.matches("(@[\\w.-]+/)?[\\w.-]+(/.*)?")) {
      return files.parsePath(path);
    }
    String[] parts = path.split("/", path.startsWith("@") ? 3 : 2);
    int own = path.startsWith("@") ? 2 : 1;
    Path home = folder.resolve(String.join("/", List.of(parts).subList(0, own)));
    String rest = parts.length > own ? "./" + parts[own] : ".";
    try {
      JsonNode exports = JSON.readTree(home.resolve("package.json").toFile()).path("exports");
      JsonNode choice = exports.isTextual() ? exports : exports.path(rest);
      String target = target(choice);
      if (target == null || Files.notExists(home.resolve(target))) {
        throw new IllegalArgumentException(path + " is exported by no file of " + home);
      }
      return home.resolve(target).normalize();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String target(JsonNode choice) {
    if (choice.isTextual()) {
      return choice.asText();
    }
    for (String condition : List.of("import", "default")) {
      String target = choice.has(condition) ? target(choice.get(condition)) : null;
      if (target != null) {
        return target;
      }
    }
    return null;
  }

  @Override
  public Path parsePath(URI uri) {
    return files.parsePath(uri);
  }

  @Override
  public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options)
      throws IOException {
    files.checkAccess(path, modes, options);
  }

  @Override
  public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
    files.createDirectory(dir, attributes);
  }

  @Override
  public void delete(Path path) throws IOException {
    files.delete(path);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return files.newByteChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
    return files.newDirectoryStream(dir, filter);
  }

  @Override
  public Path toAbsolutePath(Path path) {
    return files.toAbsolutePath(path);
  }

  @Override
  public Path toRealPath(Path path, LinkOption... options) throws IOException {
    return files.toRealPath(path, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return files.readAttributes(path, attributes, options);
  }
}
