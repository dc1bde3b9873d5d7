package dev.weblocks.harness.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * An output whose reader may end before the writer, as in {@code | head}: the first write that
 * fails then ends the command, which would otherwise print for nothing.
 */
final class StandardOutput extends FilterOutputStream {

  /** The exit code of a process that SIGPIPE ends; the JVM ignores the signal. */
  static final int NOT_READ = 141;

  private static final int FILE_TYPE = 0xF000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xC000;

  private final BooleanSupplier hasReader;
  private final Runnable onReaderGone;
  private final AtomicBoolean readerGone = new AtomicBoolean();

  /**
   * @param hasReader whether a failure has another reason than the end of the reader
   * @param onReaderGone called at most once, by a thread that prints
   */
  StandardOutput(OutputStream out, BooleanSupplier hasReader, Runnable onReaderGone) {
    super(out);
    this.hasReader = hasReader;
    this.onReaderGone = onReaderGone;
  }

  /** A stream of lines that shows whether its reader has ended. */
  static final class Lines extends PrintStream {
    private final StandardOutput output;

    private Lines(StandardOutput output) {
      super(new BufferedOutputStream(output), true, System.out.charset());
      this.output = output;
    }

    boolean hasNoReader() {
      return output.readerGone.get();
    }
  }

  /** Returns the standard output of this process. */
  static PrintStream ofProcess() {
    StandardOutput out =
        new StandardOutput(
            new FileOutputStream(FileDescriptor.out),
            () -> !isPipe(),
            // not on this thread: shutdown hooks wait for the command, which may be printing here
            () -> Thread.ofPlatform().daemon().start(StandardOutput::endProcess));
    return new Lines(out);
  }

  private static void endProcess() {
    System.err.close(); // or the command would print that it was interrupted
    System.exit(NOT_READ);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (!hasReader.getAsBoolean() && readerGone.compareAndSet(false, true)) {
        onReaderGone.run();
      }
      throw e;
    }
  }

  /** Returns whether the standard output is a pipe: messages of the system are in any language. */
  private static boolean isPipe() {
    try {
      int type = (int) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode") & FILE_TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
