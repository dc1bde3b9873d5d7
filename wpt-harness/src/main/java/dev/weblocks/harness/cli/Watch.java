package dev.weblocks.harness.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;

/**
 * A loop that repeats work after each change of files, until the process or the thread is
 * interrupted.
 */
final class Watch {

  @FunctionalInterface
  interface Work {
    int run() throws CommandFailure;
  }

  private static final int MAX_SHOWN = 3;

  private final CliEnvironment cli;
  private final List<Path> directories;
  private final List<Path> files;

  Watch(CliEnvironment cli, List<Path> directories, List<Path> files) {
    this.cli = cli;
    this.directories = directories;
    this.files = files;
  }

  /**
   * Repeats the work until the thread is interrupted.
   *
   * @return the exit code of the last repetition
   * @throws CommandFailure if the work fails the first time; later failures are printed
   */
  int run(Work work) throws CommandFailure {
    try (FileChanges changes = new FileChanges(directories, files)) {
      int last = work.run();
      while (!Thread.currentThread().isInterrupted()) {
        cli.println("Waiting for a change; Ctrl-C ends");
        SortedSet<Path> changed;
        try {
          changed = changes.await();
        } catch (InterruptedException end) {
          Thread.currentThread().interrupt();
          break;
        }
        show(changed);
        try {
          last = work.run();
        } catch (CommandFailure failure) {
          cli.note(failure.getMessage());
          last = Main.FAILED;
        }
      }
      return last;
    } catch (IOException e) {
      throw new CommandFailure(
          "files cannot be watched: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  private void show(SortedSet<Path> changed) {
    List<String> names = changed.stream().limit(MAX_SHOWN).map(Path::toString).toList();
    cli.println(
        changed.isEmpty()
            ? "Something has changed"
            : "Changed: "
                + String.join(", ", names)
                + (changed.size() > MAX_SHOWN
                    ? " and " + (changed.size() - MAX_SHOWN) + " more"
                    : ""));
  }
}
