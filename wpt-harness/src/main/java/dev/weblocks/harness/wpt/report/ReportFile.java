package dev.weblocks.harness.wpt.report;

import dev.weblocks.file.RegularFile;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;

/** The file of a stored report, plain or compressed by gzip, within limits: memory ends. */
public final class ReportFile {

  /** The maximum length of a string in a report of tests, in characters. */
  public static final int MAX_STRING = 20_000_000;

  /** The maximum length of the states of an exploration, in characters. */
  public static final int MAX_STATES = 200_000_000;

  /** The maximum size of the text, in bytes. The reports of whole browsers have some 300 MB. */
  private static final long MAX_BYTES = 2_000_000_000;

  /** The size that a text may have in any case, in bytes. */
  private static final long MIN_BYTES = 1_000_000;

  /** The maximum ratio of a text to its compressed size. That of real reports is 10 to 30. */
  private static final int MAX_RATIO = 100;

  private static final int GZIP_MAGIC = 0x1f8b;

  private ReportFile() {}

  /**
   * Opens a report as text in UTF-8.
   *
   * @throws IOException if it is no regular file, or cannot be read; reading throws if it is not
   *     UTF-8, or too large
   */
  public static Reader open(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(RegularFile.open(file));
    try {
      bytes.mark(2);
      int magic = bytes.read() << 8 | bytes.read();
      bytes.reset();
      Limited plain = new Limited(bytes, () -> MAX_BYTES);
      InputStream text =
          magic == GZIP_MAGIC
              ? new Limited(new GZIPInputStream(plain), () -> MAX_RATIO * plain.count)
              : plain;
      return new InputStreamReader(text, StandardCharsets.UTF_8.newDecoder());
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  private static final class Limited extends FilterInputStream {
    private final LongSupplier limit;
    private long count;

    Limited(InputStream in, LongSupplier limit) {
      super(in);
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      return counted(read, read < 0 ? 0 : 1);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      return counted(read, read);
    }

    private int counted(int result, int read) throws IOException {
      count += Math.max(0, read);
      long most = Math.clamp(limit.getAsLong(), MIN_BYTES, MAX_BYTES);
      if (count > most) {
        throw new IOException("its text has more than " + most + " bytes; split it");
      }
      return result;
    }
  }
}
