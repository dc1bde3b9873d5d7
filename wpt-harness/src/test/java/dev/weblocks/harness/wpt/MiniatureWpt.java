package dev.weblocks.harness.wpt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small WPT directory that a test writes for itself. */
public final class MiniatureWpt {

  private final Path root;

  public MiniatureWpt() {
    FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
    this.root = memory.getPath("/wpt");
    file("resources/testharness.js", "");
  }

  public MiniatureWpt(Path root) {
    this.root = root;
    file("resources/testharness.js", "");
  }

  public Path root() {
    return root;
  }

  public MiniatureWpt file(String path, String... lines) {
    return bytes(path, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  public MiniatureWpt bytes(String path, byte[] content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }
}
