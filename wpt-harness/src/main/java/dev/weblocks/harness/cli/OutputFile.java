package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.WholeFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An output file that an option names.
 *
 * @param option such as {@code --json}
 * @param name as typed by the user
 */
record OutputFile(String option, Path name, Path path) {

  static @Nullable OutputFile of(String option, @Nullable Path name, Path workingDirectory) {
    return name == null ? null : new OutputFile(option, name, workingDirectory.resolve(name));
  }

  String label() {
    return option + " " + HarmlessText.line(name.toString());
  }

  CommandFailure unwritable(IOException problem) {
    return new CommandFailure(
        label() + " cannot be written: " + IoProblem.text(problem) + "; name another file");
  }

  void requireWritable() throws CommandFailure {
    try {
      WholeFile.requireWritable(path);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  boolean isSameAs(OutputFile other) throws CommandFailure {
    try {
      return WholeFile.identity(path).equals(WholeFile.identity(other.path));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  void write(String text) throws CommandFailure {
    try (Writer writer = WholeFile.open(path)) {
      writer.write(text);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }
}
