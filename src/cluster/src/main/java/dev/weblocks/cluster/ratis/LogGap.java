package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Missing entries of the log. Between a snapshot and the log, as in a folder that got an old
 * snapshot back: Ratis would start, and wait for them for ever. At the end of the log, as after a
 * loss of power: Ratis would start, and vote for a log that lacks what this member has confirmed.
 */
final class LogGap {

  private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");
  private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");
  private static final Pattern SNAPSHOT = Pattern.compile("snapshot\\.\\d+_(\\d+)");

  private LogGap() {}

  /**
   * Returns a description of the gap; null if there is none.
   *
   * @param current the folder of the log
   * @param confirmed the first index of the newest file with a confirmed entry; -1 if unknown
   */
  static @Nullable String find(Path current, long confirmed) throws IOException {
    long[] segments = indexes(current, SEGMENT);
    long begin = LongStream.of(segments).min().orElse(0);
    long end = LongStream.of(indexes(current.resolveSibling("sm"), SNAPSHOT)).max().orElse(-1);
    if (begin > end + 1) {
      return "the snapshot ends at entry " + end + ", but the log begins at entry " + begin;
    }
    return Math.max(end, LongStream.of(segments).max().orElse(-1)) >= confirmed
        ? null
        : "the log has no file from entry " + confirmed + " on, although this member confirmed it";
  }

  /** Returns the first index of the file to which Ratis appends; -1 if there is none. */
  static long open(Path current) throws IOException {
    return LongStream.of(indexes(current, OPEN)).max().orElse(-1);
  }

  /** Returns the first index in the name of each file that is not empty. */
  private static long[] indexes(Path folder, Pattern name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return new long[0];
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toFile().length() > 0) // 0 if Ratis has renamed it meanwhile
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
          .toArray();
    }
  }
}
