package dev.weblocks.harness.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watcher for changes of single files, and of all files below some directories. Not thread-safe.
 */
final class FileChanges implements AutoCloseable {

  /**
   * The time without a further change after which a change is complete; editors write a file in
   * several steps.
   */
  private static final long QUIET_MILLIS = 200;

  private final WatchService watcher;
  private final List<Path> directories;
  private final List<Path> files;

  /**
   * Begins to watch.
   *
   * @param directories watched recursively; a directory that does not exist is skipped
   */
  FileChanges(List<Path> directories, List<Path> files) throws IOException {
    this.watcher = Path.of("").getFileSystem().newWatchService();
    this.directories = directories.stream().map(Path::toAbsolutePath).toList();
    this.files = files.stream().map(Path::toAbsolutePath).toList();
    for (Path directory : this.directories) {
      if (Files.isDirectory(directory)) {
        watchBelow(directory);
      }
    }
    for (Path file : this.files) {
      watch(Objects.requireNonNullElse(file.getParent(), file));
    }
  }

  private void watchBelow(Path start) throws IOException {
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            watch(directory);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) { // deleted meanwhile
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  private void watch(Path directory) throws IOException {
    directory.register(
        watcher,
        StandardWatchEventKinds.ENTRY_CREATE,
        StandardWatchEventKinds.ENTRY_MODIFY,
        StandardWatchEventKinds.ENTRY_DELETE);
  }

  /**
   * Waits for a change since the last call, then until no file changes for {@link #QUIET_MILLIS}.
   *
   * @return the changed paths, sorted; may be empty if the system lost events
   */
  SortedSet<Path> await() throws InterruptedException, IOException {
    SortedSet<Path> changed = new TreeSet<>();
    boolean some = false;
    while (!some) {
      some = collect(watcher.take(), changed);
    }
    WatchKey next = watcher.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS);
    while (next != null) {
      collect(next, changed);
      next = watcher.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS);
    }
    return changed;
  }

  /** Adds the changed paths of a key. Returns whether a watched file may have changed. */
  private boolean collect(WatchKey key, SortedSet<Path> changed) throws IOException {
    boolean some = false;
    Path directory = (Path) key.watchable();
    for (WatchEvent<?> event : key.pollEvents()) {
      @Nullable Path path = event.context() instanceof Path name ? directory.resolve(name) : null;
      if (path == null) { // the system lost events
        some = true;
      } else if (directories.stream().anyMatch(path::startsWith) || files.contains(path)) {
        some = true;
        changed.add(path);
        if (event.kind() == StandardWatchEventKinds.ENTRY_CREATE && Files.isDirectory(path)) {
          watchBelow(path);
        }
      }
    }
    key.reset();
    return some;
  }

  @Override
  public void close() throws IOException {
    watcher.close();
  }
}
