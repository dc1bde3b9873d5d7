package dev.weblocks.cli;

import dev.weblocks.trace.TraceFormat;
import dev.weblocks.trace.TraceOutput;
import dev.weblocks.wpt.report.WholeFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a trace of what happens goes, and as what: what all commands that trace have alike. */
final class TraceOptions {

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write what happens to FILE: each task, microtask checkpoint and lock step, with what led"
              + " to it. A name that ends in .html gets a timeline to look at, .json the format of"
              + " Perfetto and chrome://tracing, any other JSON lines.")
  private @Nullable Path file;

  @Option(
      names = "--trace-format",
      paramLabel = "FORMAT",
      description = "Write --trace as FORMAT, whatever its name: jsonl, perfetto or html.")
  private @Nullable String format;

  /** Whether a trace is asked for. */
  boolean areGiven() {
    return file != null;
  }

  /** The file; null if there is to be none. */
  @Nullable Path file() {
    return file;
  }

  /**
   * What is wrong with these options, if anything; nothing is read.
   *
   * @return a message, or null
   */
  @Nullable String problem() {
    if (format == null) {
      return null;
    }
    if (TraceFormat.named(format) == null) {
      return "--trace-format '" + format + "' is no format; there are " + TraceFormat.labels();
    }
    return file == null ? "--trace-format " + format + " needs --trace FILE" : null;
  }

  /** The file that is to be written; null if there is to be none. */
  @Nullable OutputFile output(Path workingDirectory) {
    return OutputFile.of("--trace", file, workingDirectory);
  }

  /**
   * Opens the file, which has its place, as a whole, when it is closed.
   *
   * @param err where to say that it could not be written
   * @return null if there is to be none
   * @throws CommandFailure if it cannot be opened
   */
  @Nullable TraceFile open(Path workingDirectory, PrintStream err) throws CommandFailure {
    OutputFile named = output(workingDirectory);
    if (named == null) {
      return null;
    }
    try {
      return new TraceFile(output(named, WholeFile.open(named.path())), named.name(), err);
    } catch (IOException e) {
      throw named.unwritable(e);
    }
  }

  private TraceOutput output(OutputFile named, Writer file) {
    TraceFormat asked = format == null ? null : TraceFormat.named(format);
    return new TraceOutput(asked == null ? TraceFormat.of(named.name()) : asked, file);
  }

  /** Fills a trace. */
  @FunctionalInterface
  interface Filling {
    void fill(TraceOutput output);
  }

  /**
   * Writes the file as a whole; does nothing if there is to be none, and leaves what there was if
   * filling fails.
   *
   * @throws CommandFailure if it cannot be written
   */
  void write(Path workingDirectory, Filling filling) throws CommandFailure {
    OutputFile named = output(workingDirectory);
    if (named == null) {
      return;
    }
    try (WholeFile.Unplaced file = WholeFile.open(named.path());
        TraceOutput output = output(named, file)) {
      fill(file, output, filling);
    } catch (IOException e) {
      throw named.unwritable(e);
    }
  }

  private static void fill(WholeFile.Unplaced file, TraceOutput output, Filling filling)
      throws IOException {
    try {
      filling.fill(output);
    } catch (RuntimeException | Error failure) {
      file.discard(); // before its end is written, which would give it its place
      throw failure;
    }
  }
}
