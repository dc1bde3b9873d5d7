package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the first index of the newest file of the log outside of the log, see {@link LogGap#find}.
 * Ratis syncs the files, but not the folder: after a loss of power, a whole file may be gone.
 */
final class ConfirmedLog {

  private static final Logger LOG = System.getLogger(ConfirmedLog.class.getName());

  private static final long RETRY_NANOS = 1_000_000_000;

  private final MemberFolder member;
  private final Path current;

  // used on the thread that applies entries only
  private @Nullable Path open;
  private long begin = -1;
  private long retryAt = System.nanoTime();

  /**
   * @param current the folder of the log
   */
  ConfirmedLog(MemberFolder member, Path current) {
    this.member = member;
    this.current = current;
  }

  /** Called after an entry was applied, which a majority of the members has then confirmed. */
  void applied(long index) {
    try {
      if (open == null || !Files.exists(open)) { // Ratis renames the file when it begins another
        begin = LogGap.open(current);
        open = begin < 0 ? null : current.resolve("log_inprogress_" + begin);
      }
      if (begin > member.confirmed() && begin <= index && System.nanoTime() - retryAt >= 0) {
        syncFolder(); // a file that begins later may be discarded again
        member.saveConfirmed(begin);
      }
    } catch (IOException failed) { // such as a full disk
      retryAt = System.nanoTime() + RETRY_NANOS;
      LOG.log(Level.DEBUG, "the confirmed index is not saved", failed);
    }
  }

  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(current, StandardOpenOption.READ)) {
      folder.force(/* metaData= */ true);
    }
  }
}
