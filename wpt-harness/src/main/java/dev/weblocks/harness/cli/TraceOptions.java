package dev.weblocks.harness.cli;

import dev.weblocks.explore.trace.TraceFormat;
import dev.weblocks.explore.trace.TraceOutput;
import dev.weblocks.harness.wpt.WholeFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for traces, shared by all commands that write one. */
final class TraceOptions {

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write a trace to FILE: each task, microtask checkpoint and lock step, with what caused"
              + " it. A name that ends in .html gets a page with a timeline, .json the format of"
              + " Perfetto and chrome://tracing, any other JSON lines.")
  private @Nullable Path file;

  @Option(
      names = "--trace-format",
      paramLabel = "FORMAT",
      description = "The format of the trace, whatever the name of FILE: jsonl, perfetto or html.")
  private @Nullable String format;

  boolean areGiven() {
    return file != null;
  }

  @Nullable Path file() {
    return file;
  }

  @Nullable String problem() {
    if (format == null) {
      return null;
    }
    if (TraceFormat.named(format) == null) {
      return "--trace-format '" + format + "' is unknown; formats are " + TraceFormat.labels();
    }
    return file == null ? "--trace-format " + format + " needs --trace FILE" : null;
  }

  @Nullable OutputFile output(Path workingDirectory) {
    return OutputFile.of("--trace", file, workingDirectory);
  }

  /**
   * Opens the trace. It is written to a temporary file, which is moved to the path when closed.
   *
   * @param err receives a message if the trace cannot be written
   * @return null for no trace
   * @throws CommandFailure if the file cannot be opened
   */
  @Nullable TraceFile open(Path workingDirectory, CliEnvironment cli) throws CommandFailure {
    OutputFile named = output(workingDirectory);
    if (named == null) {
      return null;
    }
    try {
      return new TraceFile(output(named, WholeFile.open(named.path())), named.name(), cli);
    } catch (IOException e) {
      throw named.unwritable(e);
    }
  }

  private TraceOutput output(OutputFile named, Writer file) {
    TraceFormat requested = format == null ? null : TraceFormat.named(format);
    return new TraceOutput(requested == null ? TraceFormat.of(named.name()) : requested, file);
  }

  @FunctionalInterface
  interface Filling {
    void fill(TraceOutput output);
  }

  /**
   * Writes the whole trace; no-op without {@code --trace}. On failure, an existing file is kept.
   *
   * @throws CommandFailure if the file cannot be written
   */
  void write(Path workingDirectory, Filling filling) throws CommandFailure {
    OutputFile named = output(workingDirectory);
    if (named == null) {
      return;
    }
    try (WholeFile.PendingFile file = WholeFile.open(named.path());
        TraceOutput output = output(named, file)) {
      fill(file, output, filling);
    } catch (IOException e) {
      throw named.unwritable(e);
    }
  }

  private static void fill(WholeFile.PendingFile file, TraceOutput output, Filling filling)
      throws IOException {
    try {
      filling.fill(output);
    } catch (RuntimeException | Error failure) {
      file.discard(); // before its end is written, which would move it to its path
      throw failure;
    }
  }
}
