package dev.weblocks.agent;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The path of a module, which the engine uses like a file path: the specifier at first, the URL of
 * the module once it is found. The engine joins paths only by {@link #resolveSibling(String)}.
 */
final class ModulePath implements Path {

  private final ModuleLoader loader;
  private final String text;
  private final Supplier<ModuleFile> find;
  private @Nullable ModuleFile file;

  private ModulePath(ModuleLoader loader, String text, Supplier<ModuleFile> find) {
    this.loader = loader;
    this.text = text;
    this.find = find;
  }

  /**
   * Returns a path whose text is a specifier or an importer's path; the first use decides which.
   */
  static ModulePath of(ModuleLoader loader, String text) {
    return new ModulePath(loader, text, () -> loader.find(null, text, false));
  }

  static ModulePath of(ModuleLoader loader, URI uri) {
    String text = uri.toString();
    return new ModulePath(loader, text, () -> loader.find(null, text, true));
  }

  ModuleFile file() {
    ModuleFile found = file;
    if (found == null) {
      found = find.get();
      file = found;
    }
    return found;
  }

  /** Returns the path of the found module, which is its URL. */
  ModulePath found() {
    ModuleFile module = file();
    return new ModulePath(loader, module.path(), () -> module);
  }

  @Override
  public ModulePath resolveSibling(String specifier) {
    return new ModulePath(loader, specifier, () -> loader.find(text, specifier, false));
  }

  @Override
  public URI toUri() {
    return ModuleUris.forEngine(file().uri());
  }

  @Override
  public String toString() {
    return file == null ? text : file.path();
  }

  @Override
  public boolean isAbsolute() {
    return true;
  }

  @Override
  public Path getFileName() {
    return this;
  }

  @Override
  public Path normalize() {
    return this;
  }

  @Override
  public Path toAbsolutePath() {
    return this;
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return found();
  }

  @Override
  public FileSystem getFileSystem() {
    return FileSystems.getDefault();
  }

  @Override
  public @Nullable Path getRoot() {
    return null;
  }

  @Override
  public @Nullable Path getParent() {
    return null;
  }

  @Override
  public int getNameCount() {
    return 1;
  }

  @Override
  public Path getName(int index) {
    return this;
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return this;
  }

  @Override
  public boolean startsWith(Path other) {
    return equals(other);
  }

  @Override
  public boolean endsWith(Path other) {
    return equals(other);
  }

  @Override
  public Path resolve(Path other) {
    return other;
  }

  @Override
  public Path relativize(Path other) {
    return other;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("the module file system cannot be watched");
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ModulePath path && path.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
