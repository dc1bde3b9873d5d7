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
 * Missing entries between a snapshot and the log, as in a folder that got an old snapshot back.
 * Ratis would start, and wait for them for ever.
 */
final class LogGap {

  private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");
  private static final Pattern SNAPSHOT = Pattern.compile("snapshot\\.\\d+_(\\d+)");

  private LogGap() {}

  /**
   * Returns a description of the gap; null if there is none.
   *
   * @param current the folder of the log
   */
  static @Nullable String find(Path current) throws IOException {
    long begin = LongStream.of(indexes(current, SEGMENT)).min().orElse(0);
    long end = LongStream.of(indexes(current.resolveSibling("sm"), SNAPSHOT)).max().orElse(-1);
    return begin <= end + 1
        ? null
        : "the snapshot ends at entry " + end + ", but the log begins at entry " + begin;
  }

  /** Returns the first index in the name of each file. */
  private static long[] indexes(Path folder, Pattern name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return new long[0];
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
          .toArray();
    }
  }
}
