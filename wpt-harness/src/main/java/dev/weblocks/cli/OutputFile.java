package dev.weblocks.cli;

import dev.weblocks.wpt.report.IoProblem;
import dev.weblocks.wpt.report.Visible;
import dev.weblocks.wpt.report.WholeFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that an option names for output, and what is said where it cannot be had.
 *
 * @param option such as {@code --json}
 * @param name as the user has typed it
 * @param path where that is
 */
record OutputFile(String option, Path name, Path path) {

  /** The file of an option; null if the user has named none. */
  static @Nullable OutputFile of(String option, @Nullable Path name, Path workingDirectory) {
    return name == null ? null : new OutputFile(option, name, workingDirectory.resolve(name));
  }

  /** The option and the name, as messages have them. */
  String label() {
    return option + " " + Visible.line(name.toString());
  }

  /** What to say when it cannot be written. */
  CommandFailure unwritable(IOException problem) {
    return new CommandFailure(
        label() + " cannot be written: " + IoProblem.text(problem) + "; name another file");
  }

  /**
   * Finds out whether it can be written, leaving no trace.
   *
   * @throws CommandFailure if it cannot
   */
  void requireWritable() throws CommandFailure {
    try {
      WholeFile.requireWritable(path);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Whether another one leads to the same file. */
  boolean isSameAs(OutputFile other) throws CommandFailure {
    try {
      return WholeFile.identity(path).equals(WholeFile.identity(other.path));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Writes it as a whole.
   *
   * @throws CommandFailure if it cannot be written
   */
  void write(String text) throws CommandFailure {
    try (Writer writer = WholeFile.open(path)) {
      writer.write(text);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }
}
